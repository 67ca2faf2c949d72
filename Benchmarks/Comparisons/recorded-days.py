#!/usr/bin/env python3
"""Converts recorded days of trains (caltrain-lite, DAY.jsonl.xz) to GTFS-Realtime messages, one file for each day.

Usage: recorded-days.py FOLDER OUTPUT
Each line of a recording is a snapshot: the time, and the state of each train with its next stop and the time predicted there.
A file of OUTPUT has all trip updates of a day, each message after its length as a 4-byte little-endian integer.
"""

import datetime
import json
import lzma
import os
import sys
import zoneinfo

sys.dont_write_bytecode = True
from gtfs_realtime import data, number, write  # noqa: E402

ZONE = zoneinfo.ZoneInfo("America/Los_Angeles")


def service_date(time):
    """The trains of a day run until 02:00 of the next one."""
    return (datetime.datetime.fromtimestamp(time, ZONE) - datetime.timedelta(hours=3)).strftime("%Y%m%d")


def message(time, trains):
    out = data(1, data(1, "2.0") + number(3, time))
    for train, state in sorted(trains.items()):
        if not state.get("s") or not state.get("t"):
            continue
        event = number(2, state["t"])
        stop = data(2, data(2, event) + data(3, event) + data(4, state["s"]))
        trip = data(1, data(1, train) + data(3, service_date(time)))
        out += data(2, data(1, train) + data(3, trip + stop + number(4, time)))
    return out


def main():
    source, output = sys.argv[1:]
    os.makedirs(output, exist_ok=True)
    for name in sorted(os.listdir(source)):
        path = os.path.join(output, name[:10] + ".messages")
        if not name.endswith(".jsonl.xz") or os.path.exists(path):
            continue
        with lzma.open(os.path.join(source, name), "rt") as lines, open(path + ".new", "wb") as out:
            for time, trains, *_ in map(json.loads, lines):
                body = message(time, trains)
                write(out, body)
        os.rename(path + ".new", path)


main()
