"""The feeds of a recording: their timetables, the moments at which requests are sent, and the messages of each moment."""

import datetime
import json
import os
import subprocess

# The order in which a moment's messages are delivered.
DATASETS = ("trip_updates", "vehicles", "alerts")


def seconds(instant):
    return int(datetime.datetime.fromisoformat(instant.replace("Z", "+00:00")).timestamp())


def read(data, name):
    with open(os.path.join(data, name), "rb") as file:
        return file.read()


def moved(message, instant, date):
    """Returns a GTFS-Realtime message in JSON with all times moved, so that its header's time is `instant`.

    Service dates become `date`, such as 20180530.
    """
    document = json.loads(message.decode("utf-8-sig"))
    header = document.get("header") or document["Header"]
    shift = seconds(instant) - int(header.get("timestamp") or header["Timestamp"])

    def change(value, name=None):
        if isinstance(value, dict):
            return {key: change(member, key) for key, member in value.items()}
        if isinstance(value, list):
            return [change(member, name) for member in value]
        if name in ("timestamp", "Timestamp", "start", "Start", "end", "End", "time") and value:
            return int(value) + shift
        if name in ("startDate", "start_date"):
            return date
        return value

    return json.dumps(change(document), ensure_ascii=False).encode()


def troubled(message, *others):
    """Returns a GTFS-Realtime message in JSON in which much goes wrong, with the entities of others added.

    In turn, a trip is canceled, passes a stop, has no data at a stop, is ten minutes late, or stays as it is.
    """
    document = json.loads(message)
    for number, entity in enumerate(document["entity"]):
        update = entity["trip_update"]
        calls = update["stop_time_update"]
        call = calls[len(calls) // 2]
        if number % 5 == 0:
            # CANCELED
            update["trip"]["schedule_relationship"] = 3
            update["stop_time_update"] = []
        elif number % 5 in (1, 2):
            # SKIPPED and NO_DATA
            call["schedule_relationship"] = number % 5
            call.pop("arrival", None)
            call.pop("departure", None)
        elif number % 5 == 3:
            for event in [call[name] for call in calls for name in ("arrival", "departure") if name in call]:
                event["time"] += 600
                event.pop("delay", None)
    known = {entity["id"] for entity in document["entity"]}
    for other in others:
        document["entity"] += [entity for entity in json.loads(other)["entity"] if entity["id"] not in known]
    return json.dumps(document, ensure_ascii=False).encode()


class Moment:
    """An instant of the replayed clock and the messages that the daemon receives then.

    A dataset without a message is answered with status 404, as sources do that fail. `second` are the trip updates of the
    supplementary feed.
    """

    def __init__(self, instant, **messages):
        self.instant = instant
        self.messages = messages


class RecordedFeed:
    """A feed of `shared/data` with recorded messages."""

    def __init__(self, name, zone, archive, moments, earlier=None, has_supplement=False):
        self.name, self.zone, self.archive, self.moments = name, zone, archive, moments
        # An earlier timetable, which is imported before `archive`, so that there are two versions.
        self.earlier = earlier
        # Whether a second feed with the same timetable supplements this one.
        self.has_supplement = has_supplement


def bart(data):
    """BART in 2018 with edited messages: late, added, canceled, around midnight, and alerts of all kinds."""
    folder = "gtfsrt/transitland/server-rt/BA"
    afternoon, night = "2018-05-30T22:27:30Z", "2018-05-31T06:44:00Z"
    alerts, vehicles = read(data, folder + "-alerts.json"), read(data, folder + "-vehicle-positions.json")

    def updates(name):
        return read(data, "%s%s.json" % (folder, name))

    moments = [
        Moment(afternoon, trip_updates=updates(""), alerts=alerts, vehicles=moved(vehicles, afternoon, "20180530")),
        # Four minutes after the message. The vehicles do not respond.
        Moment(
            "2018-05-30T22:31:30Z", trip_updates=troubled(updates(""), updates("-added")), alerts=alerts),
        Moment(
            "2018-05-30T22:39:00Z", trip_updates=moved(updates("-added"), "2018-05-30T22:35:00Z", "20180530"),
            alerts=alerts, vehicles=moved(vehicles, afternoon, "20180530")),
        Moment(
            "2018-05-30T22:46:00Z", trip_updates=moved(updates("-last-delay"), "2018-05-30T22:46:00Z", "20180530"),
            vehicles=moved(vehicles, "2018-05-30T22:45:30Z", "20180530")),
        Moment(night, trip_updates=updates("-midnight"), alerts=moved(alerts, night, "20180530")),
    ]
    return RecordedFeed(
        "bart", "America/Los_Angeles", os.path.join(data, "gtfs/bart/2018-05.zip"), moments,
        earlier=os.path.join(data, "gtfs/bart/2014-transitland-datastore.zip"))


def caltrain(data):
    """Caltrain in 2018: a few late trains, an unknown trip, vehicles of unknown trips, and a supplementary feed."""
    folder = "gtfsrt/transitland/server-rt/"
    vehicles = read(data, folder + "ct-vehicle-positions.pb.json")
    first, second = "2018-05-30T22:33:00Z", "2018-05-30T22:47:00Z"
    alerts = moved(read(data, "511/nchua/servicealerts.json"), first, "20180530")
    updates = read(data, folder + "CT.json")
    moments = [
        Moment(
            first, trip_updates=updates, second=updates, alerts=alerts, vehicles=moved(vehicles, first, "20180530")),
        # The two sources disagree.
        Moment("2018-05-30T22:37:00Z", trip_updates=troubled(updates), second=updates, alerts=alerts),
        Moment(
            "2018-05-30T22:41:00Z", trip_updates=moved(updates, "2018-05-30T22:40:30Z", "20180530"),
            second=troubled(updates), alerts=alerts),
        Moment(
            second, trip_updates=moved(read(data, folder + "CT-missing-trip.json"), second, "20180530"), alerts=alerts,
            vehicles=moved(read(data, folder + "CT-bad-vp.json"), second, "20180530")),
        # A stopped source: the trip updates are half an hour old.
        Moment("2018-05-30T23:03:00Z", trip_updates=updates, alerts=alerts),
    ]
    return RecordedFeed(
        "caltrain", "America/Los_Angeles", os.path.join(data, "gtfs/caltrain/2018-transitland-lib.zip"), moments,
        earlier=os.path.join(data, "gtfs/caltrain/vintage-2017-11-29.zip"), has_supplement=True)


def raba(data):
    """Redding in 2025, on a Sunday, with Unitrans' messages at the second moment, in which nothing matches."""
    folder = "gtfsrt/maglev/"
    moments = [
        Moment(
            "2025-06-08T21:08:30Z", trip_updates=read(data, folder + "raba-trip-updates.pb"),
            vehicles=read(data, folder + "raba-vehicle-positions.pb")),
        Moment(
            "2025-06-08T21:14:00Z", trip_updates=read(data, folder + "unitrans-trip-updates.pb"),
            vehicles=read(data, folder + "unitrans-vehicle-positions.pb")),
        Moment(
            "2025-06-09T14:20:00Z", trip_updates=read(data, folder + "raba-trip-updates.pb"),
            vehicles=read(data, folder + "raba-vehicle-positions.pb")),
    ]
    return RecordedFeed("raba", "America/Los_Angeles", os.path.join(data, "gtfs/other/raba-2025.zip"), moments)


def caltrain_days(data, scratch):
    """Recorded days of Caltrain in 2026, at moments that follow each other on one morning, and one in the evening."""
    program = os.path.join(data, "..", "tools", "caltrain-history")
    folder = os.path.join(scratch, "caltrain-history")
    day = "2026-03-10"
    subprocess.run(
        ["python3", program, "write", day, folder], check=True, stdout=subprocess.DEVNULL,
        env={**os.environ, "CALTRAIN_HISTORY": os.path.join(data, "caltrain-history")})
    recorded = sorted(int(name[:-3]) for name in os.listdir(os.path.join(folder, "trip_updates")))
    alerts = read(data, "511/nchua/servicealerts.json")
    moments = []
    # 06:40 to 08:22 and 17:31 in Los Angeles.
    for time in ("13:40", "13:50", "14:03", "14:14", "14:27", "15:22", "00:31"):
        instant = "%sT%s:00Z" % (day if time > "12:00" else "2026-03-11", time)
        epoch = max(at for at in recorded if at <= seconds(instant))
        messages = {
            kind: read(folder, "%s/%d.pb" % (kind, epoch)) for kind in ("trip_updates", "vehicles")
        }
        moments.append(Moment(instant, alerts=moved(alerts, instant, day.replace("-", "")), **messages))
    archive = os.path.join(data, "caltrain-history", "gtfs.zip")
    return RecordedFeed("caltrain-2026", "America/Los_Angeles", archive, moments)


def all_feeds(data, scratch):
    return [bart(data), caltrain(data), raba(data), caltrain_days(data, scratch)]
