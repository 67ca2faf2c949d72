"""The topics of a configuration, and the messages that announce entities to Home Assistant."""

from __future__ import annotations

import re
from typing import Any

from .configuration import Configuration
from .times import Times
from .values import Json, encode, plain, topic_part

VERSION = "0.1.0"

# What Home Assistant shows as one device: a kind, and a name that is unique in it.
Key = tuple[str, str]


class Topics:
    """The topics of a configuration, and the messages that announce entities to Home Assistant."""

    def __init__(self, configuration: Configuration, times: Times) -> None:
        self.base, self.prefix = configuration.base_topic, configuration.discovery_prefix
        self.publish, self.expire_after = configuration.publish, max(1, round(times.expire_after))
        self.identifier = "transitd_" + topic_part(self.base)
        self.availability, self.sync = f"{self.base}/availability", f"{self.base}/sync"
        self.event = f"{self.base}/service/notifications/event"

    def of(self, key: Key, name: str) -> str:
        return f"{self.base}/{key[0]}/{key[1]}/{name}"

    def key(self, topic: str) -> Key | None:
        """Returns what a topic of the form BASE/KIND/PART/availability belongs to."""
        pattern = re.escape(self.base) + r"/(commute|favorite|service)/([A-Za-z0-9_-]{1,120})/availability"
        found = re.fullmatch(pattern, topic)
        return (found[1], found[2]) if found else None

    def device(self, key: Key) -> str:
        return self.identifier + ("_service" if key[0] == "service" else f"_{key[0]}_{key[1]}")

    def discovery(self, key: Key) -> str:
        return f"{self.prefix}/device/{self.device(key)}/config"

    def _entity(self, key: Key, member: str, name: str, platform: str = "sensor", **options: Any) -> Json:
        """Returns a component. Templates are constants: no text of a feed becomes part of one."""
        device = self.device(key) + (f"_{key[1]}" if key[0] == "service" else "")
        entity: Json = {
            "platform": platform, "name": name, "unique_id": f"{device}_{member}",
            "state_topic": self.of(key, "state"), "value_template": "{{ value_json.%s }}" % member,
            "availability": [{"topic": self.availability}, {"topic": self.of(key, "availability")}],
            "availability_mode": "all", "expire_after": self.expire_after, "qos": 1}
        if options.pop("attributes", False):
            entity |= {"json_attributes_topic": self.of(key, "state"),
                       "json_attributes_template": "{{ value_json.attributes | tojson }}"}
        return entity | options

    def _message(self, key: Key, device: Json, components: Json) -> str:
        return encode({
            "device": {"identifiers": [self.device(key)], "manufacturer": "transitd", "sw_version": VERSION} | device,
            "origin": {"name": "transitd-mqtt", "sw_version": VERSION}, "components": components})

    def board(self, key: Key, name: str) -> str:
        """Returns the announcement of a commute or favorite."""
        def duration(member: str, label: str, unit: str, icon: str) -> Json:
            return self._entity(key, member, label, device_class="duration", unit_of_measurement=unit, icon=icon)

        is_commute = key[0] == "commute"
        components = {
            "departure": self._entity(key, "departure", "Departure", device_class="timestamp", icon="mdi:bus-clock",
                                      attributes=not is_commute),
            "departs_in": duration("departs_in", "Departs in", "min", "mdi:timer-outline"),
            "route": self._entity(key, "route", "Route", icon="mdi:bus"),
            "status": self._entity(key, "status", "Status", icon="mdi:information-outline"),
            "delay": duration("delay", "Delay", "s", "mdi:clock-alert-outline")}
        if is_commute:
            components = {
                "leave_by": self._entity(key, "leave_by", "Leave by", device_class="timestamp", icon="mdi:walk",
                                         attributes=True),
                "leave_in": duration("leave_in", "Leave in", "min", "mdi:timer-outline")} | components
        title = f"{key[0].capitalize()} {plain(name, 80) or '?'}"
        return self._message(key, {"name": title, "model": key[0].capitalize(),
                                   "via_device": self.identifier + "_service"}, components)

    def service(self) -> str:
        """Returns the announcement of the daemon, the alerts and the notifications."""
        daemon, problem, alerts, notifications = (
            ("service", part) for part in ("daemon", "problem", "alerts", "notifications"))
        components = {
            "daemon": self._entity(daemon, "is_on", "Daemon", "binary_sensor", device_class="connectivity",
                                   entity_category="diagnostic"),
            "problem": self._entity(problem, "is_on", "Problem", "binary_sensor", device_class="problem",
                                    entity_category="diagnostic", attributes=True)}
        # An entity without options is removed.
        components["alerts"] = self._entity(
            alerts, "count", "Alerts", unit_of_measurement="alerts", state_class="measurement", icon="mdi:alert",
            attributes=True) if "alerts" in self.publish else {"platform": "sensor"}
        if "notifications" in self.publish:
            components["notifications"] = self._entity(
                notifications, "count", "Notifications", unit_of_measurement="notifications", state_class="measurement",
                icon="mdi:bell", attributes=True)
            event = self._entity(notifications, "event", "Notification", "event", icon="mdi:bell-ring",
                                 event_types=["show", "update", "withdraw"], state_topic=self.event)
            del event["value_template"], event["expire_after"]
            components["notification"] = event
        else:
            components |= {"notifications": {"platform": "sensor"}, "notification": {"platform": "event"}}
        return self._message(daemon, {"name": "transitd", "model": "Public transport"}, components)
