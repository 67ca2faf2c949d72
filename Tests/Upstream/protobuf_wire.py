"""The wire format of Protocol Buffers, as far as GTFS-Realtime messages need it."""


def number(tag, value):
    return varint(tag << 3) + varint(value)


def field(tag, content):
    """Returns a field with bytes or with a message."""
    return varint(tag << 3 | 2) + varint(len(content)) + content


def varint(value):
    encoded = bytearray()
    while value > 127:
        encoded.append(value & 127 | 128)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)
