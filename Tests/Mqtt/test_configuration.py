"""The configuration and the command line of transitd-mqtt, without a broker."""

from __future__ import annotations

import getpass
import os
import unittest

from support import Case, FakeDaemon, departure

from transitd_mqtt.configuration import load_configuration


class ConfigurationTests(Case):
    def refused(self, text: str, *expected: str) -> None:
        path = self.write("mqtt.toml", text)
        result = self.run_program("--config", path, "--check", "--socket", self.path("none"))
        self.assertEqual((result.returncode, result.stdout), (78, ""), result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        for part in (path, *expected):
            self.assertIn(part, result.stderr)

    def test_allKeysAreOptional(self) -> None:
        settings = load_configuration(self.path("none.toml"), is_required=False)
        self.assertEqual((settings.host, settings.port, settings.tls), ("localhost", 1883, False))
        self.assertEqual(settings.discovery_prefix, "homeassistant")
        self.assertRegex(settings.base_topic, rf"\Atransitd/{getpass.getuser()}-[A-Za-z0-9_-]+\Z")

    def test_allKeysAreUsed(self) -> None:
        authority = "/etc/ssl/certs/ca-certificates.crt"
        lines = ['host = "broker"', "tls = true", 'username = "me"', f'password_file = "{self.write("pw", "secret")}"',
                 'discovery_prefix = "ha"', 'base_topic = "a/b"', 'publish = ["alerts"]']
        if os.path.exists(authority):
            lines.append(f'ca_file = "{authority}"')
        settings = load_configuration(self.write("mqtt.toml", "\n".join(lines)), is_required=True)
        self.assertEqual((settings.host, settings.port), ("broker", 8883))
        self.assertEqual((settings.username, settings.password), ("me", "secret"))
        self.assertEqual((settings.discovery_prefix, settings.base_topic, settings.publish), ("ha", "a/b", ("alerts",)))
        self.assertNotIn("secret", repr(settings))

    def test_errorsNameFileAndKey(self) -> None:
        self.refused("hots = 'x'", "hots", "host, port")
        self.refused("port = '1883'", "port", "a number")
        self.refused("port = true", "port", "a number")
        self.refused("port = 70000", "port", "65535")
        self.refused("tls = 1", "tls", "true or false")
        self.refused("host = ''", "host", "empty")
        self.refused("host = \"a\\nb\"", "host", "control")
        for topic in ("a/#", "+", "/a", "a/", "a//b", "$SYS/a"):
            self.refused(f"base_topic = '{topic}'", "base_topic", "200 characters")
            self.refused(f"discovery_prefix = '{topic}'", "discovery_prefix")
        self.refused("publish = ['commute']", "publish", '"commutes"')
        self.refused("publish = 'alerts'", "publish", "a list")
        self.refused("ca_file = '/none'\ntls = true", "ca_file", "/none")
        self.refused(f"ca_file = '{self.write('empty.pem', '')}'", "ca_file", "certificate")
        self.refused("tls = false\nca_file = '/none'", "ca_file", "tls = true")
        self.refused("port = 1\nport = 2", "overwrite")
        self.refused("port = 1\n= 5", "line 2")
        self.assertEqual(self.run_program("--config", self.path("none"), "--check").returncode, 78)

    def test_passwordMustBeSecret(self) -> None:
        self.refused("username = 'me'\npassword_file = '/none'", "password_file", "/none")
        secret = self.write("pw", "secret\n", 0o640)
        self.refused(f"username = 'me'\npassword_file = '{secret}'", "password_file", f"chmod 600 {secret}")
        os.chmod(secret, 0o600)
        self.refused(f"password_file = '{secret}'", "username")
        self.refused(f"username = 'me'\npassword_file = '{self.write('empty', '')}'", "password_file", "empty")
        self.refused(f"username = 'me'\npassword_file = '{self.folder}'", "password_file")
        path = self.write("mqtt.toml", f"username = 'me'\npassword_file = '{secret}'")
        self.assertEqual(load_configuration(path, is_required=True).password, "secret")

    def test_passwordCanBeACredential(self) -> None:
        self.write("mqtt-password", "secret\n", 0o440)
        os.environ["CREDENTIALS_DIRECTORY"] = self.folder
        self.addCleanup(os.environ.pop, "CREDENTIALS_DIRECTORY")
        settings = load_configuration(self.write("mqtt.toml", "username = 'me'"), is_required=True)
        self.assertEqual(settings.password, "secret")

    def test_commandLine(self) -> None:
        for arguments in (["--nope"], ["x"], ["--check", "--clear"], ["--che"]):
            result = self.run_program(*arguments)
            self.assertEqual((result.returncode, result.stdout, result.stderr.count("\n")), (64, "", 1))
        self.assertIn("--check", self.run_program("--help").stdout)

    def test_checkPrintsTheMessages(self) -> None:
        daemon = FakeDaemon(self)
        daemon.commutes = [{"name": "a/b"}]
        daemon.results["next:a/b"] = {"departures": [departure()], "notices": []}
        board = {"favorite": {"name": "f", "feed": "t"}, "departures": []}
        daemon.results["favorite"] = {"boards": [board], "notices": []}
        result = self.run_program("--check", "--socket", self.path("socket"))
        self.assertEqual(result.returncode, 0, result.stderr)
        topics = [line.split(" ", 1)[0] for line in result.stdout.splitlines()]
        self.assertTrue(any(topic.endswith("/commute/a_2fb/state") for topic in topics), topics)
        self.assertTrue(any(topic.endswith("_favorite_f/config") for topic in topics), topics)
        self.assertEqual(len(topics), len(set(topics)))

    def test_checkNamesTheRemedyWithoutADaemon(self) -> None:
        result = self.run_program("--check", "--socket", self.path("none"))
        self.assertEqual(result.returncode, 69)
        self.assertIn("systemctl --user start transitd.socket", result.stderr)
        self.assertEqual(self.run_program("--check", TRANSITD_SOCKET=self.path("none")).returncode, 69)
        self.assertEqual(self.run_program("--check", "--socket", "x" * 200).returncode, 69)


if __name__ == "__main__":
    unittest.main()
