"""Writes GTFS-Realtime messages (gtfs-realtime.proto)."""


def varint(value):
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def number(field, value):
    return varint(field << 3) + varint(value)


def content(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def message(trips, timestamp, delay):
    """Returns a FeedMessage in which all trips are late by `delay` seconds from their first stop on."""
    header = content(1, "2.0") + number(2, 0) + number(3, timestamp)
    entities = b""
    for position, trip in enumerate(trips):
        call = number(1, 1) + content(3, number(1, delay))
        update = content(1, content(1, trip)) + content(2, call) + number(4, timestamp)
        entities += content(2, content(1, str(position)) + content(3, update))
    return content(1, header) + entities
