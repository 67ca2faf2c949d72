"""The upstream of a recording: an HTTP server on loopback that sends the files of a moment when they are released.

A request for a dataset waits until the recording releases the dataset, so that the daemon receives all messages in one
order, however it schedules its requests.
"""

import hashlib
import json
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Seconds of real time for which a request waits for its release.
PATIENCE = 100


class UpstreamStub:
    """Sends bodies by path. A body is bytes, or a function of the parsed query that returns bytes."""

    def __init__(self):
        self.changed = threading.Condition()
        self.bodies = {}
        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        server.stub = self
        self.server = server
        threading.Thread(target=server.serve_forever, daemon=True).start()

    @property
    def address(self):
        return "http://127.0.0.1:%d" % self.server.server_address[1]

    def hold_all(self):
        """Makes all requests wait."""
        with self.changed:
            self.bodies = {}

    def release(self, path, body):
        """Sends a body from now on; `None` is answered with status 404."""
        with self.changed:
            self.bodies[path] = body
            self.changed.notify_all()

    def close(self):
        self.hold_all()
        self.server.shutdown()
        self.server.server_close()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format, *arguments):  # pylint: disable=redefined-builtin
        pass

    def do_GET(self):  # pylint: disable=invalid-name
        stub = self.server.stub
        parts = urllib.parse.urlsplit(self.path)
        with stub.changed:
            if not stub.changed.wait_for(lambda: parts.path in stub.bodies, PATIENCE):
                return self.answer(503, b"")
            body = stub.bodies[parts.path]
        if callable(body):
            body = body(urllib.parse.parse_qs(parts.query))
        if body is None:
            return self.answer(404, b"")
        tag = '"%s"' % hashlib.sha256(body).hexdigest()[:16]
        if self.headers.get("If-None-Match") == tag:
            return self.answer(304, b"", tag)
        return self.answer(200, body, tag)

    def answer(self, status, body, tag=None):
        try:
            self.send_response(status)
            if tag:
                self.send_header("ETag", tag)
            if status != 304:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if status != 304:
                self.wfile.write(body)
        except OSError:
            # The daemon ended before the response.
            self.close_connection = True


def forecast(start):
    """Returns a body for a request to Open-Meteo: four days of hours from the beginning of the day of `start`."""
    first = start - start % 86400

    def body(query):
        positions = query["latitude"][0].split(",")
        units = {
            "temperature_2m": "°C", "precipitation_probability": "%", "precipitation": "mm", "snowfall": "cm",
            "wind_speed_10m": "km/h", "weather_code": "wmo code",
        }
        places = []
        for place in range(len(positions)):
            hourly = {"time": [first + 3600 * hour for hour in range(96)]}
            for column, name in enumerate(query["hourly"][0].split(",")):
                scale = 10 if name in ("precipitation", "snowfall") else 1
                hourly[name] = [(7 * hour + 11 * place + 5 * column) % 40 / scale for hour in range(96)]
                if name == "weather_code":
                    hourly[name] = [(0, 2, 3, 61, 71, 95)[(hour // 5 + place) % 6] for hour in range(96)]
            places.append({"hourly_units": {"time": "unixtime", **units}, "hourly": hourly})
        return json.dumps(places if len(places) > 1 else places[0], ensure_ascii=False).encode()

    return body


def events_page(events):
    """Returns a body for a request to Ticketmaster: all events on one page."""
    page = {"size": 200, "totalElements": len(events), "totalPages": 1, "number": 0}
    return json.dumps({"_embedded": {"events": events}, "page": page}).encode()
