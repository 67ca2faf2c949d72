"""The interfaces of Hong Kong's bus operators for a generated city of any size. Standard library only.

The first part of the path selects the city: in `/hongkong/6x5/v1/transport/kmb/route/`, KMB has six routes and Citybus
five. Tests can therefore use different cities, and the server keeps no state. In `6x5s`, three stops of KMB in a row share
a name, 200 m apart. There are also responses for `PUT /control`:
`/hongkong/refuse?code=403`, 422 and 429 with the bodies of the operators, and `/hongkong/empty` with an empty list.

The responses have the anomalies of the real ones: numbers are strings in KMB's lists and numbers in its arrivals; names end
with codes; every third route has another service type with the same buses; there is a circular route, a route without
stops, and a route that has stops but is not in the list; some stops do not exist; some routes of Citybus run in one
direction only; some responses have rows of both directions, times in the past, or null times.
"""

import functools
import json
import time

CALLS = 24
STOPS_PER_KMB_ROUTE, STOPS_PER_CITYBUS_ROUTE = 9.93, 6.75


def answer(path, query, now):
    """Returns (status, body, headers) for a path below /hongkong."""
    parts = [part for part in path.split("/") if part]
    if parts == ["refuse"]:
        return refusal(int(query.get("code", 422)))
    if parts == ["empty"]:
        return data("ETA", [], now)
    if len(parts) < 4 or parts[2] != "transport":
        return refusal(404)
    kmb_routes, _, citybus_routes = parts[0].removesuffix("s").partition("x")
    city = City(int(kmb_routes), int(citybus_routes), parts[0].endswith("s"))
    if parts[1] == "v1" and parts[3] == "kmb":
        return city.kmb(parts[4:], now)
    if parts[1] == "v2" and parts[3] == "citybus":
        return city.citybus(parts[4:], now)
    return refusal(404)


def refusal(code):
    if code == 422:
        return 422, json.dumps({"code": "422", "message": " Invalid/Missing parameter(s)"}).encode(), []
    headers = [("Retry-After", "30")] if code == 429 else []
    return code, b"<html><head><title>Refused</title></head></html>", headers


def data(kind, rows, now, version="1.0"):
    envelope = {"type": kind, "version": version, "generated_timestamp": stamp(now), "data": rows}
    body = json.dumps(envelope, ensure_ascii=False, separators=(",", ":")).encode()
    return 200, body, [("Content-Type", "application/json; charset=utf-8")]


def stamp(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%S+08:00", time.gmtime(seconds + 8 * 3600))


def names(prefix, english, traditional, simplified):
    return {prefix + "_en": english, prefix + "_tc": traditional, prefix + "_sc": simplified}


class City:
    def __init__(self, kmb_routes, citybus_routes, shares_names=False):
        self.kmb_routes, self.citybus_routes = kmb_routes, citybus_routes
        self.shares_names = shares_names
        self.kmb_stops = max(CALLS + 2, round(kmb_routes * STOPS_PER_KMB_ROUTE))
        self.citybus_stops = max(CALLS + 2, round(citybus_routes * STOPS_PER_CITYBUS_ROUTE))

    # KMB

    def kmb(self, parts, now):
        if parts == ["route"]:
            return data("RouteList", self.kmb_list(), now)
        if parts == ["stop"]:
            return data("StopList", [self.kmb_stop(n) for n in range(self.kmb_stops)], now)
        if parts == ["route-stop"]:
            return data("RouteStopList", kmb_calls(self.kmb_routes, self.kmb_stops), now)
        if len(parts) == 2 and parts[0] == "stop-eta" and len(parts[1]) == 16:
            return data("StopETA", self.kmb_arrivals(parts[1], now), now)
        return refusal(422)

    def kmb_list(self):
        rows = []
        for route in range(self.kmb_routes):
            for bound, kind in ways_of(route):
                here, there = ("PIER", "ESTATE") if bound == "O" else ("ESTATE", "PIER")
                rows.append({"route": number(route), "bound": bound, "service_type": kind}
                            | names("orig", "%s %d" % (here, route), "甲%d" % route, "甲%d" % route)
                            | names("dest", "%s %d" % (there, route), "乙%d" % route, "乙%d" % route))
        rows.append({"route": "9C", "bound": "O", "service_type": "1"} | names("orig", "PIER", "碼頭", "码头")
                    | names("dest", "NOWHERE", "無", "无"))
        return rows

    def kmb_stop(self, stop):
        code = " (YT%d)" % (100 + stop % 900)
        if self.shares_names:
            name = "%s %d%s" % ("%s", stop // 3, code)
            return {"stop": "%016X" % (stop + 1)} | names("name", name % "STOP", name % "站", name % "站") | {
                "lat": "%.6f" % (22.25 + stop // 3 / 100 + stop % 3 * 0.0018), "long": "114.000000"}
        return {"stop": "%016X" % (stop + 1)} | names("name", "STOP %d%s" % (stop, code), "站%d%s" % (stop, code), "站%d%s" % (
            stop, code)) | {"lat": "%.6f" % (22.25 + stop % 200 / 1000), "long": "%.6f" % (114 + stop // 200 / 500)}

    def kmb_arrivals(self, stop, now):
        rows = []
        for call in kmb_calls_at(self.kmb_routes, self.kmb_stops).get(stop, []):
            route = int(call["route"], 36) if call["route"] == "90X" else int(call["route"]) - 1
            row = {"co": "KMB", "route": call["route"], "dir": call["bound"], "service_type": int(call["service_type"]),
                   "seq": int(call["seq"])} | names("dest", "ESTATE %d" % route, "乙%d" % route, "乙%d" % route)
            rows += arrivals(row, route + int(call["seq"]) * 2, now)
        return rows

    # Citybus

    def citybus(self, parts, now):
        if parts == ["route", "CTB"]:
            return data("RouteList", [self.citybus_route(n) for n in range(self.citybus_routes)], now, "2.0")
        if len(parts) == 4 and parts[:2] == ["route-stop", "CTB"] and parts[3] in ("outbound", "inbound"):
            return data("RouteStop", self.citybus_calls(parts[2], parts[3]), now, "2.0")
        if len(parts) == 2 and parts[0] == "stop" and len(parts[1]) == 6:
            return data("Stop", self.citybus_stop(parts[1]), now, "2.0")
        if len(parts) == 4 and parts[:2] == ["eta", "CTB"]:
            return data("ETA", self.citybus_arrivals(parts[2], parts[3], now), now, "2.0")
        return refusal(422)

    def citybus_route(self, route):
        return {"co": "CTB", "route": str(1000 + route)} | names("orig", "Pier %d" % route, "碼頭%d" % route, "码头%d" % route) \
            | names("dest", "Hill %d" % route, "山%d" % route, "山%d" % route) | {"data_timestamp": "2026-03-28T05:00:02+08:00"}

    def citybus_calls(self, name, word):
        route = int(name) - 1000 if name.isdigit() else -1
        # Every tenth route runs in one direction only.
        if not 0 <= route < self.citybus_routes or word == "inbound" and route % 10 == 9:
            return []
        stops = range(1, CALLS + 1) if word == "outbound" else range(CALLS, 0, -1)
        return [{"co": "CTB", "route": name, "dir": word[0].upper(), "seq": seq + 1,
                 "stop": "%06d" % ((route * 7 + stop) % self.citybus_stops + 1)} for seq, stop in enumerate(stops)]

    def citybus_stop(self, name):
        stop = int(name) - 1 if name.isdigit() else -1
        # The last stop does not exist.
        if not 0 <= stop < self.citybus_stops - 1:
            return {}
        return {"stop": name} | names("name", "Street %d" % stop, "街%d" % stop, "街%d" % stop) | {
            "lat": "%.14f" % (22.25 + stop % 100 / 1000), "long": "%.14f" % (114.15 + stop // 100 / 500)}

    def citybus_arrivals(self, stop, route, now):
        rows = []
        for word in ("outbound", "inbound"):
            for call in self.citybus_calls(route, word):
                if call["stop"] != stop:
                    continue
                # The sequence number is too high by one, as in some real responses.
                row = call | {"seq": call["seq"] + 1} | names("dest", "Hill", "山", "山")
                rows += arrivals(row, int(route) + call["seq"] * 2, now)
        return rows


def number(route):
    return str(route + 1)


def ways_of(route):
    """Returns directions and service types. The first route is circular, and every third route has a second service type."""
    if route == 0:
        return [("O", "1")]
    return [("O", "1"), ("I", "1")] + ([("O", "2")] if route % 3 == 2 else [])


@functools.lru_cache(4)
def kmb_calls(routes, stops):
    rows = []

    def add(name, bound, kind, numbers):
        for seq, stop in enumerate(numbers):
            rows.append({"route": name, "bound": bound, "service_type": kind, "seq": str(seq + 1),
                         "stop": "%016X" % (stop % stops + 1)})

    for route in range(routes):
        along = [route * 10 + stop for stop in range(CALLS)]
        for bound, kind in ways_of(route):
            if route == 0:
                add(number(route), bound, kind, along[:-1] + along[:1])
            else:
                add(number(route), bound, kind, (along if bound == "O" else along[::-1])[:CALLS if kind == "1" else CALLS // 2])
    # A route that is not in the list of routes.
    add("90X", "O", "1", [0, 1])
    return rows


@functools.lru_cache(4)
def kmb_calls_at(routes, stops):
    at = {}
    for row in kmb_calls(routes, stops):
        at.setdefault(row["stop"], []).append(row)
    return at


def arrivals(row, phase, now):
    """Returns arrivals every ten minutes. The first may be up to half a minute in the past. The third is only scheduled."""
    first = now - (now - phase * 60) % 600
    first = first if now - first <= 30 else first + 600
    rows = []
    for place in range(3):
        planned = place == 2
        remark = names("rmk", "Scheduled Bus", "原定班次", "原定班次") if planned else names("rmk", "", "", "")
        rows.append(row | {"eta_seq": place + 1, "eta": stamp(first + place * 600)} | remark | {
            "data_timestamp": stamp(now - 5)})
    return rows
