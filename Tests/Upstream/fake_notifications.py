#!/usr/bin/env python3
"""A notification server on a private message bus (Desktop Notifications Specification), for what a real one does not do.

Usage: fake_notifications.py SOCKET CAPABILITIES [MODE]

CAPABILITIES are separated by commas. MODE is "slow" (does not answer Notify), "refusing" (answers Notify with an error),
or absent. Prints "ready" when it owns its bus name, then each call of Notify and CloseNotification as a line of JSON.
Each line "ID ACTION" on standard input invokes an action, and "ID -" closes a notification like its user. "sync N" prints
{"sync": N} after all calls that were answered. Exits when its standard input is closed.
"""

import json
import os
import select
import sys

sys.dont_write_bytecode = True
from message_bus import Bus, take

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
shown = {}


def say(**members):
    print(json.dumps(members), flush=True)


def signal(bus, receiver, member, *values):
    bus.send(4, values, path=PATH, interface=NAME, member=member, destination=receiver)


def notify(bus, mode, fields, body, reply):
    values, place = [], 0
    for kind in ["s", "u", "s", "s", "s", "as", "a{sv}", "i"]:
        value, place = take(body, place, kind)
        values.append(value)
    program, replaced, icon, title, text, actions, hints, timeout = values
    number = replaced or len(shown) + 1
    say(call="Notify", program=program, replaced=replaced, id=number, icon=icon, title=title, body=text, actions=actions,
        hints=hints, timeout=timeout)
    if mode == "refusing":
        bus.send(3, [("s", "too many notifications")], reply=fields["serial"], destination=fields["sender"],
                 error="org.freedesktop.DBus.Error.LimitsExceeded")
    elif mode != "slow":
        shown[number] = fields["sender"]
        reply(("u", number))


def answer(bus, capabilities, mode, fields, body):
    def reply(*values):
        bus.send(2, values, reply=fields["serial"], destination=fields["sender"])

    member = fields["member"]
    if member == "GetCapabilities":
        reply(("as", capabilities))
    elif member == "GetServerInformation":
        reply(*[("s", text) for text in ["fake", "transitd", "1", "1.2"]])
    elif member == "Notify":
        notify(bus, mode, fields, body, reply)
    elif member == "CloseNotification":
        number, _ = take(body, 0, "u")
        say(call="CloseNotification", id=number)
        reply()
        if number in shown:
            signal(bus, shown.pop(number), "NotificationClosed", ("u", number), ("u", 3))
    else:
        reply()


def obey(bus, words):
    if words[0] == "sync":
        return say(sync=int(words[1]))
    number = int(words[0])
    if words[1] == "-":
        signal(bus, shown.pop(number), "NotificationClosed", ("u", number), ("u", 2))
    else:
        signal(bus, shown[number], "ActionInvoked", ("u", number), ("s", words[1]))


def main():
    bus = Bus(sys.argv[1])
    capabilities = sys.argv[2].split(",") if sys.argv[2] else []
    mode = sys.argv[3] if len(sys.argv) > 3 else ""
    bus.call("Hello")
    bus.call("RequestName", ("s", NAME), ("u", 4))
    unread = b""
    while True:
        ready, _, _ = select.select([bus.socket, sys.stdin], [], [])
        if sys.stdin in ready:
            # Unlike readline(), this leaves no line in a buffer that select() does not know.
            data = os.read(0, 4096)
            if not data:
                return
            *lines, unread = (unread + data).split(b"\n")
            for line in lines:
                obey(bus, line.decode().split())
        if bus.socket not in ready:
            continue
        fields, body = bus.receive()
        if fields["type"] == 2 and fields.get("reply") == 2:
            print("ready", flush=True)
        elif fields["type"] == 1:
            answer(bus, capabilities, mode, fields, body)


main()
