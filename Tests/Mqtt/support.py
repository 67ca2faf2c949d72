"""What the tests of transitd-mqtt need: a broker, daemons, the program, and a client that sees all messages."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from typing import Any, Callable

import paho.mqtt.client as paho

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(ROOT, "contrib", "mqtt", "transitd-mqtt")
BINARIES = os.path.abspath(os.environ.get("TRANSITD_BINARIES", os.path.join(ROOT, ".build", "debug")))
LIMIT = 120  # seconds; only ends a test that has failed
# The intervals of the program are a tenth of the usual ones.
TIMES = "0.1"
sys.path.insert(0, os.path.dirname(PROGRAM))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Case(unittest.TestCase):
    """A test with a folder, whose processes end with it."""

    maxDiff = None

    def setUp(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="transitd-mqtt.")
        self.addCleanup(shutil.rmtree, self.folder)
        os.mkdir(os.path.join(self.folder, "config"))

    def path(self, *names: str) -> str:
        return os.path.join(self.folder, *names)

    def write(self, name: str, text: str, mode: int = 0o600) -> str:
        path = self.path(name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def eventually(self, what: str, condition: Callable[[], Any]) -> Any:
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            if result := condition():
                return result
            time.sleep(0.02)
        self.fail(f"not seen after {LIMIT} s: {what}\n{self.logs()}")

    def logs(self) -> str:
        texts = []
        for name in sorted(os.listdir(self.folder)):
            if name.endswith(".log"):
                with open(self.path(name), encoding="utf-8", errors="replace") as file:
                    texts.append(f"--- {name}\n{file.read()[-3000:]}")
        return "\n".join(texts)

    def log_lines(self, name: str = "bridge.log") -> list[str]:
        with open(self.path(name), encoding="utf-8") as file:
            return file.read().splitlines()

    def start(self, log: str, *command: str, **environment: str) -> subprocess.Popen[bytes]:
        with open(self.path(log), "ab") as file:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                env={"PATH": os.environ["PATH"], "HOME": self.folder, "LANG": "C.UTF-8"} | environment)
        self.addCleanup(self.stop, process)
        return process

    def stop(self, process: subprocess.Popen[bytes], number: int = signal.SIGKILL) -> int:
        if process.poll() is None:
            process.send_signal(number)
            process.send_signal(signal.SIGCONT)
        return process.wait(LIMIT)

    # The program

    def configure(self, port: int, *lines: str) -> str:
        text = "\n".join(['host = "127.0.0.1"', f"port = {port}", 'base_topic = "transitd/test"', *lines]) + "\n"
        return self.write("mqtt.toml", text)

    def bridge(self, *arguments: str, times: str = TIMES) -> subprocess.Popen[bytes]:
        return self.start("bridge.log", sys.executable, "-IB", PROGRAM, "--config", self.path("mqtt.toml"),
                          "--socket", self.path("socket"), *arguments, TRANSITD_MQTT_TEST_TIMES=times)

    def run_program(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-IB", PROGRAM, *arguments], capture_output=True, text=True, timeout=LIMIT, check=False,
            stdin=subprocess.DEVNULL, env={"PATH": os.environ["PATH"], "HOME": self.folder, "LANG": "C.UTF-8",
                                           "XDG_CONFIG_HOME": self.path("config")} | environment)

    # The broker

    def broker(
        self, port: int | None = None, password: str | None = None, has_tls: bool = False
    ) -> tuple[subprocess.Popen[bytes], int]:
        """Starts mosquitto. With a password, it accepts only the users "transit", "home", and "writer", which must not
        read. With TLS, its certificate is signed by ca.pem in the folder of the test."""
        mosquitto = shutil.which("mosquitto", path=f"{os.environ['PATH']}:/usr/sbin") or "mosquitto"
        for _ in range(20):
            chosen = port or free_port()
            lines = [f"listener {chosen} 127.0.0.1", "persistence false", "log_dest stderr"]
            if os.getuid() == 0:
                lines.append("user root")
            if password is not None:
                users = self.write("users", "")
                for name in ("transit", "home", "writer"):
                    subprocess.run(["mosquitto_passwd", "-b", users, name, password], check=True, timeout=LIMIT)
                permissions = self.write("permissions", "user transit\ntopic readwrite #\nuser home\n"
                                         "topic readwrite #\nuser writer\ntopic write #\n")
                lines += [f"password_file {users}", f"acl_file {permissions}", "allow_anonymous false"]
            else:
                lines.append("allow_anonymous true")
            if has_tls:
                script = os.path.join(ROOT, "Tests", "Upstream", "make-certificates")
                subprocess.run([script, self.folder], check=True, timeout=LIMIT)
                lines += [f"certfile {self.path('good.pem')}", f"keyfile {self.path('good.key')}"]
            process = self.start("broker.log", mosquitto, "-c", self.write("mosquitto.conf", "\n".join(lines) + "\n"))
            deadline = time.monotonic() + LIMIT
            while process.poll() is None and time.monotonic() < deadline:
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", chosen), timeout=5):
                    return process, chosen
                time.sleep(0.02)
        self.fail(f"mosquitto does not start\n{self.logs()}")

    def observer(self, port: int, username: str | None = None, password: str | None = None) -> Observer:
        observer = Observer(self, port, username, password)
        self.addCleanup(observer.end)
        return observer

    # The daemon

    def daemon(self) -> subprocess.Popen[bytes]:
        """Starts the built daemon with the demo city, and waits for its first realtime data."""
        state = {f"{kind}_DIRECTORY": self.path(kind.lower()) for kind in ("STATE", "CACHE", "RUNTIME")}
        for path in state.values():
            os.makedirs(path, exist_ok=True)
        process = self.start("daemon.log", os.path.join(BINARIES, "transitd"), "--demo", "--demo-folder",
                             self.path("demo"), "--socket", self.path("socket"), **state)

        def is_ready() -> bool:
            if process.poll() is not None:
                self.fail(f"the daemon has exited\n{self.logs()}")
            try:
                feed = self.request("status")["feeds"][0]
                self.request("next", commute="home-to-work")
            except (OSError, ValueError, RuntimeError):
                return False
            return all(dataset["last_success"] for dataset in feed["datasets"])
        self.eventually("a daemon with data", is_ready)
        return process

    def request(self, method: str, **parameters: Any) -> Any:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(10)
            connection.connect(self.path("socket"))
            line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}) + "\n"
            connection.sendall(line.encode())
            with connection.makefile(encoding="utf-8") as file:
                reply = json.loads(file.readline())
        if "error" in reply:
            raise RuntimeError(reply["error"]["message"])
        return reply["result"]


class Observer:
    """A client that receives all messages, as Home Assistant does."""

    def __init__(self, case: Case, port: int, username: str | None, password: str | None) -> None:
        self.case, self.lock = case, threading.Lock()
        self.messages: list[tuple[str, str, bool]] = []  # topic, payload, and whether it was retained before
        options: dict[str, Any] = {}
        if hasattr(paho, "CallbackAPIVersion"):
            options["callback_api_version"] = paho.CallbackAPIVersion.VERSION2
        self.client = paho.Client(**options)
        if username:
            self.client.username_pw_set(username, password)
        is_subscribed = threading.Event()
        self.client.on_connect = lambda client, *rest: client.subscribe("#", 1)
        self.client.on_subscribe = lambda *rest: is_subscribed.set()
        self.client.on_message = self._receive
        self.client.reconnect_delay_set(1, 1)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        case.assertTrue(is_subscribed.wait(LIMIT), "the observer cannot subscribe")

    def _receive(self, client: Any, data: Any, message: Any) -> None:
        with self.lock:
            self.messages.append((message.topic, message.payload.decode(), message.retain))

    def end(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()

    def publish(self, topic: str, payload: str) -> None:
        self.client.publish(topic, payload, qos=1)

    def all(self, topic: str) -> list[str]:
        """Returns the payloads of a topic, oldest first."""
        with self.lock:
            return [payload for name, payload, _ in self.messages if name == topic]

    def last(self) -> dict[str, str]:
        """Returns the newest payload of each topic."""
        with self.lock:
            return {topic: payload for topic, payload, _ in self.messages}

    def forget(self) -> None:
        with self.lock:
            self.messages.clear()

    def wait(self, topic: str, *payloads: str) -> str:
        """Waits until a topic has one of the payloads, or any that is not empty."""
        def found() -> str | None:
            payload = self.last().get(topic)
            return payload if (payload in payloads if payloads else payload) else None
        return self.case.eventually(f"{topic} {' or '.join(payloads)}, but {self.last().get(topic)}", found)

    def wait_cleared(self, *topics: str) -> None:
        self.case.eventually(f"no {topics}", lambda: all(self.last().get(topic) == "" for topic in topics))


class SilentBroker:
    """Accepts connections and subscriptions (MQTT 3.1.1), and acknowledges no message."""

    def __init__(self, case: Case) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.connections = self.most_unacknowledged = 0
        case.addCleanup(self.listener.close)
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        try:
            while True:
                connection, _ = self.listener.accept()
                self.connections += 1
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()
        except OSError:
            return

    def _serve(self, connection: socket.socket) -> None:
        published = 0
        try:
            with connection, connection.makefile("rb") as file:
                while head := file.read(1):
                    length, shift = 0, 0
                    while True:
                        byte = file.read(1)[0]
                        length, shift = length | (byte & 127) << shift, shift + 7
                        if byte < 128:
                            break
                    body = file.read(length)
                    kind = head[0] >> 4
                    if kind == 1:  # CONNECT
                        connection.sendall(b"\x20\x02\x00\x00")
                    elif kind == 8:  # SUBSCRIBE: four topics
                        connection.sendall(b"\x90\x06" + body[:2] + b"\x01\x01\x01\x01")
                    elif kind == 3:  # PUBLISH
                        size = struct.unpack(">H", body[:2])[0]
                        if body[2:2 + size].endswith(b"/sync"):
                            connection.sendall(head + bytes([length]) + body)
                        published += 1
                        self.most_unacknowledged = max(self.most_unacknowledged, published)
                    elif kind == 12:  # PINGREQ
                        connection.sendall(b"\xd0\x00")
        except (OSError, IndexError):
            return


class FakeDaemon:
    """A daemon whose results the test sets."""

    def __init__(self, case: Case) -> None:
        self.results: dict[str, Any] = {}
        self.commutes: list[dict[str, Any]] = []
        self.errors: dict[str, str] = {}
        self.lock, self.connections = threading.Lock(), []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(case.path("socket"))
        self.listener.listen()
        case.addCleanup(self.end)
        threading.Thread(target=self._accept, daemon=True).start()

    def end(self) -> None:
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection, _ in self.connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                subscriptions: dict[str, int] = {}
                self.connections.append((connection, subscriptions))
                threading.Thread(target=self._serve, args=(connection, subscriptions), daemon=True).start()

    def _serve(self, connection: socket.socket, subscriptions: dict[str, int]) -> None:
        with contextlib.suppress(OSError), connection, connection.makefile(encoding="utf-8") as file:
            for line in file:
                request = json.loads(line)
                with self.lock:
                    reply = self._answer(request["method"], request["params"], subscriptions)
                    line = json.dumps({"jsonrpc": "2.0", "id": request["id"]} | reply) + "\n"
                    connection.sendall(line.encode())

    def _answer(self, method: str, parameters: dict[str, Any], subscriptions: dict[str, int]) -> dict[str, Any]:
        if method == "hello":
            return {"result": {"daemon": "0.0.0"}}
        if method == "commute.list":
            return {"result": {"commutes": self.commutes}}
        if method == "unsubscribe":
            return {"result": {"is_ended": True}}
        topic = parameters["topics"][0]
        name = topic["topic"] + (":" + topic["commute"] if "commute" in topic else "")
        if name in self.errors:
            return {"error": {"code": -32603, "message": self.errors[name]}}
        subscriptions[name] = len(subscriptions) + 1
        return {"result": {"subscriptions": [{"subscription": subscriptions[name], "data": self._data(name)}]}}

    def _data(self, name: str) -> Any:
        empty = {"status": {"feeds": [], "notices": []}, "favorite": {"boards": [], "notices": []},
                 "alerts": {"alerts": [], "notices": []}, "notifications": {"events": [], "notices": []}}
        return self.results.get(name) or empty.get(name) or {"departures": [], "notices": []}

    def send(self, name: str, data: Any = None, error: str | None = None) -> None:
        """Sends a new result to the subscribers of a topic."""
        with self.lock:
            self.results[name] = data
            for connection, subscriptions in self.connections:
                if name in subscriptions:
                    event = {"subscription": subscriptions[name], "data": data,
                             "error": {"message": error} if error else None}
                    with contextlib.suppress(OSError):
                        line = json.dumps({"jsonrpc": "2.0", "method": "event", "params": event}) + "\n"
                        connection.sendall(line.encode())


def departure(minutes: float = 20, **members: Any) -> dict[str, Any]:
    """A departure in some minutes, with the members that the program reads."""
    def text(moment: float) -> str:
        return time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(time.time() + moment * 60))
    return {"feed": "town", "route": {"id": "r5", "short_name": "5", "long_name": "Harbor"}, "headsign": "Harbor",
            "stop": {"id": "a", "name": "Main Street", "platform": "2"}, "scheduled": text(minutes - 2),
            "expected": text(minutes), "delay": 120, "uncertainty": None, "status": "scheduled", "source": "live",
            "confidence": "high", "realtime_state": "fresh", "age": 10, "pickup": "regular", "walk": 240,
            "leave_by": text(minutes - 5), "alerts": ["x"], "remark": None, "arrival": None} | members
