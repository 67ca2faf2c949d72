"""A city for `make soak`: a GTFS archive and realtime messages that change with time. Standard library only."""

import io
import struct
import zipfile

from protobuf_wire import field, number

ROUTES, TRIPS, STOPS = 20, 100, 20


def archive(year):
    """Returns a GTFS archive with buses all day, every day, valid from the previous year to the next year."""
    files = {
        "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\nsoak,Soak Lines,https://soak.example,UTC\n",
        "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        "all,1,1,1,1,1,1,1,%d0101,%d1231\n" % (year - 1, year + 1),
        "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n"
        + "".join("s%d,Stop %d,%.4f,%.4f\n" % (n, n, 53 + n / 500, 10 + n / 500) for n in range(STOPS)),
        "routes.txt": "route_id,agency_id,route_short_name,route_long_name,route_type\n"
        + "".join("r%d,soak,%d,Line %d,3\n" % (n, n, n) for n in range(ROUTES)),
        "trips.txt": "route_id,service_id,trip_id\n"
        + "".join("r%d,all,r%dt%d\n" % (route, route, trip) for route in range(ROUTES) for trip in range(TRIPS)),
        "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        + "".join(call(route, trip, number) for route in range(ROUTES) for trip in range(TRIPS) for number in range(STOPS)),
    }
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in files.items():
            # A fixed time, so that the archive is always the same.
            file.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return memory.getvalue()


def call(route, trip, number):
    """Trips leave every 14 minutes and take two minutes from stop to stop."""
    minutes = trip * 14 + route % 14 + number * 2
    time = "%02d:%02d:00" % divmod(minutes, 60)
    return "r%dt%d,%s,%s,s%d,%d\n" % (route, trip, time, time, (number + route) % STOPS, number + 1)


def message(now, kind):
    """Returns trip updates or vehicle positions of all trips, with delays that depend on the minute."""
    entities = []
    for route in range(ROUTES):
        for trip in range(TRIPS):
            name = b"r%dt%d" % (route, trip)
            descriptor = field(1, name)
            if kind == "vehicles":
                place = field(2, coordinates(trip, now))
                inner = field(4, field(1, descriptor) + place + number(5, now))
            else:
                delay = (route * 7 + trip * 13 + now // 60) % 9 * 60
                calls = b"".join(
                    field(2, number(1, at) + field(3, number(1, delay + at))) for at in range(1, STOPS + 1, 4))
                inner = field(3, field(1, descriptor) + calls)
            entities.append(field(2, field(1, name) + inner))
    return field(1, field(1, b"2.0") + number(2, 0) + number(3, now)) + b"".join(entities)


def coordinates(trip, now):
    step = (trip + now // 60) % STOPS
    return b"\x0d" + struct.pack("<f", 53 + step / 500) + b"\x15" + struct.pack("<f", 10 + step / 500)
