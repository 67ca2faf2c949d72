"""The command line of transitd-mqtt."""

from __future__ import annotations

import argparse
import errno
import hashlib
import os
import re
import select
import socket
import time
from typing import NoReturn

from .bridge import Bridge
from .broker import Broker
from .configuration import Configuration, configuration_path, load_configuration
from .daemon import Daemon
from .messages import OK, TEMPORARY, UNAVAILABLE, USAGE, end, log
from .retained import RetainedMessages
from .times import Times, monotonic
from .topics import VERSION, Topics


def check(daemon: Daemon, topics: Topics, times: Times) -> int:
    """Prints the messages for the daemon's current data, without a broker."""
    messages, limit = RetainedMessages(daemon, topics), monotonic() + times.reply
    while not daemon.is_complete():
        now = monotonic()
        if daemon.problem:
            return daemon.failure
        if now > limit:
            end(UNAVAILABLE, f"the daemon has not answered for {times.reply:.0f} s")
        ready, _, _ = select.select([daemon.socket] if daemon.socket else [], [], [], 0.1 if daemon.socket else 0)
        daemon.advance(monotonic(), bool(ready))
    events = messages.new_events(time.time())
    messages.evaluate(monotonic(), time.time())
    for topic, payload in [*messages.pending(), *((topics.event, payload) for payload, _ in events)]:
        print(topic, payload)
    return OK


def lock(topics: Topics, configuration: Configuration) -> socket.socket:
    """Reserves a name until the process ends, so that two processes do not displace each other at the broker."""
    holder = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    name = f"{os.getuid()} {configuration.host} {configuration.port} {topics.base}"
    try:
        holder.bind("\0transitd-mqtt " + hashlib.sha256(name.encode()).hexdigest())
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        end(TEMPORARY, f"another transitd-mqtt publishes to {topics.base} at {configuration.host}; stop it first")
    return holder


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        end(USAGE, f"{message}; see: transitd-mqtt --help")


def main(arguments: list[str]) -> int:
    parser = Parser(prog="transitd-mqtt", allow_abbrev=False, description="Publishes commutes, favorites, alerts and "
                    "notifications to an MQTT broker, for Home Assistant.")
    parser.add_argument("--config", metavar="FILE", help="the configuration (default: ~/.config/transitd/mqtt.toml)")
    parser.add_argument("--socket", metavar="PATH", help="the daemon's socket")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--check", action="store_true", help="print what would be published, and exit")
    action.add_argument("--clear", action="store_true", help="remove everything that was published, and exit")
    parser.add_argument("--version", action="version", version=VERSION)
    options = parser.parse_args(arguments)
    configuration = load_configuration(options.config or configuration_path(), is_required=options.config is not None)
    times = Times()
    if factor := os.environ.get("TRANSITD_MQTT_TEST_TIMES"):
        times = Times.scaled(float(factor))
    topics = Topics(configuration, times)
    daemon = Daemon(options.socket, configuration.publish, times)
    if options.check:
        return check(daemon, topics, times)
    try:
        broker = Broker(configuration, topics, times)
    except ImportError:
        end(UNAVAILABLE, "the Python package paho-mqtt is missing; run: sudo apt install python3-paho-mqtt")
    if configuration.password and not configuration.tls and not re.fullmatch(
            r"localhost|127(\.\d+){3}|::1", configuration.host):
        log("the password is sent without encryption; set tls = true if the broker supports it")
    holder = lock(topics, configuration)
    Bridge(daemon, broker, topics, times, clears=options.clear).run()
    holder.close()
    return OK
