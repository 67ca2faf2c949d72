"""The connection to the broker."""

from __future__ import annotations

import collections
import hashlib
import secrets
import ssl
from typing import Any

from .configuration import Configuration
from .messages import NO_PERMISSION, UNAVAILABLE, log
from .times import Backoff, Times, monotonic
from .topics import Topics
from .values import Json


class Stopped(Exception):
    """A signal that ends the program has arrived during a call that blocks."""


class Broker:
    """The connection to the broker. Each attempt has its own client, so that nothing of a former one is sent again."""

    IN_FLIGHT = 16

    def __init__(self, configuration: Configuration, topics: Topics, times: Times) -> None:
        import paho.mqtt.client
        self.mqtt = paho.mqtt.client
        self.configuration, self.topics, self.times = configuration, topics, times
        self.client: Any = None
        self.state = "away"  # then "connecting", "syncing" and "ready"
        self.backoff = Backoff(times.broker_retry)
        self.problem: str | None = None
        self.failure = UNAVAILABLE
        self.is_connecting = False
        self.was_synced = True
        self.unacknowledged: dict[int, tuple[str, str, float]] = {}
        self.acknowledged: list[tuple[str, str]] = []
        self.messages: collections.deque[tuple[str, str]] = collections.deque(maxlen=2000)  # those that were retained
        self.is_born = False  # the birth message of Home Assistant has arrived

    def _make_client(self) -> Any:
        # One user can have several base topics, but only one client for each.
        identifier = "transitd-mqtt-" + hashlib.sha256(self.topics.base.encode()).hexdigest()[:8]
        options: Json = {"client_id": identifier, "clean_session": True}
        if hasattr(self.mqtt, "CallbackAPIVersion"):  # paho-mqtt 2
            options["callback_api_version"] = self.mqtt.CallbackAPIVersion.VERSION2
        client = self.mqtt.Client(**options)
        settings = self.configuration
        if settings.username is not None:
            client.username_pw_set(settings.username, settings.password)
        if settings.tls:
            client.tls_set(ca_certs=settings.ca_file)
        client.max_inflight_messages_set(2 * self.IN_FLIGHT)
        client.max_queued_messages_set(2 * self.IN_FLIGHT)
        client.will_set(self.topics.availability, "offline", qos=1, retain=True)
        client.on_connect, client.on_message = self._on_connect, self._on_message
        client.on_disconnect, client.on_publish = self._on_disconnect, self._on_publish
        return client

    # paho-mqtt 2 has further arguments.
    def _on_connect(self, client: Any, data: Any, flags: Any, code: Any, *rest: Any) -> None:
        self.code = getattr(code, "value", code)

    def _on_disconnect(self, client: Any, *rest: Any) -> None:
        self.is_lost = True

    def _on_message(self, client: Any, data: Any, message: Any) -> None:
        payload = message.payload[:100_000].decode("utf-8", "replace")
        if message.topic == f"{self.topics.prefix}/status":
            self.is_born |= payload == "online"
        elif message.topic == self.topics.sync:
            if payload == self.nonce and self.state == "syncing":
                self.state = "ready"
        elif message.retain:
            self.messages.append((message.topic, payload))

    def _on_publish(self, client: Any, data: Any, identifier: int, *rest: Any) -> None:
        if entry := self.unacknowledged.pop(identifier, None):
            self.acknowledged.append(entry[:2])
            if self.problem:
                log("connected to the broker")
            self.problem = None

    def connect(self, now: float) -> None:
        self.client, self.code, self.is_lost, self.state = self._make_client(), None, False, "connecting"
        self.unacknowledged, self.acknowledged, self.nonce = {}, [], secrets.token_hex(8)
        self.messages.clear()
        self.is_connecting = True
        try:
            self.client.connect(self.configuration.host, self.configuration.port, max(2, round(self.times.keepalive)))
        except ssl.SSLError as error:
            self.fail(now, f"{getattr(error, 'verify_message', '') or error.reason or error}; "
                      "check tls and ca_file in mqtt.toml")
        except (OSError, ValueError) as error:
            self.fail(now, getattr(error, "strerror", None) or str(error))
        finally:
            self.is_connecting = False
        # The call above takes up to 5 seconds for the connection, and longer with TLS.
        self.since = monotonic()

    def fail(self, now: float, problem: str, *, is_refused: bool = False) -> None:
        settings = self.configuration
        problem = f"the broker {settings.host}:{settings.port} cannot be used: {problem}"
        self.failure = NO_PERMISSION if is_refused else UNAVAILABLE
        if self.state == "ready" and now - self.since > self.backoff.limits[1]:
            self.backoff.succeed()
        self.backoff.fail(now, self.times.refused_retry if is_refused else None)
        if problem != self.problem:
            log(problem)
        self.problem, self.state, client, self.client = problem, "away", self.client, None
        if client is not None:
            client.on_disconnect = None
            # After a disconnect message, the broker would not send the last will.
            if connection := client.socket():
                connection.close()

    def sockets(self) -> tuple[list[Any], list[Any]]:
        """Returns the sockets to wait for, until one can be read or written."""
        connection = self.client.socket() if self.client else None
        if connection is None:
            return [], []
        return [connection], [connection] if self.client.want_write() else []

    def deadline(self, now: float) -> float:
        return self.backoff.due if self.client is None else now + self.times.keepalive / 10

    def advance(self, now: float, is_readable: bool, is_writable: bool) -> None:
        if self.client is None:
            if now >= self.backoff.due:
                self.connect(now)
            return
        if is_readable:
            self.client.loop_read()
            # TLS may have received more than was read, which the socket does not show.
            for _ in range(1000):
                connection = self.client.socket()
                if not (connection and hasattr(connection, "pending") and connection.pending()):
                    break
                self.client.loop_read()
        if is_writable:
            self.client.loop_write()
        self.client.loop_misc()
        if self.code is not None and self.code != 0:
            if self.code in (4, 5, 134, 135):
                self.fail(now, "it refuses the username or password; check username and password_file in mqtt.toml",
                          is_refused=True)
            else:
                self.fail(now, f"it refuses the connection (code {self.code})")
        elif self.is_lost or self.client.socket() is None:
            self.fail(now, "the connection ended")
        elif self.state == "connecting":
            if self.code == 0:
                self._synchronize(now)
            elif now > self.since + self.times.reply:
                self.fail(now, "it does not respond")
        elif self.state == "syncing" and now > self.since + self.times.reply:
            log(f"the broker does not return messages below {self.topics.base}; permit the user to read them. Until "
                "then, a commute or favorite that is removed while this program is not running keeps its entity")
            self.was_synced, self.state = False, "ready"
        elif any(now > sent + self.times.reply for _, _, sent in self.unacknowledged.values()):
            self.fail(now, "it does not acknowledge messages")

    def _synchronize(self, now: float) -> None:
        """Asks for the retained messages of this program and the birth message. The message to itself comes last."""
        self.state, self.since = "syncing", now
        base = self.topics.base
        self.client.subscribe([(topic, 1) for topic in (
            f"{base}/+/+/availability", f"{base}/service/notifications/state", self.topics.sync,
            f"{self.topics.prefix}/status")])
        self.client.publish(self.topics.sync, self.nonce, qos=1)

    def publish(self, topic: str, payload: str, now: float, *, is_retained: bool = True) -> bool:
        """Sends a message, unless the broker has not acknowledged former ones."""
        if self.state != "ready" or len(self.unacknowledged) >= self.IN_FLIGHT or self.client.want_write():
            return False
        info = self.client.publish(topic, payload, qos=1, retain=is_retained)
        if info.rc != self.mqtt.MQTT_ERR_SUCCESS:
            return False
        self.unacknowledged[info.mid] = (topic, payload, now)
        return True
