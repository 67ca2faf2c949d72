#!/usr/bin/env python3
"""A GeoClue service on a private message bus, with the methods that a client calls.

Usage: fake_geoclue.py SOCKET MODE

MODE is "good" (an inaccurate location, then an accurate one), "rough" (only an inaccurate one), "refuse" (Start is denied,
as without an agent that authorizes it), "silent" (no location), or "odd" (a latitude of 200 degrees). Prints "ready" when it
owns its bus name, then each received call. Exits when its standard input is closed.
"""

import select
import sys

sys.dont_write_bytecode = True
from message_bus import Bus, take

NAME = "org.freedesktop.GeoClue2"
CLIENT = "/org/freedesktop/GeoClue2/Client/1"
LOCATIONS = {
    "/org/freedesktop/GeoClue2/Location/0": {"Latitude": 53.0, "Longitude": 9.0, "Accuracy": 40000.0},
    "/org/freedesktop/GeoClue2/Location/1": {"Latitude": 53.5405, "Longitude": 9.9805, "Accuracy": 24.5},
    "/org/freedesktop/GeoClue2/Location/2": {"Latitude": 200.0, "Longitude": 9.9805, "Accuracy": 24.5},
}


def answer(bus, mode, fields, body):
    """Handles one method call as GeoClue does."""
    def reply(*values):
        bus.send(2, values, reply=fields["serial"], destination=fields["sender"])

    member = fields["member"]
    if member == "GetClient":
        reply(("o", CLIENT))
    elif member == "Set":
        interface, place = take(body, 0, "s")
        name, place = take(body, place, "s")
        kind, place = take(body, place, "g")
        value, _ = take(body, place, kind)
        print(f"{interface}.{name} = {value}", flush=True)
        reply()
    elif member == "Start" and mode == "refuse":
        bus.send(3, [("s", "'transitctl' disallowed, no agent for UID")], reply=fields["serial"],
                 destination=fields["sender"], error="org.freedesktop.DBus.Error.AccessDenied")
    elif member == "Start":
        numbers = {"good": [0, 1], "rough": [0], "odd": [2]}.get(mode, [])
        before = "/"
        for number in numbers:
            path = f"/org/freedesktop/GeoClue2/Location/{number}"
            bus.send(4, [("o", before), ("o", path)], path=CLIENT, interface=NAME + ".Client",
                     member="LocationUpdated", destination=fields["sender"])
            before = path
            if number == 0:
                # Some versions send the first location before the reply.
                reply()
        if not numbers or numbers[0] != 0:
            reply()
    elif member == "Get":
        _, place = take(body, 0, "s")
        name, _ = take(body, place, "s")
        reply(("v", ("d", LOCATIONS[fields["path"]][name])))


def main():
    bus = Bus(sys.argv[1])
    bus.call("Hello")
    bus.call("RequestName", ("s", NAME), ("u", 4))
    while True:
        ready, _, _ = select.select([bus.socket, sys.stdin], [], [])
        if sys.stdin in ready and not sys.stdin.read(1):
            return
        if bus.socket not in ready:
            continue
        fields, body = bus.receive()
        if fields["type"] == 2 and fields.get("reply") == 2:
            print("ready", flush=True)
        elif fields["type"] == 1:
            print(fields["member"], flush=True)
            answer(bus, sys.argv[2], fields, body)


main()
