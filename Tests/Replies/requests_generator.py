"""Makes requests of all query methods, with all of their parameters, from a seed.

The methods and parameters are those that `describe` lists. A method or parameter that is not known here is an error, so
that a new one is not forgotten.
"""

import datetime
import random
import zoneinfo

from transit_daemon import RecordingError

# The methods that are not sent, because they change something. Some of them prepare a feed (`recording.PREPARATION`).
CHANGES = {
    "commute.add", "commute.rename", "commute.remove", "commute.use", "place.set", "place.remove", "favorite.add",
    "favorite.rename", "favorite.category", "favorite.order", "favorite.remove", "key.set", "key.remove",
    "recent.clear", "feed.update", "feed.rollback", "feed.history.clear", "config.reload", "refresh", "notify.ack", "taken.add",
    "taken.undo", "taken.import", "usual.pin", "usual.unpin", "usual.forget", "insights.forget", "notify.enable",
    "notify.set", "notify.mute", "notify.test", "notify.act", "notify.days_off", "journeys.pin", "journeys.unpin",
}

# The methods that are not sent although they change nothing, and why.
NOT_SENT = {
    "feed.find": "The first search downloads the catalog.",
    "config.propose": "It describes the configuration file of the recording.",
}

# How often each query method is sent, relative to the others. `departures` gets what is left of the requests of a feed.
SHARES = {
    "departures": 70, "next": 55, "explain": 45, "trip.show": 40, "journeys": 24, "favorite.show": 24, "vehicles": 24,
    "alerts": 24,
    "stops.search": 16, "stops.near": 14, "stops.show": 16, "routes.search": 12, "routes.show": 12, "routes.stops": 10,
    "subscribe": 14, "notify.list": 10, "notify.rehearse": 8, "insights": 8, "usual.explain": 8, "taken.list": 8,
    "status": 8, "weather": 8, "events": 8, "feed.validate": 8, "feed.diff": 6, "feed.list": 4, "feed.versions": 3,
    "feed.history": 2,
    "usual.list": 4, "journeys.last": 8, "journeys.pinned": 2, "recent.list": 3, "notifications": 3,
    "provider.check": 3, "commute.list": 2, "favorite.list": 2, "place.list": 2, "address.search": 2, "budget": 3, "doctor": 3, "config.check": 1, "key.check": 1,
    "provider.list": 1, "hello": 2, "describe": 3, "cancel": 1, "unsubscribe": 1,
}

LANGUAGES = ["en", "de", "fr-CA", "ja", "not a language"]
COMMUTES = ["home-to-work", "work-to-home", "morning", "evening", "across", "across", "unknown"]
FAVORITES = ["1", "2", "3", "4", "both", "my line", "9"]


def shares(count):
    """Returns how often each method is sent among `count` requests."""
    whole = sum(SHARES.values())
    found = {method: max(1, share * count // whole) for method, share in SHARES.items()}
    found["departures"] += count - sum(found.values())
    return found


class RequestGenerator:
    """The requests to one feed."""

    def __init__(self, feed, timetable, methods, seed):
        self.feed, self.timetable = feed, timetable
        self.random = random.Random(seed)
        self.zone = zoneinfo.ZoneInfo(feed.zone)
        self.now = None
        self.busy_stops = timetable.served
        self.busy_trips = sorted(timetable.trips)
        # Identifiers of departures and the cursors of pages that replies contained.
        self.departures = []
        self.cursors = {}
        self.turns = {}
        self.parameters = {}
        for method in methods:
            name = method["name"]
            if name in CHANGES or name in NOT_SENT:
                continue
            if name not in SHARES:
                raise RecordingError(
                    "scripts/replies does not know the method %s; add it to SHARES, CHANGES or NOT_SENT in "
                    "Tests/Replies/requests_generator.py" % name)
            self.parameters[name] = method["params"]
            for parameter in method["params"]:
                if self.maker(name, parameter["name"]) is None:
                    raise RecordingError(
                        "scripts/replies does not know the parameter %s of %s; add it to "
                        "Tests/Replies/requests_generator.py" % (parameter["name"], name))
        if missing := set(SHARES) - set(self.parameters):
            raise RecordingError("the daemon no longer has the methods %s" % ", ".join(sorted(missing)))

    def methods(self, count):
        """Returns `count` methods in random order."""
        found = [method for method, share in sorted(shares(count).items()) for _ in range(share)]
        self.random.shuffle(found)
        return found

    def enter(self, instant):
        """Requests are now sent at this instant."""
        self.now = datetime.datetime.fromtimestamp(instant, self.zone)
        midnight = self.now.replace(hour=0, minute=0, second=0)
        active = self.timetable.active(int((self.now - midnight).total_seconds()))
        if active:
            self.busy_trips = active
            self.busy_stops = sorted({call[1] for trip in active for call in self.timetable.calls[trip]})

    # Requests

    def request(self, method):
        """Returns the parameters of a request. In turn, each optional parameter is given for certain."""
        parameters = self.parameters[method]
        optional = [parameter["name"] for parameter in parameters if not parameter["required"]]
        turn = self.turns[method] = self.turns.get(method, -1) + 1
        certain = optional[(turn - 1) % len(optional)] if optional and turn > 0 else None
        pages = self.cursors.get(method)
        if certain == "cursor" and pages:
            return self.random.choice(pages)
        chance = 0.3 if turn else 0
        request = {}
        for parameter in parameters:
            name = parameter["name"]
            if parameter["required"] or name == certain or self.random.random() < chance:
                request[name] = self.maker(method, name)()
        return self.sensible(method, request)

    def sensible(self, method, request):
        """Removes most combinations that are refused, which would leave little else to compare."""
        if self.random.random() < 0.06:
            return request
        if method in ("next", "journeys.last") and "commute" in request:
            request.pop("from", None)
            request.pop("to", None)
        if method in ("next", "journeys.last") and ("from" in request) != ("to" in request):
            request["from"], request["to"] = self.pair()
        if method == "stops.near" and ("place" in request) == ("position" in request):
            request.pop("place", None)
            request["position"] = self.position()
        if method == "departures" and "from" in request:
            request.pop("walk", None)
        if "favorite" in request and "route" in request:
            del request["route"]
        if request.get("feed") == "nowhere":
            del request["feed"]
        if method == "feed.validate" and self.random.random() < 0.7:
            request.pop("version", None)
        if method == "provider.check" and "url" not in request:
            # Without a URL, the provider's own server would be asked.
            request["url"] = self.url()
        return request

    def learn(self, method, request, result):
        """Remembers what later requests use: the identifiers of departures and the cursors of pages."""
        if result.get("next_cursor"):
            self.cursors.setdefault(method, []).append({**request, "cursor": result["next_cursor"]})
        self.find_departures(result)

    def find_departures(self, value):
        if isinstance(value, dict):
            if "confidence" in value and isinstance(value.get("id"), str):
                self.departures = [value["id"]] + self.departures[:60]
            for member in value.values():
                self.find_departures(member)
        elif isinstance(value, list):
            for member in value:
                self.find_departures(member)

    # Values

    def maker(self, method, name):
        """Returns the function that makes a parameter's value; `None` if there is none."""
        return {
            ("hello", "protocol"): lambda: self.random.choice([1, 2]),
            # A valid restriction would hold for the later requests of the connection.
            ("hello", "restriction"): lambda: "nothing",
            ("describe", "method"): lambda: self.random.choice(["departures", "notify.list", "nothing"]),
            ("cancel", "id"): lambda: 4711,
            ("events", "date"): lambda: self.random.choice(["today", "tomorrow", "sat", "%s" % self.now.date()]),
            ("events", "days"): lambda: self.random.choice([1, 7, 60]),
            ("insights", "days"): lambda: self.random.choice([1, 30, 366]),
            ("notify.rehearse", "days"): lambda: self.random.choice([1, 7, 60]),
            ("favorite.show", "category"): lambda: self.random.choice(["trains", "other", "none"]),
            ("events", "category"): lambda: self.random.choice(["sports", "music", "opera"]),
            ("usual.explain", "departure"): lambda: self.random.choice(["1", "2", "3", "08:12"]),
            ("taken.list", "cursor"): lambda: "3", ("feed.diff", "count"): lambda: self.random.choice([1, 5, 500]),
            ("unsubscribe", "subscription"): lambda: 99, ("subscribe", "topics"): self.topics,
            # Elsewhere there is no forecast yet, and the reply would wait for one, for which the clock has to advance.
            ("weather", "location"): lambda: self.random.choice(["home", "work", "stadium", "nowhere"]),
            ("departures", "from"): lambda: self.random.choice(["home", "work", "stadium", "nowhere"]),
            ("departures", "walk"): lambda: self.random.choice([0, 240, 1500]),
            ("routes.search", "text"): self.route_text, ("stops.search", "text"): self.stop_text,
            ("address.search", "text"): lambda: "Main Street", ("feed.diff", "from"): self.version,
            ("feed.diff", "to"): self.version,
        }.get((method, name)) or {
            "feed": lambda: self.random.choice([self.feed.name] * 9 + ["nowhere"]),
            "stop": self.stop, "route": self.route, "trip": self.trip, "departure": self.departure,
            "from": lambda: self.pair()[0], "to": lambda: self.pair()[1], "at": self.time, "date": self.date,
            "count": lambda: self.random.choice([1, 2, 3, 5, 8, 20]),
            "count_per_direction": lambda: self.random.choice([1, 2, 4]),
            "language": lambda: self.random.choice(LANGUAGES),
            "within": lambda: self.random.choice([60, 600, 1800, 86400]),
            "paths": lambda: self.random.random() < 0.5, "punctuality": self.flag,
            # Requests by hand change what is learned. The recording sends them after all others of a moment.
            "interactive": lambda: False,
            "commute": lambda: self.random.choice(COMMUTES), "favorite": lambda: self.random.choice(FAVORITES),
            "place": lambda: self.random.choice(["home", "work", "stadium", "nowhere"]), "position": self.position,
            "radius": lambda: self.random.choice([50, 900, 2500, 15000]),
            "cursor": lambda: self.random.choice(["1", "5", "not a cursor"]),
            "modes": lambda: self.random.choice([["train"], ["bus", "tram"], ["metro"]]), "wheelchair": self.flag,
            "bicycles": self.flag, "explain": self.flag, "via": self.stop, "on_board": self.departure,
            "after": lambda: {"departure": self.departure(), "to": self.random.choice(self.busy_stops)},
            "arrive_by": self.flag, "changes": lambda: self.random.choice([0, 1, 3, 7]),
            "updates": self.flag, "next_characters": self.flag, "directions": self.flag, "partial": self.flag,
            "attempt": self.flag, "realtime": self.flag, "all_venues": self.flag, "bundle": lambda: False,
            "folded": self.flag, "log": self.flag, "reachable": self.flag, "remember": self.flag, "suppressed": self.flag,
            "direction_id": lambda: self.random.choice([0, 1]), "version": self.version,
            "client": lambda: "replies 1", "routes": lambda: self.random.choice([0, 1, 50]),
            "set": lambda: self.random.choice([["delay.first=5"], ["leave.notice=10", "delay.first=1"], ["x=1"]]),
            "provider": lambda: self.random.choice(["gtfs", "nothing"]), "key": lambda: "secret",
            "key_header": lambda: "X-API-KEY", "key_parameter": lambda: "api_key", "agency": lambda: "CT",
            "base_url": lambda: "http://127.0.0.1:1", "url": self.url,
            "dataset": lambda: self.random.choice(["static", "trip_updates", "vehicles", "alerts"]),
        }.get(name)

    def flag(self):
        return self.random.random() < 0.7

    def url(self):
        # Nothing listens on this port.
        return "http://127.0.0.1:1/feed"

    def version(self):
        return self.random.choice([1, 1, 2, 2, 9])

    def stop_id(self):
        return self.random.choice(self.busy_stops if self.random.random() < 0.7 else sorted(self.timetable.stops))

    def stop(self):
        stop = self.timetable.stops[self.stop_id()]
        form = self.random.random()
        if form < 0.6:
            return "%s:%s" % (self.feed.name, stop["stop_id"])
        if form < 0.75:
            return stop["stop_id"]
        if form < 0.9:
            return stop["stop_name"]
        if form < 0.94:
            return stop.get("stop_code") or stop["stop_name"].lower()
        if form < 0.97:
            return stop["stop_name"].split()[0]
        return "Nowhere"

    def stop_text(self):
        name = self.timetable.stops[self.stop_id()]["stop_name"]
        start = self.random.randrange(len(name))
        return name[start:start + self.random.randint(1, 8)].strip() or name

    def route(self):
        route = self.random.choice(self.timetable.routes)
        form = self.random.random()
        if form < 0.4:
            return "%s:%s" % (self.feed.name, route["route_id"])
        if form < 0.55:
            return route["route_id"]
        return "no route" if form > 0.96 else self.route_name(route)

    def route_name(self, route):
        return route.get("route_short_name") or route.get("route_long_name") or route["route_id"]

    def route_text(self):
        return self.route_name(self.random.choice(self.timetable.routes))[:self.random.randint(0, 5)]

    def trip(self):
        form = self.random.random()
        if form < 0.35 and self.departures:
            return self.random.choice(self.departures)
        trip = self.random.choice(self.busy_trips)
        if form < 0.75:
            return "%s:%s" % (self.feed.name, trip)
        if form < 0.9:
            return trip
        return self.departure()

    def departure(self):
        form = self.random.random()
        if form < 0.6 and self.departures:
            return self.random.choice(self.departures)
        trip = self.random.choice(self.busy_trips)
        calls = [call for call in self.timetable.calls[trip] if call[2] is not None]
        if form > 0.96 or not calls:
            return "the next one"
        _, stop, at = self.random.choice(calls)
        time = "%02d:%02d" % (at // 3600 % 24, at // 60 % 60)
        if form < 0.75:
            return "%s from %s:%s" % (time, self.feed.name, stop)
        if form < 0.85:
            route = self.timetable.trips[trip]["route_id"]
            names = [self.route_name(row) for row in self.timetable.routes if row["route_id"] == route]
            return "%s %s from %s" % (names[0] if names else route, time, stop)
        if form < 0.92:
            return self.timetable.trips[trip].get("trip_short_name") or trip
        return time

    def pair(self):
        """Two stops of a trip that runs at about this time, or two places."""
        form = self.random.random()
        if form < 0.15:
            return self.random.choice([("home", "work"), ("work", "home"), ("stadium", "work"), ("nowhere", "home")])
        calls = self.timetable.calls[self.random.choice(self.busy_trips)]
        if form > 0.9 or len(calls) < 2:
            return self.stop(), self.stop()
        first = self.random.randrange(len(calls) - 1)
        last = self.random.randrange(first + 1, len(calls))
        return tuple("%s:%s" % (self.feed.name, calls[index][1]) for index in (first, last))

    def position(self):
        stop = self.timetable.stops[self.stop_id()]
        return {"lat": round(float(stop["stop_lat"]) + 0.001, 6), "lon": round(float(stop["stop_lon"]), 6)}

    def time(self):
        form = self.random.random()
        moment = self.now + datetime.timedelta(minutes=self.random.randint(-60, 300))
        if form < 0.5:
            return moment.isoformat()
        if form < 0.7:
            return moment.strftime("%H:%M")
        return self.random.choice(["tomorrow 08:00", "mon 08:00", "sun 23:50", "23:59", "1999-01-01T00:00:00Z", "soon"])

    def date(self):
        days = self.random.choice([0, 0, 0, 1, -1, 3, 400])
        return str(self.now.date() + datetime.timedelta(days=days))

    def topics(self):
        topics = []
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.choice(
                ["next", "departures", "departures", "vehicles", "alerts", "status", "favorite", "notifications"])
            topic = {"topic": kind}
            if kind == "next":
                topic["from"], topic["to"] = self.pair()
            if kind == "departures":
                topic["stop"] = self.stop()
            if kind in ("departures", "vehicles", "alerts") and self.random.random() < 0.3:
                topic["route"] = self.route()
            if kind in ("vehicles", "alerts", "status") and self.random.random() < 0.7:
                topic["feed"] = self.feed.name
            if kind not in ("status", "notifications") and self.random.random() < 0.4:
                topic["count"] = self.random.randint(1, 6)
            topics.append(topic)
        return topics
