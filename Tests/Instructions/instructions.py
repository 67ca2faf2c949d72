#!/usr/bin/env python3
"""Counts the instructions that the daemon executes for one request. scripts/instructions describes the use."""

import argparse
import datetime
import json
import os
import random
import shutil
import sys
import tempfile

import learned_delays
from counted_daemon import CountedDaemon, RecordingError
from timetable import Timetable
from trip_updates import message

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
RECORDED = os.path.join(HERE, "recorded.json")
# The seed of the order of the stops.
SEED = 1
# The share by which a figure may exceed the recorded one.
TOLERANCE = 0.1
OK, FAILED, SKIPPED = 0, 1, 77
FEED = "feed"
TRIPS = 500
# A Tuesday morning of the recorded feed.
INSTANT = "2018-04-03T14:00:00Z"
SECONDS = int(datetime.datetime.fromisoformat(INSTANT.replace("Z", "+00:00")).timestamp())


def shuffled(stops, count):
    return random.Random(SEED).sample(stops, min(count, len(stops)))


def boards(feed, stops):
    return [("departures", {"stop": "%s:%s" % (feed, stop), "count": 3}) for stop in stops]


def demo(program, folder, profile):
    """Counts `departures` of all stops of the demo city on a Wednesday morning."""
    daemon = CountedDaemon(program, folder, "--demo", "--demo-folder", os.path.join(folder, "demo"))
    try:
        start(daemon, "2026-06-10T06:00:00Z")
        near = daemon.result(
            "stops.near", {"position": {"lat": 54.4, "lon": 10.394}, "radius": 20000, "count": 100})
        stops = shuffled(sorted(found["stop"]["id"] for found in near["stops"]), 100)
        figures = {"departures of the demo city": daemon.per_request(boards("demo", stops * 4), profile)}
        daemon.stop()
        return figures
    finally:
        daemon.kill()


def feed(program, folder, archive, profile):
    """Counts `departures` and `next` of a recorded feed, and a realtime message."""
    figures = {}
    timetable = Timetable(archive)
    static = ["[[feed]]", 'id = "%s"' % FEED, 'provider = "gtfs"', 'static = "%s"' % archive]
    updates = os.path.join(folder, "trip_updates.pb")
    daemon = CountedDaemon(program, folder)
    try:
        daemon.configure("\n".join([*static, ""]))
        start(daemon, INSTANT)
        stops = shuffled(sorted(timetable.stops), 2000)
        figures["departures"] = daemon.per_request(boards(FEED, stops), profile)
        figures["next"] = daemon.per_request([("next", ends) for ends in rides(timetable, 200)])
        daemon.stop()
        daemon.configure("\n".join([*static, 'trip_updates = "%s"' % updates, ""]))
        start(daemon, INSTANT)
        trips = timetable.active(10 * 3600)[:TRIPS]
        for delay in (60, 120):
            with open(updates + "~", "wb") as file:
                file.write(message(trips, SECONDS + delay, delay))
            os.rename(updates + "~", updates)
            if delay == 120:
                daemon.begin()
            daemon.result("refresh", {"feed": FEED, "dataset": "trip_updates", "force": True})
        figures["realtime message about %d trips" % len(trips)] = daemon.end()
        daemon.stop()
        return figures
    finally:
        daemon.kill()


def learned(program, folder, archive, profile):
    """Counts `departures` of stops of a recorded feed, without and with learned delays of their departures."""
    updates = os.path.join(folder, "trip_updates.pb")
    with open(updates, "wb") as file:
        file.write(message([], SECONDS, 0))
    stops = shuffled(sorted(Timetable(archive).stops), 100)
    figures = {}
    daemon = CountedDaemon(program, folder)
    try:
        daemon.configure("\n".join([
            "[[feed]]", 'id = "%s"' % FEED, 'provider = "gtfs"', 'static = "%s"' % archive,
            'trip_updates = "%s"' % updates, ""]))
        start(daemon, INSTANT)
        shown = [
            departure for method, parameters in boards(FEED, stops)
            for departure in daemon.result(method, parameters)["departures"]]
        figures["departures without learned delays"] = daemon.per_request(boards(FEED, stops * 4))
        daemon.stop()
        # The daemon writes the file of a feed beside its cached responses.
        found = [path for path, _, names in os.walk(os.path.join(folder, "cache")) if any(
            name.endswith(".live") for name in names)]
        with open(os.path.join(found[0], FEED + ".delays.live"), "wb") as file:
            file.write(learned_delays.cached(learned_delays.history(shown, SECONDS // 86400), SECONDS - 60))
        start(daemon, INSTANT)
        known = sum(
            departure.get("usual") is not None for method, parameters in boards(FEED, stops)
            for departure in daemon.result(method, parameters)["departures"])
        if known < len(shown):
            raise RecordingError("only %d of %d departures have a usual delay" % (known, len(shown)))
        figures["departures with learned delays"] = daemon.per_request(boards(FEED, stops * 4), profile)
        daemon.stop()
        return figures
    finally:
        daemon.kill()


def start(daemon, instant):
    """Starts the daemon, and waits for its timetable."""
    daemon.start(instant)
    daemon.eventually(
        "timetable", lambda: (daemon.ask("feed.list")[0] or {"feeds": [{}]})["feeds"][0].get("version"))


def rides(timetable, count):
    """The ends of rides on different trips."""
    trips = shuffled(sorted(trip for trip, calls in timetable.calls.items() if len(calls) > 8), count)
    ends = [(timetable.calls[trip][1][1], timetable.calls[trip][-2][1]) for trip in trips]
    return [
        {"from": "%s:%s" % (FEED, start), "to": "%s:%s" % (FEED, end), "count": 3} for start, end in ends if start != end]


def check(figures):
    """Compares with the recorded figures."""
    with open(RECORDED, encoding="utf-8") as file:
        recorded = json.load(file)
    status = OK
    for name, figure in figures.items():
        limit = round(recorded[name] * (1 + TOLERANCE))
        if figure > limit:
            print(
                "instructions: %s takes %d instructions; the recorded figure is %d, the limit %d. Make it faster, or "
                "record the figure with: scripts/instructions demo --record" % (name, figure, recorded[name], limit),
                file=sys.stderr)
            status = FAILED
    return status


def main():
    parser = argparse.ArgumentParser(prog="scripts/instructions", description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=os.path.join(ROOT, ".build", "release", "transitd"), metavar="FILE")
    parser.add_argument("--profile", metavar="FILE", help="where to write callgrind's profile of departures")
    parser.add_argument("--archive", metavar="FILE", help="a copy of the recorded feed")
    parser.add_argument("--check", action="store_true", help="compare with the recorded figure")
    parser.add_argument("--record", action="store_true", help="record the figure")
    parser.add_argument("what", choices=["demo", "feed", "delays"])
    options = parser.parse_args()
    if options.what != "demo" and (options.check or options.record):
        parser.error("only the figure of the demo city is recorded")
    if not shutil.which("valgrind"):
        print("instructions: SKIPPED: valgrind is not installed", file=sys.stderr)
        return SKIPPED
    data = os.environ.get("TRANSITD_SHARED_DATA", os.path.join(ROOT, "..", "shared", "data"))
    archive = options.archive or os.path.join(data, "gtfs", "other", "hart-2018.zip")
    if options.what != "demo" and not os.path.exists(archive):
        print("instructions: SKIPPED: there is no recorded feed %s" % archive, file=sys.stderr)
        return SKIPPED
    program = os.path.abspath(options.program)
    with tempfile.TemporaryDirectory(prefix="transitd-instructions-") as folder:
        try:
            if options.what == "demo":
                figures = demo(program, folder, options.profile)
            else:
                count = feed if options.what == "feed" else learned
                figures = count(program, folder, os.path.realpath(archive), options.profile)
        except RecordingError as error:
            print("instructions: %s" % error, file=sys.stderr)
            return FAILED
    for name, figure in figures.items():
        print("%s: %d" % (name, figure))
    if options.record:
        with open(RECORDED, "w", encoding="utf-8") as file:
            file.write(json.dumps(figures, indent=4) + "\n")
    return check(figures) if options.check else OK


if __name__ == "__main__":
    sys.exit(main())
