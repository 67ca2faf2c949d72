#!/usr/bin/env python3
"""Generates a network of one line and days of its GTFS-Realtime messages with one habit, for the measurement of learned delays.

Usage: generated-days.py HABIT DAYS OUTPUT
HABIT: bunching, metro, lying, early or jumping. OUTPUT gets gtfs.zip and DAY.messages, as recorded-days.py writes them.

Forty trips a day call at twelve stops, two minutes apart. A message every two minutes states the delays of a trip at its next
stop and at all later ones. Delays come from a seed:
  bunching  buses whose delay grows along the line, on busy days more; the source copies the current delay to all stops
  metro     at most five seconds late
  lying     as bunching, but the source states "on time" for all stops but the next one
  early     as bunching, but the source states one minute less
  jumping   as bunching, but one message in twenty is an hour off
"""

import datetime
import os
import random
import sys
import zipfile
import zoneinfo

sys.dont_write_bytecode = True
from gtfs_realtime import data, number, write  # noqa: E402

ZONE = zoneinfo.ZoneInfo("Europe/Berlin")
STOPS, TRIPS, STEP = 12, 40, 120
FIRST = datetime.date(2026, 3, 2)


def start(trip):
    return 6 * 3600 + trip * 1200


def clock(seconds):
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def write_timetable(path):
    tables = {
        "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\na,Line,https://line.example/,Europe/Berlin\n",
        "routes.txt": "route_id,agency_id,route_short_name,route_long_name,route_type\nr,a,1,,3\n",
        "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        "d,1,1,1,1,1,1,1,20260101,20261231\n",
        "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n"
        + "".join(f"s{n},Stop {n},52.5,{13 + n / 100}\n" for n in range(STOPS)),
        "trips.txt": "route_id,service_id,trip_id,direction_id\n" + "".join(f"r,d,t{n},0\n" for n in range(TRIPS)),
        "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        + "".join(
            f"t{t},{clock(start(t) + STEP * n)},{clock(start(t) + STEP * n)},s{n},{n + 1}\n"
            for t in range(TRIPS)
            for n in range(STOPS)
        ),
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in tables.items():
            archive.writestr(name, text)


def delays(habit, source, busy):
    """The delay of a trip at each stop in seconds."""
    if habit == "metro":
        return [source.randint(0, 5) for _ in range(STOPS)]
    delay, result = max(0, source.gauss(40, 30) * busy), []
    for _ in range(STOPS):
        delay = max(0, delay * source.uniform(0.85, 1.0) + source.expovariate(1 / 14) * busy)
        result.append(int(delay))
    return result


def stated(habit, source, real, position, next_stop):
    current = real[next_stop]
    if habit == "metro":
        return current
    if habit == "lying" and position > next_stop:
        return 0
    return current - (60 if habit == "early" and position > next_stop else 0)


def main():
    habit, days, output = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    os.makedirs(output, exist_ok=True)
    write_timetable(os.path.join(output, "gtfs.zip"))
    source = random.Random(habit)
    for day in range(days):
        date = FIRST + datetime.timedelta(days=day)
        noon = datetime.datetime(date.year, date.month, date.day, 12, tzinfo=ZONE).timestamp()
        origin = int(noon) - 43200
        busy = source.uniform(0.6, 1.8)
        real = [delays(habit, source, busy) for _ in range(TRIPS)]
        with open(os.path.join(output, f"{date}.messages"), "wb") as out:
            for time in range(origin + start(0) - 1200, origin + start(TRIPS) + 3600, 120):
                jump = 3600 if habit == "jumping" and source.random() < 0.05 else 0
                body = data(1, data(1, "2.0") + number(3, time))
                for trip in range(TRIPS):
                    times = [origin + start(trip) + STEP * n + real[trip][n] for n in range(STOPS)]
                    ahead = [n for n in range(STOPS) if times[n] > time]
                    if not ahead or time < origin + start(trip) - 900:
                        continue
                    update = data(1, data(1, f"t{trip}") + data(3, date.strftime("%Y%m%d")))
                    for n in ahead:
                        moment = origin + start(trip) + STEP * n + stated(habit, source, real[trip], n, ahead[0]) + jump
                        event = number(2, moment)
                        update += data(2, number(1, n + 1) + data(2, event) + data(3, event))
                    body += data(2, data(1, f"t{trip}") + data(3, update + number(4, time)))
                write(out, body)


main()
