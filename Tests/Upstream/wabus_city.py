"""A small WaBus server for upstream.py: two routes of a fictional city, with the responses, headers and errors of the real
server.

All paths are below /wabus/v1. The query, which a test sets with /control, can select a fault:

    fault=loading      503 with Retry-After and the error that the server sends while it loads its timetable
    fault=limit        429 with plain text
    also=LINE          the lines of a stop include one that no other response has
    ws=fragmented      every message in three frames, with a ping between them
    ws=close           a close frame after the first change
    ws=drop            the connection closes after the first change, without a close frame
    ws=silent          no response to the handshake
    ws=accept          the handshake has a wrong Sec-WebSocket-Accept
    ws=huge, ws=masked, ws=reserved, ws=utf8, ws=garbage   data that a server must not send
    every=SECONDS      the interval between two changes
"""

import base64
import datetime
import gzip
import hashlib
import json
import math
import select
import struct
import time

ZONE = datetime.timezone(datetime.timedelta(hours=1))
ZOOM = 14
CENTRE = (52.2297, 21.0122)
# Stop poles: outbound along a street, inbound on its other side.
OUT = [("%d1" % (100 + n), "Ulica %d 01" % n, CENTRE[0] + n * 0.004, CENTRE[1]) for n in range(6)]
BACK = [("%d2" % (100 + n), "Ulica %d 02" % n, CENTRE[0] + n * 0.004, CENTRE[1] + 0.0003) for n in range(6)]
LINES = {
    "7": {"id": "7", "short_name": "7", "long_name": "Ulica 0 — Ulica 5", "type": 0, "color": "B60000",
          "text_color": "FFFFFF"},
    "9": {"id": "9", "short_name": "9", "long_name": "Ulica 0 — Ulica 3", "type": 3, "color": "880077",
          "text_color": "FFFFFF"},
    "M1": {"id": "M1", "short_name": "M1", "long_name": "Metro", "type": 1, "color": "", "text_color": ""},
}
LENGTH = {"7": 6, "9": 4}
# Seconds: headway, time between two stops, first departure, last departure.
EVERY, HOP, FIRST, LAST = 600, 120, 5 * 3600, 26 * 3600
VERSION = "2026-02-10"
ETAG = '"698a9c41"'


def stop(pole):
    return {"id": pole[0], "code": "", "name": pole[1], "lat": pole[2], "lon": pole[3], "zone": ""}


def poles(line):
    """Returns the stops in the server's order: those of both directions, by their first position on any trip."""
    count = LENGTH[line]
    out, back = OUT[:count], list(reversed(BACK[:count]))
    return [pole for pair in zip(out, back) for pole in pair]


def stamp(seconds):
    moment = datetime.datetime.fromtimestamp(int(seconds), ZONE)
    return moment.strftime("%Y-%m-%dT%H:%M:%S") + ".123456789+01:00"


def clock(seconds):
    return "%02d:%02d:%02d" % (seconds // 3600, seconds // 60 % 60, seconds % 60)


def schedule(stop_id):
    rows = []
    for line, count in LENGTH.items():
        for direction, way in enumerate((OUT[:count], list(reversed(BACK[:count])))):
            place = [pole[0] for pole in way].index(stop_id) if stop_id in [pole[0] for pole in way] else None
            if place is None:
                continue
            for number, start in enumerate(range(FIRST, LAST, EVERY)):
                at = clock(start + place * HOP)
                rows.append({"trip_id": "%s/%d/%d" % (line, direction, number), "route_id": line, "line": line,
                             "headsign": way[-1][1][:-3], "arrival_time": at, "departure_time": at,
                             "stop_sequence": place + 1})
    return rows


def tile(lat, lon):
    count = 1 << ZOOM
    radians = math.radians(lat)
    x = int((lon + 180) / 360 * count)
    y = int((1 - math.log(math.tan(radians) + 1 / math.cos(radians)) / math.pi) / 2 * count)
    return "%d/%d/%d" % (ZOOM, x, y)


def vehicle(number, line, now, place):
    lat = CENTRE[0] + 0.004 * (place % 5)
    return {"key": "1:%d" % number, "vehicleNumber": str(number), "type": 1, "line": line, "brigade": "1", "lat": lat,
            "lon": CENTRE[1], "timestamp": stamp(now)[:19] + "+01:00", "tileId": tile(lat, CENTRE[1]),
            "updatedAt": stamp(now)}


def vehicles(now):
    return [vehicle(1000, "7", now, 0), vehicle(1001, "9", now, 1)]


# HTTP

def answer(handler, path, query):
    now = handler.server.state.now()
    fault = query.get("fault")
    if fault == "loading":
        return tell(handler, {"error": "GTFS data is loading, please retry"}, 503,
                    [("Retry-After", query.get("after", "30"))])
    if fault == "limit":
        return handler.answer(b"Too Many Requests\n", 429,
                              [("Content-Type", "text/plain"), ("Retry-After", query.get("after", "60"))])
    parts = path.strip("/").split("/")[1:]
    if parts == ["ws"]:
        return serve_socket(handler, query)
    if parts == ["sync"]:
        if handler.headers.get("If-None-Match") == ETAG:
            return handler.answer(b"", 304)
        return tell(handler, sync(now), headers=[("ETag", ETAG), ("Cache-Control", "public, max-age=3600")])
    if parts == ["sync", "check"]:
        return tell(handler, {"version": VERSION, "has_updates": True, "last_update": VERSION + "T04:00:01.5+01:00"})
    if parts == ["vehicles"]:
        found = vehicles(now)
        return tell(handler, {"vehicles": found, "count": len(found), "serverTime": stamp(now)})
    if len(parts) == 3 and parts[0] == "routes":
        return answer_route(handler, parts[1], parts[2], now)
    if len(parts) == 3 and parts[0] == "stops":
        return answer_stop(handler, parts[1], parts[2], query, now)
    handler.answer(b"404 page not found\n", 404, [("Content-Type", "text/plain")])


def sync(now):
    # The server serializes these structures with their Go field names.
    return {"routes": list(LINES.values()), "stops": [stop(pole) for pole in OUT + BACK],
            "calendars": [{"ServiceID": "D", "Monday": True, "Tuesday": True, "Wednesday": True, "Thursday": True,
                           "Friday": True, "Saturday": True, "Sunday": True, "StartDate": "20260101",
                           "EndDate": "20271231"}],
            "calendar_dates": None, "version": VERSION, "generated_at": stamp(now)}


def answer_route(handler, line, what, now):
    if line not in LINES:
        return tell(handler, {"error": "route not found"}, 404)
    if what == "stops":
        found = [stop(pole) for pole in poles(line)] if line in LENGTH else None
        return tell(handler, {"stops": found, "count": len(found or []), "server_time": stamp(now)})
    points = [{"lat": pole[2], "lon": pole[3], "sequence": n} for n, pole in enumerate(OUT[:LENGTH.get(line, 0)])]
    shapes = [{"id": line + "-out", "points": points}] if points else None
    tell(handler, {"shapes": shapes, "count": len(shapes or []), "server_time": stamp(now)})


def answer_stop(handler, stop_id, what, query, now):
    if stop_id not in [pole[0] for pole in OUT + BACK]:
        return tell(handler, {"error": "stop not found"}, 404)
    rows = schedule(stop_id) or None
    if what == "schedule":
        try:
            datetime.date.fromisoformat(query.get("date", "2026-01-01"))
        except ValueError:
            return tell(handler, {"error": "invalid date format, use YYYY-MM-DD, 'today', or 'tomorrow'"}, 400)
        return tell(handler, {"stop_times": rows, "count": len(rows or []), "server_time": stamp(now)})
    if what == "lines":
        lines = sorted({row["line"] for row in rows or []})
        found = [{"route_id": line, "line": line, "long_name": LINES[line]["long_name"], "type": LINES[line]["type"],
                  "color": LINES[line]["color"],
                  "headsigns": sorted({row["headsign"] for row in rows if row["line"] == line})} for line in lines]
        if "also" in query:
            found.append({"route_id": query["also"], "line": query["also"], "long_name": "", "type": 3,
                          "color": "000066", "headsigns": []})
        return tell(handler, {"lines": found or None, "count": len(found), "server_time": stamp(now)})
    handler.answer(b"404 page not found\n", 404)


def tell(handler, value, status=200, headers=()):
    body = json.dumps(value, ensure_ascii=False).encode()
    headers = [("Content-Type", "application/json")] + list(headers)
    if len(body) > 1024 and "gzip" in handler.headers.get("Accept-Encoding", ""):
        body = gzip.compress(body)
        headers.append(("Content-Encoding", "gzip"))
    handler.answer(body, status, headers)


# WebSocket (RFC 6455)

class Socket:
    """The server side of a WebSocket connection, on the thread of the connection."""

    def __init__(self, handler, mode):
        self.handler, self.mode = handler, mode
        self.connection = handler.connection
        self.received = b""

    def log(self, what):
        state = self.handler.server.state
        with state.lock:
            state.log.append({"listener": self.handler.server.name, "target": "/wabus/v1/ws#" + what, "headers": {}})

    def send_frame(self, first, payload, second=0):
        if len(payload) < 126:
            length = bytes([second | len(payload)])
        elif len(payload) < 65536:
            length = bytes([second | 126]) + struct.pack(">H", len(payload))
        else:
            length = bytes([second | 127]) + struct.pack(">Q", len(payload))
        self.connection.sendall(bytes([first]) + length + payload)

    def send_text(self, value):
        text = json.dumps(value, ensure_ascii=False).encode()
        if self.mode != "fragmented":
            return self.send_frame(0x81, text)
        third = max(1, len(text) // 3)
        self.send_frame(0x01, text[:third])
        self.send_frame(0x89, b"between")
        self.send_frame(0x00, text[third:2 * third])
        self.send_frame(0x80, text[2 * third:])

    def receive(self, seconds):
        """Returns the next frame as (opcode, payload), or None after a timeout in seconds."""
        end = time.monotonic() + seconds
        while True:
            frame = self.parse()
            if frame:
                return frame
            waits = getattr(self.connection, "pending", lambda: 0)()
            left = end - time.monotonic()
            if not waits and (left <= 0 or not select.select([self.connection], [], [], left)[0]):
                return None
            data = self.connection.recv(65536)
            if not data:
                raise ConnectionError("the client has disconnected")
            self.received += data

    def parse(self):
        data = self.received
        if len(data) < 2:
            return None
        length, start = data[1] & 0x7F, 2
        if length == 126:
            if len(data) < 4:
                return None
            length, start = struct.unpack(">H", data[2:4])[0], 4
        if not data[1] & 0x80:
            raise ConnectionError("the client has sent an unmasked frame")
        if len(data) < start + 4 + length:
            return None
        key, body = data[start:start + 4], data[start + 4:start + 4 + length]
        self.received = data[start + 4 + length:]
        return data[0] & 0x0F, bytes(byte ^ key[n % 4] for n, byte in enumerate(body))


def serve_socket(handler, query):
    handler.close_connection = True
    mode = query.get("ws", "")
    if mode == "silent":
        handler.rfile.read(1)
        return
    key = handler.headers.get("Sec-WebSocket-Key", "")
    proof = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
    handler.send_response(101)
    handler.send_header("Upgrade", "websocket")
    handler.send_header("Connection", "Upgrade")
    handler.send_header("Sec-WebSocket-Accept", "wrong" if mode == "accept" else proof)
    handler.end_headers()
    handler.wfile.flush()
    socket = Socket(handler, mode)
    try:
        converse(socket, float(query.get("every", "0.2")))
    except OSError:
        socket.log("gone")


def converse(socket, every):
    tiles, place = set(), 1
    while True:
        frame = socket.receive(every)
        if frame is None:
            if tiles:
                place += 1
                send_change(socket, tiles, place)
            continue
        opcode, payload = frame
        if opcode == 0x8:
            socket.log("close %d" % (struct.unpack(">H", payload[:2])[0] if payload else 0))
            return
        if opcode == 0xA:
            socket.log("pong " + payload.decode())
        if opcode == 0x9:
            socket.send_frame(0x8A, payload)
        if opcode == 0x1:
            socket.log(payload.decode())
            message = json.loads(payload)
            if message["type"] == "ping":
                socket.send_text({"type": "pong"})
            if message["type"] == "unsubscribe":
                tiles -= set(message["payload"]["tileIds"])
            if message["type"] == "subscribe":
                tiles |= set(message["payload"]["tileIds"])
                send_snapshot(socket, message["payload"]["tileIds"])


def send_snapshot(socket, tiles):
    found = [one for one in vehicles(socket.handler.server.state.now()) if one["tileId"] in tiles]
    # An empty list is null, as Go serializes it.
    socket.send_text({"type": "snapshot", "payload": {"vehicles": found or None}})


def send_change(socket, tiles, place):
    if socket.mode == "huge":
        socket.connection.sendall(bytes([0x81, 127]) + struct.pack(">Q", 1 << 62))
    if socket.mode == "masked":
        socket.send_frame(0x81, b"0000", second=0x80)
    if socket.mode == "reserved":
        socket.send_frame(0xC1, b"{}")
    if socket.mode == "utf8":
        socket.send_frame(0x81, b"\xff\xfe")
    if socket.mode == "garbage":
        socket.send_frame(0x81, b"{not json")
    moved = vehicle(1000, "7", socket.handler.server.state.now(), place)
    # A vehicle that leaves the subscribed tiles is not reported.
    if moved["tileId"] in tiles:
        socket.send_text({"type": "delta", "payload": {"updates": [moved]}})
    if place % 4 == 0:
        socket.send_text({"type": "delta", "payload": {"removes": ["1:1001"]}})
    if socket.mode == "close":
        socket.send_frame(0x88, struct.pack(">H", 1001) + b"restarting")
        socket.mode = "closing"
    if socket.mode == "drop":
        raise ConnectionError("as wanted")
