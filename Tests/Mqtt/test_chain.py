"""The whole chain: the built daemon with the demo city, or one whose results the test sets; the program; mosquitto."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
import unittest

from support import Case, FakeDaemon, SilentBroker, departure

BASE = "transitd/test"
BRIDGE = f"{BASE}/availability"
WORK = f"{BASE}/commute/home-to-work"
WORK_CONFIG = "homeassistant/device/transitd_transitd_2ftest_commute_home-to-work/config"
SERVICE_CONFIG = "homeassistant/device/transitd_transitd_2ftest_service/config"
EVENT = f"{BASE}/service/notifications/event"


def processor_time(process: int) -> float:
    """Returns the processor time of a process, in seconds."""
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class DemoTests(Case):
    """With the built daemon."""

    def setUp(self) -> None:
        super().setUp()
        self.transitd = self.daemon()
        self.mosquitto, self.port = self.broker()
        self.home = self.observer(self.port)
        self.configure(self.port)

    def test_discoveryStatesAndLastWill(self) -> None:
        self.request("favorite.add", stop="Lime Road")
        bridge = self.bridge()
        self.home.wait(BRIDGE, "online")
        self.home.wait(f"{WORK}/availability", "online")
        config = json.loads(self.home.wait(WORK_CONFIG))
        self.assertEqual(config["device"]["name"], "Commute home-to-work")
        self.assertEqual(config["origin"]["sw_version"], self.request("hello")["daemon"])
        leave = config["components"]["leave_by"]
        self.assertEqual((leave["platform"], leave["device_class"]), ("sensor", "timestamp"))
        self.assertEqual([entry["topic"] for entry in leave["availability"]], [BRIDGE, f"{WORK}/availability"])
        self.assertEqual(leave["state_topic"], f"{WORK}/state")
        for component in config["components"].values():
            if component.get("device_class") == "duration":
                self.assertIn(component["unit_of_measurement"], ("min", "s"))
        # The state is that of the daemon.
        state = json.loads(self.home.wait(f"{WORK}/state"))
        departures = self.request("next", commute="home-to-work", count=20)["departures"]
        self.assertIn(state["leave_by"], [departure["leave_by"] for departure in departures])
        self.assertEqual(json.loads(self.home.wait(f"{BASE}/favorite/Lime_20Road/state"))["leave_by"], None)
        self.home.wait(f"{BASE}/favorite/Lime_20Road/availability", "online")
        self.assertEqual(json.loads(self.home.wait(f"{BASE}/service/alerts/state"))["count"],
                         len([a for a in self.request("alerts")["alerts"] if a["is_active"]]))
        self.home.wait(f"{BASE}/service/alerts/availability", "online")
        self.assertEqual(json.loads(self.home.wait(f"{BASE}/service/daemon/state")), {"is_on": "ON"})
        # All of it is retained, for a Home Assistant that starts later.
        later = self.observer(self.port)
        for topic in (WORK_CONFIG, SERVICE_CONFIG, f"{WORK}/state", f"{WORK}/availability", BRIDGE):
            later.wait(topic)
        with later.lock:
            retained = {topic for topic, _, is_retained in later.messages if is_retained}
        self.assertLessEqual({WORK_CONFIG, SERVICE_CONFIG, f"{WORK}/state", BRIDGE}, retained)
        # States are repeated before Home Assistant lets them expire.
        self.eventually("a repeated state", lambda: len(self.home.all(f"{BASE}/service/daemon/state")) >= 4)

        self.stop(bridge)
        self.home.wait(BRIDGE, "offline")
        self.bridge()
        self.home.wait(BRIDGE, "online")

    def test_birthRepeatsEverything(self) -> None:
        self.bridge()
        self.home.wait(BRIDGE, "online")
        self.home.wait(WORK_CONFIG)
        self.home.forget()
        self.home.publish("homeassistant/status", "offline")
        self.home.publish("homeassistant/status", "online")
        self.home.wait(WORK_CONFIG)
        self.home.wait(SERVICE_CONFIG)
        self.home.wait(f"{WORK}/state")
        self.home.wait(f"{WORK}/availability", "online")
        self.home.wait(BRIDGE, "online")

    def test_aDaemonThatHangsOrEndsMakesEntitiesUnavailable(self) -> None:
        bridge = self.bridge()
        self.home.wait(f"{WORK}/availability", "online")
        began, computed = time.monotonic(), processor_time(bridge.pid)
        self.transitd.send_signal(signal.SIGSTOP)
        self.home.wait(f"{WORK}/availability", "offline")
        self.home.wait(f"{BASE}/service/daemon/state", '{"is_on":"OFF"}')
        self.assertEqual(self.home.last()[BRIDGE], "online")
        self.assertEqual(self.home.last()[f"{BASE}/service/alerts/availability"], "offline")
        # The intervals are a tenth, so 9 seconds stand for 90. The rest is for a busy machine.
        self.assertLess(time.monotonic() - began, 30)
        # It waits for the answer without running.
        self.assertLess(processor_time(bridge.pid) - computed, 0.12)
        self.transitd.send_signal(signal.SIGCONT)
        self.home.wait(f"{WORK}/availability", "online")

        self.stop(self.transitd)
        self.home.wait(f"{WORK}/availability", "offline")
        self.transitd = self.daemon()
        self.home.wait(f"{WORK}/availability", "online")
        self.home.wait(f"{BASE}/service/daemon/state", '{"is_on":"ON"}')

    def test_whatIsRemovedIsCleared(self) -> None:
        for name in ("gym", "pool"):
            self.request("commute.add", **{"name": name, "from": "home", "to": "Central Station"})
        self.request("favorite.add", stop="Lime Road")
        bridge = self.bridge()

        def topics(kind: str, part: str) -> tuple[str, ...]:
            return (f"homeassistant/device/transitd_transitd_2ftest_{kind}_{part}/config",
                    f"{BASE}/{kind}/{part}/state", f"{BASE}/{kind}/{part}/availability")
        for kind, part in (("commute", "gym"), ("commute", "pool"), ("favorite", "Lime_20Road")):
            for topic in topics(kind, part):
                self.home.wait(topic)
        self.request("commute.remove", commute="gym")
        self.home.wait_cleared(*topics("commute", "gym"))
        # Also what is removed while the program does not run, even if it was killed.
        self.stop(bridge)
        self.home.wait(BRIDGE, "offline")
        self.request("commute.remove", commute="pool")
        self.request("favorite.remove", favorite="Lime Road")
        bridge = self.bridge()
        self.home.wait_cleared(*topics("commute", "pool"), *topics("favorite", "Lime_20Road"))
        self.assertTrue(self.home.last()[WORK_CONFIG])
        self.home.wait(BRIDGE, "online")
        # A name can be used again.
        self.request("commute.add", **{"name": "gym", "from": "home", "to": "Central Station"})
        for topic in topics("commute", "gym"):
            self.home.wait(topic)

        # The end makes everything unavailable, and --clear removes everything.
        self.assertEqual(self.stop(bridge, signal.SIGTERM), 0)
        self.home.wait(BRIDGE, "offline")
        clear = self.bridge("--clear")
        self.assertEqual(clear.wait(120), 0, self.logs())
        self.home.wait_cleared(WORK_CONFIG, SERVICE_CONFIG, BRIDGE, *topics("commute", "gym"))
        later = self.observer(self.port)
        later.publish("test/end", "x")
        later.wait("test/end")
        self.assertEqual(set(later.last()), {"test/end"})

    def test_notificationsArePublishedOnce(self) -> None:
        self.request("notify.enable", is_on=True)
        bridge = self.bridge()
        self.home.wait(f"{BASE}/service/notifications/availability", "online")
        self.request("notify.test")
        event = json.loads(self.home.wait(EVENT))
        self.assertEqual((event["event_type"], event["test"]), ("show", True))
        self.home.wait(SERVICE_CONFIG)
        self.stop(bridge)
        self.home.wait(BRIDGE, "offline")
        self.home.forget()
        self.bridge()
        self.home.wait(BRIDGE, "online")
        self.eventually("a repeated state", lambda: len(self.home.all(f"{BASE}/service/notifications/state")) >= 2)
        self.assertEqual(self.home.all(EVENT), [])
        # The event is not retained, so Home Assistant does not see it again when it starts.
        later = self.observer(self.port)
        later.wait(BRIDGE, "online")
        later.publish("test/end", "x")
        later.wait("test/end")
        self.assertEqual(later.all(EVENT), [])

    def test_theBrokerRestarts(self) -> None:
        self.bridge()
        self.home.wait(f"{WORK}/availability", "online")
        self.stop(self.mosquitto)
        self.eventually("a message about the broker",
                        lambda: any("cannot be used" in line for line in self.log_lines()))
        # The broker has forgotten all messages.
        self.home.forget()
        self.broker(self.port)
        self.home.wait(BRIDGE, "online")
        self.home.wait(WORK_CONFIG)
        self.home.wait(f"{WORK}/availability", "online")


class FaultTests(Case):
    """With a daemon whose results the test sets."""

    def setUp(self) -> None:
        super().setUp()
        self.fake = FakeDaemon(self)
        self.fake.commutes = [{"name": "home-to-work"}]
        self.fake.results["next:home-to-work"] = {"departures": [departure()], "notices": []}

    def test_staleDataMakesAnEntityUnavailable(self) -> None:
        _, port = self.broker()
        self.configure(port)
        home = self.observer(port)
        self.bridge()
        home.wait(f"{WORK}/availability", "online")
        stale = {"departures": [departure(realtime_state="expired")], "notices": []}
        fresh = {"departures": [departure()], "notices": []}
        self.fake.send("next:home-to-work", stale)
        home.wait(f"{WORK}/availability", "offline")
        self.fake.send("next:home-to-work", fresh)
        home.wait(f"{WORK}/availability", "online")
        self.fake.send("next:home-to-work", None, "The feed has no timetable.")
        home.wait(f"{WORK}/availability", "offline")
        self.fake.send("next:home-to-work", fresh)
        home.wait(f"{WORK}/availability", "online")
        # Alerts that are too old may be wrong.
        home.wait(f"{BASE}/service/alerts/availability", "online")
        for freshness, availability in (("expired", "offline"), ("fresh", "online")):
            datasets = [{"dataset": "alerts", "freshness": freshness}]
            self.fake.send("status", {"feeds": [{"id": "town", "datasets": datasets}], "notices": []})
            home.wait(f"{BASE}/service/alerts/availability", availability)
        # A commute that never had a result has no state.
        self.fake.errors["next:other"] = "Nothing is known."
        self.fake.commutes = [*self.fake.commutes, {"name": "other"}]
        home.wait(f"{BASE}/commute/other/availability", "offline")
        self.assertNotIn(f"{BASE}/commute/other/state", home.last())

    def test_namesAreData(self) -> None:
        _, port = self.broker()
        self.configure(port)
        home = self.observer(port)
        names = ["{{ 7 * 7 }}", 'a/b "c"', "a_2fb", "a\nb", "#", "😀"]
        self.fake.commutes = [{"name": name} for name in names]
        text = "{{ states('x') }}\n{% raw %}\"'/#+"
        for name in names:
            self.fake.results[f"next:{name}"] = {"notices": [{"kind": text, "message": text}], "departures": [
                departure(headsign=text, remark=text, route={"short_name": text}, stop={"name": text})]}
        self.bridge()
        home.wait(BRIDGE, "online")
        parts = ["_7b_7b_207_20_2a_207_20_7d_7d", "a_2fb_20_22c_22", "a_5f2fb", "a_0ab", "_23", "_f0_9f_98_80"]
        for name, part in zip(names, parts):
            home.wait(f"{BASE}/commute/{part}/availability", "online")
            state = json.loads(home.wait(f"{BASE}/commute/{part}/state"))
            self.assertEqual(state["route"], "{{ states('x') }} {% raw %}\"'/#+")
            config = home.wait(f"homeassistant/device/transitd_transitd_2ftest_commute_{part}/config")
            self.assertEqual(json.loads(config)["device"]["name"], "Commute " + name.replace("\n", " "))
        self.assertEqual(len([topic for topic in home.last() if topic.endswith("/config")]), len(names) + 1)

    def test_aRefusedPasswordIsOneMessage(self) -> None:
        broker, port = self.broker(password="right")
        self.write("pw", "wrong")
        self.configure(port, 'username = "transit"', f'password_file = "{self.path("pw")}"')
        bridge = self.bridge()
        refusals = 3

        def attempts() -> int:
            return sum("disconnected, not authorised" in line for line in self.log_lines("broker.log"))
        self.eventually("three attempts", lambda: attempts() >= refusals)
        self.assertEqual(self.stop(bridge, signal.SIGTERM), 0)
        about = [line for line in self.log_lines() if "broker" in line]
        self.assertEqual(len(about), 1, about)
        self.assertIn("username and password_file in mqtt.toml", about[0])
        self.assertNotIn("wrong", "\n".join(self.log_lines()))
        self.write("pw", "right")
        home = self.observer(port, "home", "right")
        self.bridge()
        home.wait(f"{WORK}/availability", "online")
        clear = self.write("wrong.toml", f'host = "127.0.0.1"\nport = {port}\nbase_topic = "x"\nusername = "transit"\n'
                           f'password_file = "{self.write("pw2", "wrong")}"\n')
        self.assertEqual(self.run_program("--config", clear, "--clear").returncode, 77)

    def test_aUserThatMustNotReadIsReportedAndPublishes(self) -> None:
        _, port = self.broker(password="right")
        self.configure(port, 'username = "writer"', f'password_file = "{self.write("pw", "right")}"')
        home = self.observer(port, "home", "right")
        self.bridge()
        home.wait(f"{WORK}/availability", "online")
        self.assertTrue(any("permit the user to read" in line for line in self.log_lines()), self.log_lines())

    def test_certificatesAreVerified(self) -> None:
        _, port = self.broker(has_tls=True)
        self.configure(port, "tls = true")
        refused = self.bridge()
        self.eventually("a message about the certificate",
                        lambda: any("tls and ca_file in mqtt.toml" in line for line in self.log_lines()))
        self.stop(refused)
        self.configure(port, f'ca_file = "{self.path("ca.pem")}"')
        self.bridge()
        log = self.path("broker.log")

        def is_connected() -> bool:
            with open(log, encoding="utf-8") as file:
                return "as transitd-mqtt" in file.read()
        self.eventually("a connection with TLS", is_connected)
        check = self.run_program("--config", self.path("mqtt.toml"), "--clear")
        self.assertEqual(check.returncode, 75, "the first one publishes")

    def test_aSecondProgramEnds(self) -> None:
        _, port = self.broker()
        self.configure(port)
        home = self.observer(port)
        self.bridge()
        home.wait(BRIDGE, "online")
        second = self.run_program("--config", self.path("mqtt.toml"), "--socket", self.path("socket"))
        self.assertEqual(second.returncode, 75)
        self.assertIn(BASE, second.stderr)

    def test_aBrokerThatDoesNotAnswerCostsNoMemory(self) -> None:
        """It accepts connections, but acknowledges no message."""
        silent = SilentBroker(self)
        self.configure(silent.port)
        bridge = self.bridge()
        self.eventually("a message about missing answers",
                        lambda: any("does not acknowledge" in line for line in self.log_lines()))
        self.eventually("a second connection", lambda: silent.connections >= 2)

        def memory() -> int:
            with open(f"/proc/{bridge.pid}/statm", encoding="utf-8") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        before = memory()
        for number in range(2000):
            self.fake.send("next:home-to-work", {"departures": [departure(20 + number % 7, remark="x" * 5000)] * 6,
                                                 "notices": []})
        self.eventually("a third connection", lambda: silent.connections >= 3)
        self.assertLess(memory() - before, 8 << 20)
        self.assertLessEqual(silent.most_unacknowledged, 17)
        descriptors = len(os.listdir(f"/proc/{bridge.pid}/fd"))
        self.assertLess(descriptors, 16)
        self.assertEqual(len([line for line in self.log_lines() if "does not acknowledge" in line]), 1)

    def test_anEndDoesNotWaitForTheBroker(self) -> None:
        listener = socket.create_server(("127.0.0.1", 0), backlog=1)
        self.addCleanup(listener.close)
        self.configure(listener.getsockname()[1])
        bridge = self.bridge()
        connection, _ = listener.accept()
        self.addCleanup(connection.close)
        began = time.monotonic()
        self.assertEqual(self.stop(bridge, signal.SIGTERM), 0)
        self.assertLess(time.monotonic() - began, 20)

    def test_anEndDoesNotWaitForTLS(self) -> None:
        """The library waits for the handshake. With the usual intervals, it would be half a minute."""
        listener = socket.create_server(("127.0.0.1", 0), backlog=1)
        self.addCleanup(listener.close)
        self.configure(listener.getsockname()[1], "tls = true")
        bridge = self.bridge(times="1")
        connection, _ = listener.accept()
        self.addCleanup(connection.close)
        self.assertTrue(connection.recv(1))
        began = time.monotonic()
        self.assertEqual(self.stop(bridge, signal.SIGTERM), 0)
        self.assertLess(time.monotonic() - began, 20)


if __name__ == "__main__":
    unittest.main()
