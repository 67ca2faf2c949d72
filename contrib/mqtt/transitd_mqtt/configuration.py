"""The configuration of transitd-mqtt, mqtt.toml."""

from __future__ import annotations

import json
import os
import pwd
import re
import socket
import ssl
import stat
import tomllib
from dataclasses import dataclass, field
from typing import NoReturn

from .messages import CONFIGURATION, end
from .values import topic_part

KINDS = ("commutes", "favorites", "alerts", "notifications")


@dataclass(frozen=True)
class Configuration:
    """The settings in mqtt.toml."""

    host: str = "localhost"
    port: int = 1883
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: bool = False
    ca_file: str | None = None
    discovery_prefix: str = "homeassistant"
    base_topic: str = "transitd"
    publish: tuple[str, ...] = KINDS


def configuration_path() -> str:
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(home, "transitd", "mqtt.toml")


def default_base_topic() -> str:
    """A topic of this user on this machine, so that two users or machines can share a broker."""
    try:
        user = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        user = str(os.getuid())
    return f"transitd/{topic_part(user)}-{topic_part(socket.gethostname().split('.')[0])}"


def read_password(path: str, source: str, *, is_credential: bool = False) -> str:
    """Returns the first line of a file that only the user can read."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), encoding="utf-8") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_size > 4096:
                end(CONFIGURATION, f"{source}: {path} is not a small regular file")
            if not is_credential and (status.st_uid not in (0, os.getuid()) or status.st_mode & 0o077):
                end(CONFIGURATION, f"{source}: others can read {path}; run: chmod 600 {path}")
            password = file.readline().rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        end(CONFIGURATION, f"{source}: cannot read {path}: {getattr(error, 'strerror', None) or 'it is not UTF-8'}")
    return password or end(CONFIGURATION, f"{source}: the first line of {path} is empty; write the password there")


def is_topic(text: str) -> bool:
    """Whether messages can be published below a topic (MQTT 3.1.1, section 4.7)."""
    return 0 < len(text) <= 200 and not re.search(r"[+#\x00-\x1f\x7f]|^[/$]|/$|//", text)


def load_configuration(path: str, *, is_required: bool) -> Configuration:
    """Reads mqtt.toml. Ends the program if a key is unknown or a value cannot be used."""
    try:
        with open(path, "rb") as file:
            table = tomllib.load(file)
    except FileNotFoundError:
        if is_required:
            end(CONFIGURATION, f"{path} does not exist")
        table = {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        end(CONFIGURATION, f"{path}: {getattr(error, 'strerror', None) or error}")

    types = {"host": str, "port": int, "username": str, "password_file": str, "tls": bool, "ca_file": str,
             "discovery_prefix": str, "base_topic": str, "publish": list}
    words = {str: "a text in quotes", int: "a number", bool: "true or false", list: "a list"}

    def fail(key: str, message: str) -> NoReturn:
        end(CONFIGURATION, f"{path}: {key}: {message}")

    for key, value in table.items():
        if key not in types:
            fail(key, f"this key does not exist; the keys are {', '.join(types)}")
        if type(value) is not types[key]:
            fail(key, f"must be {words[types[key]]}")
        if isinstance(value, str) and (not value or re.search(r"[\x00-\x1f\x7f]", value)):
            fail(key, "must not be empty, and must not contain control characters")
    if not 1 <= table.get("port", 1) <= 65535:
        fail("port", "must be between 1 and 65535")
    for key in ("discovery_prefix", "base_topic"):
        if key in table and not is_topic(table[key]):
            fail(key, "must be 1 to 200 characters without +, # or empty parts, and must not begin with $")
    for kind in table.get("publish", []):
        if kind not in KINDS:
            fail("publish", f"the elements are {', '.join(json.dumps(known) for known in KINDS)}")

    tls = table.get("tls", "ca_file" in table)
    ca_file = os.path.expanduser(table["ca_file"]) if "ca_file" in table else None
    if ca_file:
        if not tls:
            fail("ca_file", "is used only with tls = true")
        try:
            ssl.create_default_context(cafile=ca_file)
        except OSError as error:
            fail("ca_file", f"cannot use {ca_file}: {error.strerror or 'it contains no certificate'}")
    password = None
    credential = os.path.join(os.environ.get("CREDENTIALS_DIRECTORY", ""), "mqtt-password")
    if "password_file" in table:
        password = read_password(os.path.expanduser(table["password_file"]), f"{path}: password_file")
    elif os.environ.get("CREDENTIALS_DIRECTORY") and os.path.exists(credential):
        password = read_password(credential, "the credential mqtt-password", is_credential=True)
    if password is not None and "username" not in table:
        fail("username", "is missing; a password requires a username")
    return Configuration(
        host=table.get("host", "localhost"), port=table.get("port", 8883 if tls else 1883),
        username=table.get("username"), password=password, tls=tls, ca_file=ca_file,
        discovery_prefix=table.get("discovery_prefix", "homeassistant"),
        base_topic=table.get("base_topic") or default_base_topic(), publish=tuple(table.get("publish", KINDS)))
