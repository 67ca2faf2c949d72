"""The loop that keeps the messages at the broker current."""

from __future__ import annotations

import collections
import json
import random
import select
import signal
import socket
import sys
import time
from typing import Any

from .broker import Broker, Stopped
from .daemon import Daemon
from .messages import UNAVAILABLE, end, log
from .retained import RetainedMessages
from .times import Times
from .topics import Topics


class Bridge:
    """Waits for the daemon and the broker, and sends the messages that the broker does not have."""

    def __init__(self, daemon: Daemon, broker: Broker, topics: Topics, times: Times, *, clears: bool = False) -> None:
        self.daemon, self.broker, self.topics, self.times = daemon, broker, topics, times
        self.messages = RetainedMessages(daemon, topics, clears=clears)
        self.events: collections.deque[tuple[str, float]] = collections.deque(maxlen=64)  # with the time they end
        self.refresh_due, self.birth_due = 0.0, float("inf")
        self.was_ready, self.is_stopping = False, False

    def run(self) -> None:
        """Runs until a signal arrives or, when everything is to be removed, until nothing is left."""
        waker, wakened = socket.socketpair()
        wakened.setblocking(False)
        signal.set_wakeup_fd(wakened.fileno(), warn_on_full_buffer=False)

        def stop(number: int, frame: Any) -> None:
            self.is_stopping = True
            if self.broker.is_connecting:
                raise Stopped

        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, stop)
        try:
            while not self.is_stopping and not self._is_cleared():
                self._step(waker)
        except Stopped:
            return
        self._leave()

    def _is_cleared(self) -> bool:
        """Whether everything was to be removed and is. Ends the program if that is not possible."""
        broker = self.broker
        if not self.messages.clears:
            return False
        if broker.problem:
            sys.exit(broker.failure)
        if broker.state != "ready" or self.messages.pending() or broker.unacknowledged:
            return False
        if not broker.was_synced:
            end(UNAVAILABLE, "the entities of commutes and favorites may remain")
        return True

    def _step(self, waker: socket.socket) -> None:
        daemon, broker, messages, now = self.daemon, self.broker, self.messages, time.monotonic()
        readable, writable = broker.sockets()
        due = min(broker.deadline(now), self.refresh_due, messages.change_due, self.birth_due,
                  float("inf") if messages.clears else daemon.deadline())
        watched = [*readable, waker, *([daemon.socket] if daemon.socket else [])]
        ready, able, _ = select.select(watched, writable, [], max(0, min(60, due - now)))

        now, wall = time.monotonic(), time.time()
        has_changed = not messages.clears and daemon.advance(now, daemon.socket in ready)
        broker.advance(now, any(connection in ready for connection in readable), bool(able))
        has_changed |= self._receive()
        is_ready = broker.state == "ready"
        if is_ready and not self.was_ready:
            messages.sent.clear()
            has_changed = True
        self.was_ready = is_ready
        if broker.is_born:
            # Home Assistant needs some time to subscribe, and other devices send their messages then too.
            broker.is_born, self.birth_due = False, now + random.uniform(0.1, 1) * min(1, self.times.refresh)
        if now >= self.birth_due:
            self.birth_due = float("inf")
            messages.sent.clear()
        if now >= self.refresh_due:
            self.refresh_due = now + self.times.refresh
            for topic in [topic for topic in messages.sent if topic.endswith("/state")]:
                del messages.sent[topic]
            has_changed = True
        if has_changed or now >= messages.change_due:
            if is_ready:
                self.events += messages.new_events(wall)
            messages.evaluate(now, wall)
        if is_ready:
            self._send(now, wall)

    def _send(self, now: float, wall: float) -> None:
        """Sends as much as the broker accepts. The rest is sent later, if it is not replaced until then."""
        for topic, payload in self.messages.pending():
            if not self.broker.publish(topic, payload, now):
                return
            self.messages.sent[topic] = payload
        while self.events:
            payload, ends = self.events[0]
            if ends > wall and not self.broker.publish(self.topics.event, payload, now, is_retained=False):
                return
            self.events.popleft()

    def _receive(self) -> bool:
        """Reads what the broker has retained and acknowledged. Returns whether the messages may change by that."""
        broker, messages = self.broker, self.messages
        has_changed = bool(broker.messages)
        while broker.messages:
            topic, payload = broker.messages.popleft()
            key = self.topics.key(topic)
            if key and payload and len(messages.found) < 1000:
                messages.found[key] = None
            elif topic == self.topics.of(("service", "notifications"), "state") and not messages.published:
                try:
                    identifiers = json.loads(payload)["published"]
                    messages.published.extend(text for text in identifiers if isinstance(text, str))
                except (ValueError, KeyError, TypeError):
                    log(f"{topic} has a message of another program, which is replaced")
        for topic, payload in broker.acknowledged:
            key = self.topics.key(topic)
            if key and not payload:
                messages.found.pop(key, None)
                has_changed = True
        broker.acknowledged.clear()
        return has_changed

    def _leave(self) -> None:
        """Makes all entities unavailable before the connection ends, because the broker then sends no last will."""
        broker, deadline = self.broker, time.monotonic() + 2
        is_sent = broker.state != "ready" or self.messages.clears
        while broker.state == "ready" and (broker.unacknowledged or not is_sent) and time.monotonic() < deadline:
            is_sent = is_sent or broker.publish(self.topics.availability, "offline", time.monotonic())
            readable, writable = broker.sockets()
            ready, able, _ = select.select(readable, writable, [], 0.1)
            broker.advance(time.monotonic(), bool(ready), bool(able))
        if broker.client is not None and is_sent and not broker.unacknowledged:
            broker.client.disconnect()
            broker.client.loop_write()
