"""The messages that the broker should retain."""

from __future__ import annotations

import collections
from typing import Any

from .daemon import Daemon
from .topics import Key, Topics
from .values import (Json, alerts_state, board_state, bounded, encode, event_payload, is_current, next_departure,
                     notifications_state, plain, seconds, topic_part)


class RetainedMessages:
    """Computes the messages from the daemon's results, and orders those that the broker does not have."""

    def __init__(self, daemon: Daemon, topics: Topics, *, clears: bool = False) -> None:
        self.daemon, self.topics = daemon, topics
        self.clears = clears  # whether everything is to be removed
        self.wanted: dict[str, str] = {}  # the payload of each topic; empty for one to remove
        self.sent: dict[str, str] = {}
        self.found: dict[Key, None] = {}  # what the broker has messages about
        self.published: collections.deque[str] = collections.deque(maxlen=64)  # the identifiers of events
        self.change_due = float("inf")  # when `wanted` changes by itself

    def evaluate(self, now: float, wall: float) -> None:
        """Computes `wanted`. `now` is a monotonic time, and `wall` the Unix time of the same moment."""
        evaluation = _Evaluation(self, now, wall)
        if not self.clears:
            evaluation.add_service()
            evaluation.add_boards()
        evaluation.remove_others()
        self.wanted, self.change_due = evaluation.wanted, evaluation.change_due
        self.sent = {topic: payload for topic, payload in self.sent.items() if topic in self.wanted}
        self.found |= dict.fromkeys(evaluation.keys)

    def new_events(self, wall: float) -> list[tuple[str, float]]:
        """Returns the notifications that were not published yet, each with the time at which it ends. Each is returned
        once, also after a restart, because the retained state of the notifications contains the identifiers."""
        events: list[tuple[str, float]] = []
        result = self.daemon.results.get("notifications")
        for event in (result.data or {}).get("events") or [] if result else []:
            if event["id"] in self.published or event.get("op") not in ("show", "update", "withdraw"):
                continue
            self.published.append(event["id"])
            ends = seconds(event.get("valid_until")) or 0
            if event["op"] == "withdraw":
                ends = max(ends, wall + 60)
            if ends > wall:
                events.append((encode(event_payload(event)), ends))
        return events

    def pending(self) -> list[tuple[str, str]]:
        """Returns the messages to send: an entity becomes unavailable first, and available last."""
        messages = [(topic, payload) for topic, payload in self.wanted.items() if self.sent.get(topic) != payload]
        return sorted(messages, key=lambda message: self._rank(*message))

    def _rank(self, topic: str, payload: str) -> int:
        if topic.endswith("/availability"):
            # What has no availability is not found again, so its removal comes after all else.
            return 5 if not payload else 4 if topic == self.topics.availability else 3 if payload == "online" else 0
        return 1 if topic.startswith(self.topics.prefix + "/device/") else 2


class _Evaluation:
    """One computation of the messages."""

    def __init__(self, messages: RetainedMessages, now: float, wall: float) -> None:
        self.messages, self.now, self.wall = messages, now, wall
        self.daemon, self.topics = messages.daemon, messages.topics
        self.wanted: dict[str, str] = {}
        self.keys: set[Key] = set()
        self.change_due = float("inf")

    def _data(self, topic: str) -> tuple[Json, float, bool]:
        """Returns the data of a result, the time since it was received, and whether it is from this connection."""
        result = self.daemon.results.get(topic)
        if not result or result.data is None:
            return {}, 0, False
        return result.data, self.now - result.received, self.daemon.is_up and not result.is_old

    def _add(self, key: Key, state: Json | None, is_available: bool, changes: float | None = None) -> None:
        """Adds a state, or the former one if there is none, and the availability.

        `changes` is the Unix time at which the state changes by itself."""
        self.keys.add(key)
        topic = self.topics.of(key, "state")
        payload = self.messages.wanted.get(topic) if state is None else encode(state)
        if payload:
            self.wanted[topic] = payload
        self.wanted[self.topics.of(key, "availability")] = "online" if is_available else "offline"
        if changes is not None:
            # A little later, so that the change has happened then.
            self.change_due = min(self.change_due, self.now + max(0, changes - self.wall) + 0.02)

    def add_service(self) -> None:
        """Adds the daemon, its problems, the alerts and the notifications."""
        topics, daemon = self.topics, self.daemon
        self.wanted[topics.availability] = "online"
        self.wanted[topics.discovery(("service", "daemon"))] = topics.service()
        self._add(("service", "daemon"), {"is_on": "ON" if daemon.is_up else "OFF"}, True)
        status, _, has_status = self._data("status")
        notices = [n for n in status.get("notices") or [] if n.get("kind") not in ("quiet", "fetching")]
        problems = bounded(({
            "kind": plain(notice.get("kind")), "feed": plain(notice.get("feed")),
            "message": plain(notice.get("message"), 500), "since": notice.get("since")} for notice in notices), 20)
        self._add(("service", "problem"), {
            "is_on": "ON" if notices else "OFF",
            "attributes": {"daemon_version": daemon.version, "notices": problems}}, has_status)
        if "alerts" in daemon.topics:
            data, elapsed, has_alerts = self._data("alerts")
            # A feed whose alerts are not known may have some.
            is_known = has_status and not any(
                dataset.get("dataset") == "alerts" and dataset.get("freshness") in ("expired", "empty")
                for feed in status.get("feeds") or [] for dataset in feed.get("datasets") or [])
            self._add(("service", "alerts"), alerts_state(data.get("alerts") or [], elapsed), has_alerts and is_known)
        if "notifications" in daemon.topics:
            data, _, has_notifications = self._data("notifications")
            state, changes = notifications_state(data.get("events") or [], self.messages.published, self.wall)
            self._add(("service", "notifications"), state, has_notifications, changes)

    def add_boards(self) -> None:
        """Adds the commutes and favorites."""
        for commute in self.daemon.commutes or []:
            data, elapsed, is_new = self._data(f"next:{commute['name']}")
            self._add_board("commute", commute, data.get("departures"), data.get("notices") or [], elapsed, is_new)
        data, elapsed, is_new = self._data("favorite")
        for board in data.get("boards") or []:
            favorite = board["favorite"]
            notices = [notice for notice in data.get("notices") or []
                       if notice.get("feed") in (None, favorite.get("feed"))]
            # A favorite is the board of a stop: who looks at it may be there, and not at the place where the walk begins.
            departures = [departure | {"leave_by": None, "walk": None} for departure in board.get("departures") or []]
            self._add_board("favorite", favorite, departures, notices, elapsed, is_new)

    def _add_board(
        self, kind: str, subject: Json, departures: list[Json] | None, notices: list[Json], elapsed: float, is_new: bool
    ) -> None:
        key = (kind, topic_part(subject["name"]))
        self.wanted[self.topics.discovery(key)] = self.topics.board(key, subject["name"])
        if departures is None or subject.get("problem") or not is_new:
            self._add(key, None, False)
            return
        state, changes = board_state(departures, notices, self.wall, elapsed)
        self._add(key, state, is_current(next_departure(departures, self.wall), notices), changes)

    def remove_others(self) -> None:
        """Removes the messages about what does not exist, as far as that is known."""
        topics, clears = self.topics, self.messages.clears
        is_known: dict[str, Any] = {
            "commute": self.daemon.commutes is not None, "service": True,
            "favorite": "favorite" not in self.daemon.topics or self._data("favorite")[0]}
        service = topics.discovery(("service", "daemon"))
        if clears:
            self.wanted |= {service: "", topics.availability: ""}
        for key in self.messages.found:
            if key in self.keys:
                continue
            if clears or is_known[key[0]]:
                self.wanted |= {topics.of(key, "state"): "", topics.of(key, "availability"): ""}
                if topics.discovery(key) != service:
                    self.wanted[topics.discovery(key)] = ""
            else:
                self.wanted[topics.of(key, "availability")] = "offline"
