"""The values and topics that Home Assistant receives."""

from __future__ import annotations

import json
import random
import time
import unittest
from typing import Any

from support import departure

from transitd_mqtt.configuration import Configuration
from transitd_mqtt.times import Backoff, Times
from transitd_mqtt.topics import Topics
from transitd_mqtt.values import (alerts_state, board_state, bounded, is_current, next_departure, notifications_state,
                                  plain, seconds, topic_part)

HOSTILE = ["{{ states('x') }}", "a/b", "a_2fb", "a b", "a\nb", 'say "hi"', "#", "+", "$SYS", "../..", "ü", "u\u0308",
           "Home", "home", "", "_", "__", "\x00", "😀" * 16, "x" * 100, "x" * 101, "x" * 102, "None", "\ud800"]


class ValueTests(unittest.TestCase):
    def test_differentNamesHaveDifferentParts(self) -> None:
        generator = random.Random(20261128)
        names = HOSTILE + [
            "".join(generator.choices("aA_2f/ {}%é", k=generator.randint(1, 64))) for _ in range(20_000)]
        parts = {}
        for name in names:
            part = topic_part(name)
            self.assertRegex(part, r"\A[A-Za-z0-9_-]{0,120}\Z")
            self.assertEqual(parts.setdefault(part, name), name, "seed 20261128")

    def test_textsHaveOneLineAndALimit(self) -> None:
        self.assertEqual(plain("a\r\n\tb\x1b[31m\u2028c"), "a b [31m c")
        self.assertEqual(len(plain("x" * 1000) or ""), 250)
        for empty in (None, "", " \n", 5, ["x"]):
            self.assertIsNone(plain(empty))

    def test_templatesDoNotDependOnNames(self) -> None:
        topics = Topics(Configuration(), Times())

        def templates(value: Any) -> list[str]:
            if isinstance(value, list):
                return [found for item in value for found in templates(item)]
            if not isinstance(value, dict):
                return []
            return [found for key, item in value.items()
                    for found in ([item] if key.endswith("template") else templates(item))]

        for kind in ("commute", "favorite"):
            expected = templates(json.loads(topics.board((kind, "plain"), "plain")))
            self.assertGreaterEqual(len(expected), 6)
            for name in HOSTILE:
                key = (kind, topic_part(name))
                message = json.loads(topics.board(key, name))
                self.assertEqual(templates(message), expected)
                for topic in (topics.discovery(key), topics.of(key, "state")):
                    self.assertNotRegex(topic, r"[#+{}\"'\s\x00]")
                    self.assertEqual(topic.count("/"), topics.of(("a", "b"), "c").count("/"))

    def test_theFirstDepartureThatCanBeCaughtIsShown(self) -> None:
        missed, canceled, skipped = departure(3), departure(10, status="canceled"), departure(12, status="skipped")
        closed, right = departure(14, pickup="none"), departure(15)
        self.assertIs(next_departure([missed, canceled, skipped, closed, right, departure(20)], time.time()), right)
        self.assertIsNone(next_departure([missed, canceled], time.time()))
        # At a stop, there is no walk.
        at_stop = departure(3, leave_by=None)
        self.assertIs(next_departure([at_stop], time.time()), at_stop)

    def test_minutesAreRoundedDownAndSayWhenTheyChange(self) -> None:
        now = time.time()
        shown = departure(20)
        state, changes = board_state([shown], [], now, 7)
        leaves, departs = seconds(shown["leave_by"]) or 0, seconds(shown["expected"]) or 0
        self.assertEqual(state["leave_in"], int((leaves - now) // 60))
        self.assertEqual(state["departs_in"], int((departs - now) // 60))
        self.assertEqual(state["attributes"]["age_seconds"], 17)
        assert changes is not None
        later, _ = board_state([shown], [], changes + 0.02, 7)
        before, _ = board_state([shown], [], changes - 0.02, 7)
        self.assertEqual(before["leave_in"], state["leave_in"])
        self.assertEqual(later["leave_in"], state["leave_in"] - 1)
        # One second after the time to leave, another departure is shown.
        self.assertIsNone(board_state([shown], [], leaves + 1, 0)[0]["leave_by"])

    def test_valuesAreNeverEmptyTexts(self) -> None:
        """Home Assistant ignores an empty text, so the former value would stay."""
        state, _ = board_state([departure(route={"id": "r", "short_name": " ", "long_name": ""}, status="")], [],
                               time.time(), 0)
        self.assertNotIn("", state.values())
        self.assertIsNone(state["route"])

    def test_staleDataIsNotCurrent(self) -> None:
        def notice(kind: str, feed: str | None = "town") -> list[dict[str, Any]]:
            return [{"kind": kind, "feed": feed, "message": "m"}]
        planned = departure(realtime_state="not_expected")
        self.assertTrue(is_current(departure(), []))
        self.assertTrue(is_current(planned, []))
        self.assertTrue(is_current(departure(realtime_state="aging"), notice("failed")))
        self.assertFalse(is_current(departure(realtime_state="expired"), []))
        for kind in ("stale", "expired"):
            self.assertFalse(is_current(planned, notice(kind)))
            self.assertFalse(is_current(planned, notice(kind, None)))
            self.assertTrue(is_current(planned, notice(kind, "other")))
        # No departure is an answer only if the data is there.
        self.assertTrue(is_current(None, notice("no_service")))
        for kind in ("missing", "failed", "importing", "stale", "expired", "damaged", "malformed", "suspended"):
            self.assertFalse(is_current(None, notice(kind)))

    def test_listsAreBounded(self) -> None:
        alerts = [{"is_active": True, "header": "ü" * 250, "description": "ü" * 500, "feed": "f"}] * 400
        state = alerts_state(alerts + [{"is_active": False}], 0)
        self.assertEqual(state["count"], 400)
        listed = state["attributes"]["alerts"]
        self.assertTrue(0 < len(listed) <= 20)
        self.assertEqual(len(listed) + state["attributes"]["unlisted_alerts"], 400)
        self.assertLess(len(json.dumps(listed, ensure_ascii=False).encode()), 12_000)
        self.assertEqual(bounded([{"a": 1}] * 9, 3), [{"a": 1}] * 3)

    def test_withdrawnAndPastNotificationsDoNotCount(self) -> None:
        def event(key: str, op: str, ends: float) -> dict[str, Any]:
            return {"id": key + op, "key": key, "op": op, "title": key, "valid_until":
                    time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + ends))}
        events = [event("a", "show", 60), event("b", "show", 60), event("c", "show", -5), event("a", "update", 90),
                  event("b", "withdraw", 60)]
        state, ends = notifications_state(events, ["x"], time.time())
        self.assertEqual(state["count"], 1)
        self.assertEqual(state["attributes"]["notifications"][0]["id"], "aupdate")
        self.assertEqual(state["published"], ["x"])
        assert ends is not None
        self.assertAlmostEqual(ends, time.time() + 90, delta=5)

    def test_pausesGrowToALimit(self) -> None:
        backoff = Backoff((1, 60))
        pauses = []
        for _ in range(40):
            backoff.fail(1000)
            pauses.append(backoff.due - 1000)
        self.assertTrue(0.5 <= pauses[0] <= 1 and 1 <= pauses[1] <= 2)
        self.assertTrue(all(30 <= pause <= 60 for pause in pauses[6:]))
        self.assertGreater(len(set(pauses[6:])), 1)


if __name__ == "__main__":
    unittest.main()
