"""511.org as clients see it: a byte order mark, gzip, plain-text errors, and 60 requests per hour for each key.

Its data is in the folder: `511-trains.json`, a list of visits ({"trip", "date", "line", "direction", "stop", "aimed",
"delay", "vehicle"}; the last stop of a train is not a visit), and `511-alerts.json`, a response of servicealerts. Responses
contain the time of PUT /clock. They omit past departures and departures in more than 90 minutes.
"""

import datetime
import gzip
import json
import os

MARK = b"\xef\xbb\xbf"
KEY = "good-key"
LIMIT, WINDOW, HORIZON = 60, 3600, 5400


def clock(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def seconds(text):
    return int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())


def plain(handler, status, text, headers=()):
    handler.answer(text.encode(), status, [("Content-Type", "text/plain; charset=utf-8"), *headers])


def said(handler, document):
    """JSON as 511.org sends it, whatever the client accepts."""
    body = gzip.compress(MARK + json.dumps(document, ensure_ascii=False).encode())
    headers = [("Content-Encoding", "gzip"), ("Content-Type", "application/json; charset=utf-8")]
    handler.answer(body, headers=headers)


def allowed(handler, query):
    """Returns whether the key is valid and has requests left. If not, sends the error."""
    key = query.get("api_key")
    if key is None:
        plain(handler, 401, "The API key is not provided.")
        return False
    if key != KEY:
        plain(handler, 401, "The API key is invalid.")
        return False
    state = handler.server.state
    now = state.now()
    with state.lock:
        spent = state.__dict__.setdefault("spent_511", [])
        spent[:] = [at for at in spent if at > now - WINDOW]
        spent.append(now)
        over = len(spent) > LIMIT
        state.refused_511 = state.__dict__.get("refused_511", 0) + over
    if over:
        plain(handler, 429, "The allowed number of requests has been exceeded.")
    return not over


def read(handler, name):
    with open(os.path.join(handler.server.state.folder, name), "rb") as file:
        return json.load(file)


def visit(train, made):
    aimed = seconds(train["aimed"])
    departs = aimed + train.get("delay", 0)
    vehicle = train.get("vehicle")
    place = train.get("place", ["", ""]) if vehicle else ["", ""]
    return {
        "RecordedAtTime": clock(made - 20 if vehicle else 0),
        "MonitoringRef": train["stop"],
        "MonitoredVehicleJourney": {
            "LineRef": train["line"],
            "DirectionRef": train["direction"],
            "FramedVehicleJourneyRef": {"DataFrameRef": train["date"], "DatedVehicleJourneyRef": train["trip"]},
            "PublishedLineName": "",
            "OperatorRef": "CT",
            "Monitored": True,
            "InCongestion": None,
            "VehicleLocation": {"Longitude": place[0], "Latitude": place[1]},
            "Bearing": None,
            "Occupancy": None,
            "VehicleRef": vehicle,
            "MonitoredCall": {
                "StopPointRef": train["stop"],
                "VehicleLocationAtStop": "",
                "VehicleAtStop": "",
                "AimedArrivalTime": clock(aimed),
                "ExpectedArrivalTime": clock(departs - 30) if vehicle else None,
                "AimedDepartureTime": clock(aimed),
                "ExpectedDepartureTime": clock(departs),
                "Distances": "",
            },
        },
    }


def stop_monitoring(handler, query):
    if not allowed(handler, query):
        return
    if query.get("format") != "json":
        return handler.answer(b"<?xml version='1.0'?><Siri/>", headers=[("Content-Type", "application/xml")])
    now = handler.server.state.now()
    trains = [
        train for train in read(handler, "511-trains.json")
        if now - 30 <= seconds(train["aimed"]) + train.get("delay", 0) and seconds(train["aimed"]) <= now + HORIZON
        and query.get("stopcode", train["stop"]) == train["stop"]
    ]
    delivery = {"version": "1.4", "ResponseTimestamp": clock(now), "Status": True}
    if trains:
        delivery["MonitoredStopVisit"] = [visit(train, now) for train in trains]
    service = {"ResponseTimestamp": clock(now), "ProducerRef": query.get("agency"), "Status": True}
    said(handler, {"ServiceDelivery": {**service, "StopMonitoringDelivery": delivery if trains else {}}})


def service_alerts(handler, query):
    if not allowed(handler, query):
        return
    if query.get("format") != "json":
        return handler.answer(b"\x0a\x05\x0a\x031.0", headers=[("Content-Type", "application/x-protobuf")])
    answer = read(handler, "511-alerts.json")
    answer["Header"]["Timestamp"] = handler.server.state.now()
    said(handler, answer)


def data_feeds(handler, query):
    if allowed(handler, query):
        handler.serve_file("%s.zip" % query.get("operator_id", ""))


def holidays(handler, query):
    if allowed(handler, query):
        said(handler, {"Content": {"AvailabilityConditions": []}})


def refused(handler, query):
    """Sends the number of requests that exceeded the limit."""
    handler.answer(str(getattr(handler.server.state, "refused_511", 0)).encode())


def denied(handler, query):
    plain(handler, 401, "The API key is invalid.")


def exceeded(handler, query):
    """Sends an error that was never recorded from 511.org. It has no Retry-After, because none is documented."""
    plain(handler, 429, "The allowed number of requests has been exceeded.")


SCENARIOS = {
    "/511/StopMonitoring": stop_monitoring, "/511/servicealerts": service_alerts, "/511/datafeeds": data_feeds,
    "/511/holidays": holidays, "/511/denied": denied, "/511/exceeded": exceeded,
    "/511/refused": refused,
}
