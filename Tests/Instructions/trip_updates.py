"""Writes GTFS-Realtime messages (gtfs-realtime.proto)."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Upstream"))

# pylint: disable=wrong-import-position
from protobuf_wire import field, number  # noqa: E402


def message(trips, timestamp, delay):
    """Returns a FeedMessage in which all trips are late by `delay` seconds from their first stop on."""
    header = field(1, b"2.0") + number(2, 0) + number(3, timestamp)
    entities = b""
    for position, trip in enumerate(trips):
        call = number(1, 1) + field(3, number(1, delay))
        update = field(1, field(1, trip.encode())) + field(2, call) + number(4, timestamp)
        entities += field(2, field(1, b"%d" % position) + field(3, update))
    return field(1, header) + entities
