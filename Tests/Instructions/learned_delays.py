"""Writes the file of a feed's learned delays (DelayHistory+Coding.swift, RealtimeCache.swift)."""

import datetime
import struct

MASK = (1 << 64) - 1
MULTIPLIER = 0x9E3779B97F4A7C15
BINS = 32
# Days after which an observation counts half.
HALF_LIFE = 42
# The number of distances of predictions, each with stated and with propagated delays.
SLOTS = 12
# A delay of a minute in the median, on 20 days: the counters of the bins from 8 s on, then the quantiles.
COUNTERS = [0] * 10 + [12, 20, 40, 32, 20, 12] + [0] * (BINS - 16)
DAYS, QUANTILES = 20, (16, 20, 52, 92)


def identifier_hash(text):
    """IdentifierHash.of."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) & MASK
    return ((value ^ (value >> 32)) * MULTIPLIER) & MASK


def line(route, direction):
    value = identifier_hash(route)
    if direction is not None:
        value += (direction + 1) * 0x9E3779B9
    return (value & MASK) >> 32


def departure_key(departure):
    """The key (DelayKey) of a departure in a reply, on a weekday."""
    scheduled = datetime.datetime.fromisoformat(departure["scheduled"])
    midnight = datetime.datetime.fromisoformat(departure["service_date"]).replace(tzinfo=scheduled.tzinfo)
    stop = (departure.get("scheduled_stop") or departure["stop"])["id"]
    route = departure["route"]["id"]
    return (
        line(route, departure.get("direction_id")), identifier_hash(stop) >> 32,
        int((scheduled - midnight).total_seconds()))


def predictions():
    """The part of the file about the predictions of the source, of which none was judged."""
    levels = struct.pack("<2d", 100, 900)
    errors = struct.pack("<H%dH" % BINS, 0, *[0] * BINS)
    slot = struct.pack("<4d", 0, 0, 0, 0) + 2 * errors + 2 * levels + b"\0\0"
    return struct.pack("<2i", 0, 0) + levels + b"\0" + SLOTS * slot


def history(departures, day):
    """What is known about departures on a day, which is a number of days since 1970."""
    keys = sorted({departure_key(departure) for departure in departures})
    body = b"transitd learned delays 1\n" + struct.pack("<2I", 1, len(keys))
    entry = struct.pack(
        "<H%dBHBB4h" % BINS, day // HALF_LIFE, *COUNTERS, day - 1, DAYS, 0, *QUANTILES)
    return body + b"".join(struct.pack("<3I", *key) + entry for key in keys) + predictions()


def checksum(part):
    value = (len(part) * MULTIPLIER) & MASK
    whole = len(part) // 8 * 8
    for (word,) in struct.iter_unpack("<Q", part[:whole]):
        value = mix(value, word)
    value = mix(value, int.from_bytes(part[whole:], "big"))
    return struct.pack("<I", (value ^ (value >> 32)) & 0xFFFFFFFF)


def mix(value, word):
    product = ((value ^ word) * MULTIPLIER) & MASK
    return product ^ (product >> 29)


def cached(body, at):
    """The bytes of a file of RealtimeCache, written at a number of seconds since 1970."""
    header = b"TLIVE1\n\0" + struct.pack("<qQ", at, len(body))
    return header + body + checksum(header) + checksum(body)
