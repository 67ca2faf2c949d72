"""The values that Home Assistant receives, computed from the daemon's results. These functions are pure."""

from __future__ import annotations

import datetime
import hashlib
import json
import re
import unicodedata
from typing import Any, Iterable

Json = dict[str, Any]


def topic_part(name: str) -> str:
    """Returns a part of a topic and of an identifier for a name. Different names have different parts."""
    part = "".join(c if re.fullmatch("[A-Za-z0-9-]", c) else "".join(f"_{b:02x}" for b in c.encode("utf-8", "replace"))
                   for c in name)
    # An escaped character has two digits after its underscore, so no short part has two underscores.
    return part if len(part) <= 100 else part[:80] + "__" + hashlib.sha256(part.encode()).hexdigest()[:16]


def plain(text: Any, limit: int = 250) -> str | None:
    """Returns a line of text without control characters, of at most `limit` characters; `None` if nothing is left.
    Home Assistant accepts states of up to 255 characters."""
    if not isinstance(text, str):
        return None
    line = " ".join("".join(" " if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c for c in text).split())
    return (line if len(line) <= limit else line[:limit - 1] + "…") or None


def bounded(items: Iterable[Json], maximum: int, size: int = 10_000) -> list[Json]:
    """Returns the first items, at most `size` bytes of JSON. Home Assistant stores at most 16 KiB of attributes."""
    kept: list[Json] = []
    for item in items:
        size -= len(json.dumps(item, ensure_ascii=False).encode("utf-8", "replace"))
        if len(kept) == maximum or size < 0:
            break
        kept.append(item)
    return kept


def seconds(time_text: Any) -> float | None:
    """Returns the Unix time of an RFC 3339 time."""
    try:
        return datetime.datetime.fromisoformat(time_text).timestamp()
    except (TypeError, ValueError):
        return None


def departure_time(departure: Json) -> str | None:
    return departure.get("expected") or departure.get("scheduled")


def route_name(departure: Json) -> str | None:
    route = departure.get("route") or {}
    return plain(route.get("short_name") or route.get("long_name") or route.get("id"))


def next_departure(departures: list[Json], now: float) -> Json | None:
    """Returns the first departure that runs and can still be caught."""
    for departure in departures:
        if departure.get("status") in ("canceled", "skipped", "departed") or departure.get("pickup") == "none":
            continue
        moment = seconds(departure.get("leave_by") or departure_time(departure))
        if moment is not None and moment >= now:
            return departure
    return None


def is_current(departure: Json | None, notices: list[Json]) -> bool:
    """Whether a departure, or the answer that there is none, comes from current data."""
    feed = (departure or {}).get("feed")
    kinds = {notice.get("kind") for notice in notices if feed is None or notice.get("feed") in (None, feed)}
    if departure is None:
        return not kinds & {"missing", "failed", "malformed", "stale", "expired", "importing", "damaged", "suspended"}
    if departure.get("realtime_state") in ("fresh", "aging"):
        return True
    return departure.get("realtime_state") != "expired" and not kinds & {"stale", "expired"}


def board_state(departures: list[Json], notices: list[Json], now: float, elapsed: float) -> tuple[Json, float | None]:
    """Returns the values of a commute or favorite, and the time at which they change by themselves, in Unix time.

    `elapsed` is the time since the daemon sent the departures, in seconds."""
    shown = next_departure(departures, now)
    if shown is None:
        members = ("leave_by", "departure", "leave_in", "departs_in", "route", "status", "delay")
        return dict.fromkeys(members) | {
            "attributes": {"notices": [plain(notice.get("message")) for notice in notices[:5]]}}, None
    departs, leaves = seconds(departure_time(shown)), seconds(shown.get("leave_by"))

    def minutes(moment: float | None) -> int | None:
        return None if moment is None else int((moment - now) // 60)

    stop, arrival = shown.get("stop") or {}, shown.get("arrival") or {}
    age = shown.get("age")
    state = {
        "leave_by": shown.get("leave_by"), "departure": departure_time(shown),
        "leave_in": minutes(leaves), "departs_in": minutes(departs),
        "route": route_name(shown), "status": plain(shown.get("status")), "delay": shown.get("delay"),
        "attributes": {
            "confidence": plain(shown.get("confidence")), "source": plain(shown.get("source")),
            "realtime_state": plain(shown.get("realtime_state")),
            "age_seconds": None if age is None else int(age + elapsed),
            "uncertainty_seconds": shown.get("uncertainty"), "walk_seconds": shown.get("walk"),
            "headsign": plain(shown.get("headsign")), "stop": plain(stop.get("name")),
            "platform": plain(stop.get("platform")), "scheduled": shown.get("scheduled"),
            "expected": shown.get("expected"), "arrival": arrival.get("expected") or arrival.get("scheduled"),
            "remark": plain(shown.get("remark")), "alert_count": len(shown.get("alerts") or []),
            "departures": bounded(({
                "leave_by": other.get("leave_by"), "departure": departure_time(other), "route": route_name(other),
                "headsign": plain(other.get("headsign"), 100), "status": plain(other.get("status")),
                "delay_seconds": other.get("delay")} for other in departures), 6),
            "notices": [plain(notice.get("message")) for notice in notices[:5]]}}
    # Minutes are rounded down, so they change when a whole number of minutes is left.
    return state, min(now + (moment - now) % 60 for moment in (leaves, departs) if moment is not None)


def alerts_state(alerts: list[Json], elapsed: float) -> Json:
    active = [alert for alert in alerts if alert.get("is_active")]
    items = bounded(({
        "header": plain(alert.get("header")), "description": plain(alert.get("description"), 500),
        "severity": plain(alert.get("severity")), "effect": plain(alert.get("effect")),
        "feed": plain(alert.get("feed")), "url": plain(alert.get("url"), 500),
        "age_seconds": None if alert.get("age") is None else int(alert["age"] + elapsed)} for alert in active), 20)
    return {"count": len(active), "attributes": {"alerts": items, "unlisted_alerts": len(active) - len(items)}}


def event_payload(event: Json) -> Json:
    return {"event_type": event.get("op"), "id": plain(event.get("id")), "key": plain(event.get("key")),
            "rule": plain(event.get("rule")), "title": plain(event.get("title")),
            "body": plain(event.get("body"), 1000), "urgency": plain(event.get("urgency")),
            "leave_by": event.get("leave_by"), "valid_until": event.get("valid_until"),
            "url": plain(event.get("url"), 500), "test": bool(event.get("test"))}


def notifications_state(events: list[Json], published: Iterable[str], now: float) -> tuple[Json, float | None]:
    """Returns the values of the notifications that are valid, and when the first of them ends, in Unix time."""
    newest = {event.get("key"): event for event in events}
    valid = [event for event in newest.values()
             if event.get("op") != "withdraw" and (seconds(event.get("valid_until")) or 0) > now]
    items = bounded((event_payload(event) for event in reversed(valid)), 10)
    for item in items:
        del item["event_type"]
    ends = min((seconds(event["valid_until"]) or now for event in valid), default=None)
    return {"count": len(valid), "attributes": {"notifications": items}, "published": list(published)}, ends


def encode(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"))
