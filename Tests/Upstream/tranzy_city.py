"""A city of Tranzy for upstream.py: one route in two directions, four buses, and the key "good".

Requests for agencies need only the key; all others also need `X-Agency-Id: 2`. The key must be in both `X-API-KEY` and
`Authorization: Bearer`. As with the real service, the response to an invalid request is 403 with plain text.

Buses on the clock of PUT /clock: 101 drives along the route at 5 m/s repeatedly; 102 serves no trip; 103 does not move and is
2 km away from the route; 104 reports a position that is two hours old.
"""

import json
import math
import time

KEY = "good"
AGENCY = "2"
METRES = 111195.08
LATITUDE, LONGITUDE = 46.77, 23.6
STOPS = 8
SPACING = 500
SPEED = 5


def place(east, north=0):
    scale = METRES * math.cos(math.radians(LATITUDE))
    return round(LATITUDE + north / METRES, 7), round(LONGITUDE + east / scale, 7)


def agencies():
    return [
        {"agency_id": 2, "agency_name": "Town Transport", "agency_url": "https://town.example/",
         "agency_timezone": "Europe/Bucharest", "agency_phone": None, "agency_lang": "ro", "agency_fare_url": None},
        {"agency_id": 4, "agency_name": "Other Town", "agency_urls": ["https://other.example/"],
         "agency_timezone": "Europe/Bucharest", "agency_lang": "ro"},
    ]


def routes():
    return [{"agency_id": 2, "route_id": 1, "route_short_name": "24", "route_long_name": "Harbour - Forest",
             "route_color": "#000", "route_type": 11, "route_desc": "Harbour - Forest"}]


def stops():
    rows = []
    for number in range(STOPS):
        name = "Harbour" if number == 0 else "Forest" if number == STOPS - 1 else "Stop %d" % number
        latitude, longitude = place(number * SPACING)
        rows.append({"stop_id": number + 1, "stop_name": name, "stop_lat": latitude, "stop_lon": longitude,
                     "location_type": 0, "stop_code": None})
    return rows


def trips():
    return [
        {"route_id": 1, "trip_id": "1_0", "trip_headsign": "Forest", "direction_id": 0, "block_id": 1, "shape_id": "1_0"},
        {"route_id": 1, "trip_id": "1_1", "trip_headsign": "Harbour", "direction_id": 1, "block_id": 1, "shape_id": "1_1"},
    ]


def stop_times():
    there = [{"trip_id": "1_0", "stop_id": number + 1, "stop_sequence": number} for number in range(STOPS)]
    back = [{"trip_id": "1_1", "stop_id": STOPS - number, "stop_sequence": number} for number in range(STOPS)]
    return there + back


def shape(name):
    easts = range(0, (STOPS - 1) * SPACING + 1, 100)
    points = [place(east) for east in (easts if name == "1_0" else reversed(easts))]
    return [{"shape_id": name, "shape_pt_lat": latitude, "shape_pt_lon": longitude, "shape_pt_sequence": number}
            for number, (latitude, longitude) in enumerate(points)]


def vehicles(now):
    def row(number, east, north, age, trip):
        latitude, longitude = place(east, north)
        moment = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(now - age))
        return {"id": number, "label": str(number), "latitude": latitude, "longitude": longitude, "timestamp": moment,
                "vehicle_type": 11, "bike_accessible": "BIKE_INACCESSIBLE", "wheelchair_accessible": "WHEELCHAIR_ACCESSIBLE",
                "speed": SPEED * 3.6, "route_id": 1 if trip else None, "trip_id": trip}
    # The bus turns back before the last stop, so that it is always between stops.
    length = (STOPS - 3) * SPACING
    return [
        row(101, (now - 5) * SPEED % length, 0, 5, "1_0"), row(102, 300, 20, 5, None), row(103, 600, 2000, 5, "1_0"),
        row(104, 900, 0, 7200, "1_0"),
    ]


def answer(handler, query):
    table = handler.path.split("?")[0].rsplit("/", 1)[-1]
    headers = handler.headers
    good = headers.get("X-API-KEY") == KEY and headers.get("Authorization") == "Bearer " + KEY
    if not good or (table != "agency" and headers.get("X-Agency-Id") != AGENCY):
        return handler.answer(b"Forbidden", 403, [("Content-Type", "text/plain")])
    if table == "shapes":
        if query.get("shape_id") not in ("1_0", "1_1"):
            return handler.answer(b"Not Found", 404, [("Content-Type", "text/plain")])
        rows = shape(query["shape_id"])
    else:
        rows = vehicles(handler.server.state.now()) if table == "vehicles" else TABLES[table]()
    handler.answer(json.dumps(rows).encode(), headers=[("Content-Type", "application/json; charset=utf-8")])


TABLES = {"agency": agencies, "routes": routes, "stops": stops, "trips": trips, "stop_times": stop_times}
SCENARIOS = {"/tranzy/" + table: answer for table in [*TABLES, "shapes", "vehicles"]}
