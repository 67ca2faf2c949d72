"""The stops, routes and trips of a GTFS archive, from which requests are made."""

import csv
import io
import zipfile
from collections import defaultdict

# Trips beyond this number are not read, which bounds the time for large archives.
MAXIMUM_TRIPS = 4000


def seconds(text):
    """Seconds of a time such as 25:10:00; `None` if there is none."""
    parts = text.strip().split(":")
    return int(parts[0]) * 3600 + int(parts[1]) * 60 + int(parts[2]) if len(parts) == 3 else None


class Timetable:
    def __init__(self, path):
        with zipfile.ZipFile(path) as archive:
            self.names = {name.rsplit("/", 1)[-1]: name for name in archive.namelist()}
            self.stops = {row["stop_id"]: row for row in self.rows(archive, "stops.txt")}
            self.routes = self.rows(archive, "routes.txt")
            self.trips = {row["trip_id"]: row for row in self.rows(archive, "trips.txt")[:MAXIMUM_TRIPS]}
            self.calls = defaultdict(list)
            for row in self.rows(archive, "stop_times.txt"):
                if row["trip_id"] in self.trips:
                    at = seconds(row.get("departure_time") or row.get("arrival_time") or "")
                    self.calls[row["trip_id"]].append((int(row["stop_sequence"]), row["stop_id"], at))
        for calls in self.calls.values():
            calls.sort()
        self.served = sorted({call[1] for calls in self.calls.values() for call in calls})

    def rows(self, archive, name):
        if name not in self.names:
            return []
        with archive.open(self.names[name]) as file:
            table = csv.DictReader(io.TextIOWrapper(file, "utf-8-sig"), skipinitialspace=True)
            return [{key.strip(): (value or "").strip() for key, value in row.items() if key} for row in table]

    def active(self, time_of_day):
        """The trips that run between half an hour before and two hours after a time of day, by identifier."""
        first, last = time_of_day - 1800, time_of_day + 7200
        return sorted(
            trip for trip, calls in self.calls.items()
            if any(at is not None and first <= at <= last for _, _, at in calls))
