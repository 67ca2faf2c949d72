"""Records the replies of one feed: starts the daemon at each moment, delivers the messages, and sends the requests."""

import datetime
import json
import os

from masks import masked
from recorded_feeds import DATASETS, Moment, read, seconds
from requests_generator import RequestGenerator
from timetable import Timetable
from transit_daemon import Client, RecordingError, TransitDaemon
from upstream_stub import UpstreamStub, events_page, forecast

REQUESTS = 500
EVENTS_KEY = "replies"


class FeedRecording:
    """Records the lines of a feed."""

    def __init__(self, feed, program, folder):
        self.feed, self.folder = feed, folder
        os.makedirs(folder)
        self.daemon = TransitDaemon(program, folder)
        self.upstream = UpstreamStub()
        self.lines = []
        self.moment = None
        self.generator = None
        self.methods = []
        self.timetable = Timetable(feed.archive)

    def record(self):
        """Returns the lines: JSON objects with the feed, the moment, the request and the masked reply."""
        self.configure()
        try:
            first = seconds(self.feed.moments[0].instant)
            if self.feed.earlier:
                # Two days before, because the daemon does not ask a source again at once.
                self.import_timetable(self.feed.earlier, first - 2 * 86400)
                self.daemon.stop()
            self.import_timetable(self.feed.archive, first - 3600)
            self.prepare()
            self.daemon.stop()
            for position, moment in enumerate(self.feed.moments):
                self.start(moment)
                self.deliver()
                if position > 0:
                    self.react()
                for method in self.methods[position::len(self.feed.moments)]:
                    self.send(method)
                self.ask_by_hand()
                self.daemon.stop()
        except RecordingError as error:
            raise RecordingError("%s: %s; the end of the daemon's log:\n%s" % (
                self.feed.name, error, self.daemon.log_end())) from error
        finally:
            self.daemon.kill()
            self.upstream.close()
        return self.lines

    def configure(self):
        key = os.path.join(self.folder, "events.key")
        with open(key, "w", encoding="utf-8") as file:
            file.write(EVENTS_KEY)
        os.chmod(key, 0o600)
        address = self.upstream.address
        sources = ["%s = \"%s/%s\"" % (kind, address, kind) for kind in ("static", *DATASETS)]
        second = [
            "[[feed]]", 'id = "%s"' % self.second, 'provider = "gtfs"', 'supplements = "%s"' % self.feed.name,
            'static = "%s/second/static"' % address, 'trip_updates = "%s/second/trip_updates"' % address,
        ]
        self.daemon.configure("\n".join([
            "[[feed]]", 'id = "%s"' % self.feed.name, 'provider = "gtfs"', *sources,
            *(second if self.feed.has_supplement else []),
            "[place.stadium]", "lat = %(stop_lat)s" % self.stadium, "lon = %(stop_lon)s" % self.stadium,
            "walk_minutes = 4",
            "[weather]", 'url = "%s"' % address,
            "[events]", 'url = "%s"' % address, 'key_file = "%s"' % key, 'always_list = ["Arena"]', ""]))

    @property
    def second(self):
        """The supplementary feed."""
        return self.feed.name + "-second"

    @property
    def stadium(self):
        """The stop near which there are events."""
        return self.timetable.stops[self.timetable.served[0]]

    # Requests

    def request(self, method, parameters, client=None, release=None):
        """Sends a request, records it with its reply, and returns the result; `{}` if it is an error.

        `release` is a path and the body that the upstream sends there after the daemon has begun with the request.
        """
        client = client or self.daemon.client
        client.send(method, parameters)
        if release:
            self.daemon.settle(2)
            self.upstream.release(*release)
        reply = client.receive(method, parameters)
        # What a request starts has ended before the next one, so that the order of the effects is always the same.
        self.daemon.settle()
        head = {"feed": self.feed.name, "at": self.moment.instant, "method": method, "parameters": parameters}
        start = json.dumps(head, ensure_ascii=False)[:-1].encode()
        line = start + b', "reply": ' + reply + b"}\n"
        self.lines.append(masked(line, method, self.folder))
        return json.loads(reply).get("result") or {}

    def send(self, method):
        parameters = self.generator.request(method)
        if method == "subscribe":
            # The subscriptions end with the connection.
            client = Client(self.daemon.socket)
            self.request(method, parameters, client)
            client.close()
            self.daemon.settle(2)
            return
        result = self.request(method, parameters)
        self.generator.learn(method, parameters, result)

    # Data

    def start(self, moment):
        """Starts the daemon at a moment. All sources wait."""
        self.moment = moment
        self.upstream.hold_all()
        self.daemon.start(moment.instant)
        result, _ = self.daemon.ask("describe")
        if self.generator is None:
            self.generator = RequestGenerator(self.feed, self.timetable, result["methods"], seed=self.feed.name)
            self.methods = self.generator.methods(REQUESTS)
        self.generator.enter(seconds(moment.instant))
        self.daemon.settle(3)

    def import_timetable(self, archive, at):
        """Starts the daemon at a time and imports a timetable."""
        instant = datetime.datetime.fromtimestamp(at, datetime.timezone.utc)
        self.start(Moment(instant.strftime("%Y-%m-%dT%H:%M:%SZ")))
        self.release_context()
        body = read("", archive)
        self.request("feed.update", {"feed": self.feed.name, "force": True}, release=("/static", body))
        if self.feed.has_supplement:
            self.request("feed.update", {"feed": self.second, "force": True}, release=("/second/static", body))
        self.daemon.settle(3)

    def release_context(self):
        start = seconds(self.moment.instant)
        self.upstream.release("/v1/forecast", forecast(start))
        self.upstream.release("/discovery/v2/events.json", lambda _: events_page(self.events(start)))

    def events(self, start):
        events = []
        for number, (name, hours, segment, status) in enumerate([
                ("Home game", 5, "Sports", "onsale"), ("Concert", 9, "Music", "onsale"),
                ("Away game", 30, "Sports", "postponed"), ("Opera", 60, "Music", "canceled")]):
            begins = datetime.datetime.fromtimestamp(start + 3600 * hours, datetime.timezone.utc)
            place = {"latitude": self.stadium["stop_lat"], "longitude": self.stadium["stop_lon"]}
            events.append({
                "name": name, "id": "e%d" % number, "url": "https://tickets.example/%d" % number,
                "dates": {"start": {"dateTime": begins.strftime("%Y-%m-%dT%H:%M:%SZ")}, "status": {"code": status}},
                "classifications": [{"segment": {"name": segment}}],
                "_embedded": {"venues": [{"name": "Arena" if number % 2 == 0 else "Small hall", "location": place}]}})
        return events

    def deliver(self):
        """Delivers the messages of the moment, one after the other."""
        datasets = [(self.feed.name, kind, "/" + kind, kind) for kind in DATASETS]
        if self.feed.has_supplement:
            datasets.append((self.second, "trip_updates", "/second/trip_updates", "second"))
        for feed, kind, path, message in datasets:
            parameters = {"feed": feed, "dataset": kind, "force": True}
            self.request("refresh", parameters, release=(path, self.moment.messages.get(message)))
            self.daemon.settle(3)
        self.release_context()
        # The events of the preparation stay in use, because their source is asked every six hours.
        self.request("refresh", {"feed": "open-meteo", "dataset": "weather", "force": True})
        self.daemon.settle(3)

    # Personal data

    def prepare(self):
        """Sets up places, commutes, favorites, trips and notifications of the caller, with all methods that change them."""
        make = self.generator
        calls = max((self.timetable.calls[trip] for trip in make.busy_trips), key=len)
        first, middle, last = (self.timetable.stops[calls[at][1]] for at in (1, len(calls) // 2, len(calls) - 2))

        def name(stop):
            return "%s:%s" % (self.feed.name, stop["stop_id"])

        near = {"lat": round(float(first["stop_lat"]) + 0.002, 5), "lon": round(float(first["stop_lon"]), 5)}
        route = "%s:%s" % (self.feed.name, self.timetable.routes[0]["route_id"])
        other = "%s:%s" % (self.feed.name, self.route_of(calls)["route_id"])
        day = datetime.date.fromisoformat(self.moment.instant[:10])
        later = [{"first": str(day + datetime.timedelta(days=20)), "last": str(day + datetime.timedelta(days=22))}]
        preparation = [
            ("place.set", {"place": "home", "position": near}), ("place.set", {"place": "work", "stop": name(last)}),
            ("place.set", {"place": "gym", "stop": name(middle), "walk": 600}), ("place.remove", {"place": "gym"}),
            ("commute.add", {
                "name": "morning", "from": "home", "to": "work", "windows": ["06:00-09:30"], "days": ["weekdays"]}),
            ("commute.add", {"name": "back", "from": name(last), "to": name(first), "windows": ["14:00-19:00"]}),
            ("commute.rename", {"commute": "back", "name": "evening"}),
            ("commute.add", {"name": "across", "from": name(middle), "to": name(last), "windows": ["00:00-23:00"]}),
            ("commute.add", {"name": "gone", "from": name(middle), "to": name(first)}),
            ("commute.remove", {"commute": "gone"}), ("commute.use", {"commute": "across"}), ("commute.use", {}),
            ("favorite.add", {"stop": name(first)}), ("favorite.add", {"stop": name(middle), "category": "trains"}),
            ("favorite.add", {"route": route, "name": "a line", "category": "other"}),
            ("favorite.add", {"stop": name(middle), "route": other, "name": "both"}),
            ("favorite.add", {"stop": name(last), "name": "gone"}), ("favorite.remove", {"favorite": "gone"}),
            ("favorite.rename", {"favorite": "a line", "name": "my line"}),
            ("favorite.category", {"favorite": "both", "category": "trains"}),
            ("favorite.order", {"favorites": ["my line", "1"]}),
            ("taken.import", {"trips": self.trips(calls, first, last)}),
            ("notify.enable", {"is_on": True}), ("notify.set", {"key": "delay.first", "value": "1"}),
            ("notify.set", {"key": "leave.favorites", "value": "on"}), ("notify.set", {"key": "x", "value": "1"}),
            ("notify.days_off", {"add": later}), ("notify.mute", {"rule": "early", "duration": 86400}),
        ]
        for method, parameters in preparation:
            self.request(method, parameters)
        board = self.request("departures", {"stop": name(middle), "count": 20})
        self.generator.learn("departures", {}, board)
        ids = [departure["id"] for departure in board.get("departures", [])]
        for method, departure in zip(("usual.pin", "usual.pin", "usual.pin", "taken.add"), ids[1:]):
            self.request(method, {"departure": departure})
        self.request("usual.pin", {"departure": ids[-1] if ids else "1", "once": True})
        self.request("usual.unpin", {"departure": "1"})
        self.request("taken.add", {"departure": ids[0] if ids else "1", "destination": name(last)})
        self.request("taken.undo", {})
        self.daemon.settle(3)

    def route_of(self, calls):
        """The row of the trip with these calls, which has the route's identifier."""
        return self.timetable.trips[next(trip for trip, known in self.timetable.calls.items() if known is calls)]

    def trips(self, calls, first, last):
        """Trips of the last weeks."""
        route = self.route_of(calls)
        trips = []
        for number in range(30):
            local = self.generator.now - datetime.timedelta(days=2 * number + 1, minutes=number % 4)
            local = local.replace(hour=8 if number % 3 else 18, second=0)
            # The offset is that of the date.
            text = local.replace(tzinfo=None).replace(tzinfo=self.generator.zone).isoformat()
            trips.append({
                "service_date": str(local.date()), "scheduled": text, "departed": text, "feed": self.feed.name,
                "route": route["route_id"], "route_name": "Line", "stop": first["stop_id"],
                "stop_name": first["stop_name"], "destination": last["stop_id"], "destination_name": last["stop_name"],
                "commute": "morning" if number % 3 else "evening", "distance": 5000 + 100 * number, "logged": text})
        return trips

    def react(self):
        """Logs and acts on what the messages of a moment show."""
        board = self.request("favorite.show", {"count": 2})
        self.generator.learn("favorite.show", {}, board)
        if self.generator.departures:
            self.request("taken.add", {"departure": self.generator.departures[0]})
        events = self.request("notifications", {}).get("events", [])
        if events:
            self.request("notify.ack", {"ids": [events[0]["id"]], "stage": "done"})
            self.request("notify.act", {"id": events[-1]["id"], "action": "mute-today"})
        self.daemon.settle(3)

    def ask_by_hand(self):
        """Sends requests from which usual departures are learned, for the next moment."""
        for parameters in ({"commute": "across"}, {"commute": "morning"}):
            self.request("next", {**parameters, "interactive": True})
        self.request("departures", {"stop": self.generator.stop(), "interactive": True})
        self.request("favorite.show", {"interactive": True})
