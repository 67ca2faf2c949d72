"""Writes GTFS-Realtime messages in protobuf, for the days of the measurement of learned delays."""

import struct


def varint(number):
    number &= (1 << 64) - 1
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def number(field, value):
    return varint(field << 3) + varint(value)


def data(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def write(file, message):
    """Appends a message after its length as a 4-byte little-endian integer."""
    file.write(struct.pack("<I", len(message)) + message)
