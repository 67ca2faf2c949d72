"""A client of a message bus, with the types of D-Bus that the fake services of the tests use. Implements the protocol with
the standard library only.
"""

import os
import socket
import struct
import sys

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
    if kind == "as":
        items = b""
        for text in value:
            items = put(items, "s", text)
        return pad(data, 4) + struct.pack("<I", len(items)) + items
    if kind == "v":
        return put(put(data, "g", value[0]), value[0], value[1])
    text = value.encode()
    return pad(data, 4) + struct.pack("<I", len(text)) + text + b"\0"


def take(data, place, kind):
    if kind == "g":
        size = data[place]
        return data[place + 1:place + 1 + size].decode(), place + size + 2
    if kind == "y":
        return data[place], place + 1
    if kind == "v":
        inner, place = take(data, place, "g")
        return take(data, place, inner)
    if kind == "x":
        place += -place % 8
        return struct.unpack_from("<q", data, place)[0], place + 8
    place += -place % 4
    number = struct.unpack_from("<i" if kind == "i" else "<I", data, place)[0]
    if kind in "iub":
        return number, place + 4
    if kind == "as":
        texts, place = [], place + 4
        end = place + number
        while place < end:
            text, place = take(data, place, "s")
            texts.append(text)
        return texts, end
    if kind == "a{sv}":
        entries, place = {}, place + 4
        place += -place % 8
        end = place + number
        while place < end:
            place += -place % 8
            name, place = take(data, place, "s")
            entries[name], place = take(data, place, "v")
        return entries, end
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
