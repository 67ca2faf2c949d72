"""Intervals, limits, and pauses between attempts."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Times:
    """Intervals and limits, in seconds."""

    refresh: float = 30  # between two identical messages, so that Home Assistant knows that a value is current
    expire_after: float = 90  # after this time without a message, Home Assistant makes an entity unavailable
    poll: float = 15  # between two requests for the list of commutes, which also show that the daemon works
    silence: float = 40  # a daemon that has not answered for this time hangs
    keepalive: float = 30  # of the connection to the broker; it sends the last will after one and a half times of it
    reply: float = 20  # limit for an answer of the broker
    daemon_retry: tuple[float, float] = (0.25, 30)  # the first and the longest pause between two attempts
    broker_retry: tuple[float, float] = (1, 60)
    refused_retry: tuple[float, float] = (30, 600)  # the same, when the broker refuses the password

    @staticmethod
    def scaled(factor: float) -> Times:
        """Returns shorter times for tests."""
        times = Times()
        values: dict[str, Any] = {
            name: tuple(part * factor for part in value) if isinstance(value, tuple) else value * factor
            for name, value in vars(times).items()}
        # A broker on a busy machine needs this time.
        return Times(**values | {"reply": max(5, times.reply * factor)})


class Backoff:
    """Pauses between attempts: twice as long each time, and at random between half and all of it."""

    def __init__(self, limits: tuple[float, float]) -> None:
        self.limits, self.failures, self.due = limits, 0, 0.0

    def fail(self, now: float, limits: tuple[float, float] | None = None) -> None:
        first, longest = limits or self.limits
        self.due = now + min(longest, first * 2 ** min(self.failures, 20)) * random.uniform(0.5, 1)
        self.failures += 1

    def succeed(self) -> None:
        self.failures = 0
