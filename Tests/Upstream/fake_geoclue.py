#!/usr/bin/env python3
"""A GeoClue service on a private message bus, with the methods that a client calls. Implements the D-Bus protocol with the
standard library only.

Usage: fake_geoclue.py SOCKET MODE

MODE is "good" (an inaccurate location, then an accurate one), "rough" (only an inaccurate one), "refuse" (Start is denied,
as without an agent that authorizes it), "silent" (no location), or "odd" (a latitude of 200 degrees). Prints "ready" when it
owns its bus name, then each received call. Exits when its standard input is closed.
"""

import os
import select
import socket
import struct
import sys

NAME = "org.freedesktop.GeoClue2"
CLIENT = "/org/freedesktop/GeoClue2/Client/1"
LOCATIONS = {
    "/org/freedesktop/GeoClue2/Location/0": {"Latitude": 53.0, "Longitude": 9.0, "Accuracy": 40000.0},
    "/org/freedesktop/GeoClue2/Location/1": {"Latitude": 53.5405, "Longitude": 9.9805, "Accuracy": 24.5},
    "/org/freedesktop/GeoClue2/Location/2": {"Latitude": 200.0, "Longitude": 9.9805, "Accuracy": 24.5},
}
FIELDS = {"path": (1, "o"), "interface": (2, "s"), "member": (3, "s"), "error": (4, "s"), "reply": (5, "u"),
          "destination": (6, "s"), "sender": (7, "s"), "signature": (8, "g")}


def pad(data, width):
    return data + b"\0" * (-len(data) % width)


def put(data, kind, value):
    if kind == "u":
        return pad(data, 4) + struct.pack("<I", value)
    if kind == "d":
        return pad(data, 8) + struct.pack("<d", value)
    if kind == "g":
        return data + bytes([len(value)]) + value.encode() + b"\0"
    if kind == "v":
        return put(put(data, "g", value[0]), value[0], value[1])
    text = value.encode()
    return pad(data, 4) + struct.pack("<I", len(text)) + text + b"\0"


def take(data, place, kind):
    if kind == "g":
        size = data[place]
        return data[place + 1:place + 1 + size].decode(), place + size + 2
    place += -place % 4
    number = struct.unpack_from("<I", data, place)[0]
    if kind in "ub":
        return number, place + 4
    return data[place + 4:place + 4 + number].decode(), place + 5 + number


class Bus:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        assert self.socket.recv(256).startswith(b"OK ")
        self.socket.sendall(b"BEGIN\r\n")
        self.serial = 0

    def send(self, message_type, body=(), **fields):
        content = b""
        for kind, value in body:
            content = put(content, kind, value)
        if body:
            fields["signature"] = "".join(kind for kind, _ in body)
        self.serial += 1
        array = b""
        for name, value in fields.items():
            code, kind = FIELDS[name]
            array = put(put(pad(array, 8) + bytes([code]), "g", kind), kind, value)
        head = b"l" + bytes([message_type, 0, 1]) + struct.pack("<III", len(content), self.serial, len(array))
        self.socket.sendall(pad(head + array, 8) + content)

    def call(self, member, *body):
        self.send(1, body, path="/org/freedesktop/DBus", interface="org.freedesktop.DBus", member=member,
                  destination="org.freedesktop.DBus")

    def exactly(self, count):
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            if not more:
                sys.exit(0)
            data += more
        return data

    def receive(self):
        head = self.exactly(16)
        size, serial, length = struct.unpack("<III", head[4:])
        rest = self.exactly(length + -length % 8 + size)
        fields, place = {"type": head[1], "serial": serial}, 0
        while place < length:
            place += -place % 8
            code, (kind, after) = rest[place], take(rest, place + 1, "g")
            value, place = take(rest, after, kind)
            fields[next((name for name, (number, _) in FIELDS.items() if number == code), "other")] = value
        return fields, rest[length + -length % 8:]


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
