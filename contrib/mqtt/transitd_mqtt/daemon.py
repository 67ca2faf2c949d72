"""The connection to the daemon."""

from __future__ import annotations

import collections
import errno
import grp
import json
import os
import pwd
import socket
from dataclasses import dataclass

from .messages import NO_PERMISSION, UNAVAILABLE, log
from .times import Backoff, Times
from .topics import VERSION
from .values import Json, encode, plain


@dataclass
class Result:
    """The last result of a topic: its data, or the reason why there is none."""

    data: Json | None
    error: str | None = None
    received: float = 0
    is_old: bool = False  # whether it comes from a former connection


class Daemon:
    """One subscription for each topic, and the list of commutes (transitd-protocol(7))."""

    MAXIMUM_LINE = 2 << 20
    IN_FLIGHT = 4
    # A connection can have 16 subscriptions.
    MAXIMUM_COMMUTES = 12

    def __init__(self, path: str | None, publish: tuple[str, ...], times: Times) -> None:
        self.option, self.times = path, times
        self.topics: dict[str, Json] = {"status": {}}
        if "favorites" in publish:
            self.topics["favorite"] = {"count": 5}
        self.topics |= {topic: {} for topic in ("alerts", "notifications") if topic in publish}
        self.has_commutes = "commutes" in publish
        self.commutes: list[Json] | None = None if self.has_commutes else []
        self.results: dict[str, Result] = {}
        self.version = "?"
        self.socket: socket.socket | None = None
        self.is_up = False
        self.backoff = Backoff(times.daemon_retry)
        self.problem: str | None = None
        self.failure = UNAVAILABLE

    def path(self) -> str:
        if explicit := self.option or os.environ.get("TRANSITD_SOCKET"):
            return explicit
        runtime = os.environ.get("XDG_RUNTIME_DIR")
        own = os.path.join(runtime, "transitd/transitd.sock") if runtime else None
        return own if own and os.path.exists(own) else "/run/transitd/transitd.sock"

    def connect(self, now: float) -> None:
        path = self.path()
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.setblocking(False)
        try:
            connection.connect(path)
        except (OSError, ValueError) as error:
            connection.close()
            self.fail(now, self._advice(path, error))
            return
        for result in self.results.values():
            result.is_old = True
        self.socket, self.received = connection, bytearray()
        self.since, self.heard, self.poll_due, self.identifier = now, now, now, 0
        self.requests: collections.deque[tuple[str, Json, str | None]] = collections.deque()
        self.waiting: dict[int, tuple[str, str | None]] = {}
        self.subscriptions: dict[int, str] = {}
        self.poll_sent: float | None = None
        self.requests.append(("hello", {"client": f"transitd-mqtt/{VERSION}"}, None))
        for topic, options in self.topics.items():
            self.requests.append(("subscribe", {"topics": [{"topic": topic} | options]}, topic))

    def _advice(self, path: str, error: OSError | ValueError) -> str:
        code = getattr(error, "errno", None)
        if code not in (errno.EACCES, errno.EPERM):
            self.failure = UNAVAILABLE
            if code == errno.EAGAIN:
                return f"the daemon at {path} does not accept connections"
            reason = getattr(error, "strerror", None) or str(error)
            return f"there is no daemon at {path} ({reason}); start it with: systemctl --user start transitd.socket"
        self.failure = NO_PERMISSION
        try:
            number = os.stat(path).st_gid
            # In the sandbox of the unit, all groups but that of the user appear as this one.
            group = "transitd" if number == 65534 else grp.getgrgid(number).gr_name
            user = pwd.getpwuid(os.getuid()).pw_name
        except (OSError, KeyError):
            return f"no permission to use the daemon's socket {path}; only its owner can use it"
        return (f"no permission to use the daemon's socket {path}; its group has permission: run "
                f"`sudo usermod -aG {group} {user}`, and log in again")

    def fail(self, now: float, problem: str) -> None:
        if self.socket:
            self.socket.close()
            if now - self.since > self.backoff.limits[1]:
                self.backoff.succeed()
        self.socket, self.is_up = None, False
        self.backoff.fail(now)
        if problem != self.problem:
            log(problem)
        self.problem = problem

    def deadline(self) -> float:
        if not self.socket:
            return self.backoff.due
        # A second request is not due before the first one is answered.
        next_poll = self.poll_due if self.poll_sent is None else self.poll_sent + self.times.silence
        return min(next_poll, self.heard + self.times.silence)

    def advance(self, now: float, is_readable: bool) -> bool:
        """Reads and writes what is possible, and returns whether something has changed."""
        was_up = self.is_up
        if not self.socket and now >= self.backoff.due:
            self.connect(now)
        changed = self.socket is not None and is_readable and self._read(now)
        if self.socket:
            if now >= min(self.heard, self.poll_sent if self.poll_sent is not None else now) + self.times.silence:
                self.fail(now, f"the daemon has not answered for {self.times.silence:.0f} s; connecting again")
            elif now >= self.poll_due and self.poll_sent is None:
                self.poll_due, self.poll_sent = now + self.times.poll, now
                self.requests.append(("commute.list", {}, None))
        self._write(now)
        return changed or was_up != self.is_up

    def _write(self, now: float) -> None:
        while self.socket and self.requests and len(self.waiting) < self.IN_FLIGHT:
            method, parameters, topic = self.requests.popleft()
            self.identifier += 1
            self.waiting[self.identifier] = (method, topic)
            line = encode({"jsonrpc": "2.0", "id": self.identifier, "method": method, "params": parameters}) + "\n"
            try:
                if self.socket.send(line.encode()) != len(line.encode()):
                    raise BlockingIOError
            except OSError:
                self.fail(now, "the daemon does not accept data; connecting again")

    def _read(self, now: float) -> bool:
        assert self.socket
        try:
            data = self.socket.recv(1 << 20)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self.fail(now, "the daemon ended the connection; connecting again")
            return True
        self.heard = now
        self.received += data
        *lines, self.received = self.received.split(b"\n")
        if len(self.received) > self.MAXIMUM_LINE:
            self.fail(now, "the daemon sent a line that is too long; connecting again")
            return True
        try:
            changes = [self._receive(json.loads(line), now) for line in lines if self.socket]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self.fail(now, f"the daemon sent a message that cannot be read ({error!r}); do both have the same version?")
            return True
        return any(changes)

    def _receive(self, message: Json, now: float) -> bool:
        if message.get("method") == "event":
            event = message["params"]
            topic = self.subscriptions.get(event["subscription"])
            if topic is None:
                return False
            self._store(topic, event.get("data"), event.get("error"), now)
            if event.get("error"):
                self.poll_due = min(self.poll_due, now + 1)  # the commute may have been removed
            return True
        if message.get("id") not in self.waiting:
            return False
        method, topic = self.waiting.pop(message["id"])
        error, result = message.get("error"), message.get("result")
        if method == "hello" and result:
            self.version = plain(result.get("daemon")) or "?"
        elif method == "subscribe" and topic:
            if result:
                subscription = result["subscriptions"][0]
                self.subscriptions[subscription["subscription"]] = topic
                self._store(topic, subscription["data"], None, now)
            else:
                self._store(topic, None, error, now)
        elif method == "commute.list":
            self.poll_sent = None
            if result:
                self._update_commutes(result["commutes"])
                if not self.is_up:
                    self.is_up = True
                    if self.problem:
                        log("connected to the daemon")
                    self.problem = None
            else:
                self.fail(now, f"the daemon refuses to list commutes: {plain((error or {}).get('message'))}")
        return True

    def _store(self, topic: str, data: Json | None, error: Json | None, now: float) -> None:
        message = None if data is not None else plain((error or {}).get("message")) or "no data"
        former = self.results.get(topic)
        if message and not (former and former.error == message):
            log(f"{topic.replace(':', ' ', 1)}: {message}")
        self.results[topic] = Result(data, message, now)

    def _update_commutes(self, commutes: list[Json]) -> None:
        """Adds and ends subscriptions, and tries those again that failed."""
        if self.has_commutes:
            if len(commutes) > self.MAXIMUM_COMMUTES and len(self.commutes or []) < self.MAXIMUM_COMMUTES:
                log(f"only the first {self.MAXIMUM_COMMUTES} of {len(commutes)} commutes are published")
            self.commutes = commutes[:self.MAXIMUM_COMMUTES]
        wanted = self.topics | {
            f"next:{c['name']}": {"topic": "next", "commute": c["name"], "count": 6} for c in self.commutes or []}
        for number, topic in list(self.subscriptions.items()):
            if topic not in wanted:
                del self.subscriptions[number]
                self.requests.append(("unsubscribe", {"subscription": number}, None))
        self.results = {topic: result for topic, result in self.results.items() if topic in wanted}
        asked = set(self.subscriptions.values()) | {topic for _, topic in self.waiting.values()} | {
            topic for _, _, topic in self.requests}
        for topic, options in wanted.items():
            if topic not in asked:
                self.requests.append(("subscribe", {"topics": [{"topic": topic} | options]}, topic))

    def is_complete(self) -> bool:
        """Whether each topic has a result."""
        return self.is_up and all(topic in self.results for topic in [
            *self.topics, *(f"next:{commute['name']}" for commute in self.commutes or [])])
