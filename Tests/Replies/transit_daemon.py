"""The daemon of a recording: its process under a clock that stands still, and a client."""

import json
import os
import signal
import socket
import subprocess
import time

# Real seconds after which a step that does not end is an error.
PATIENCE = 120
# The replayed clock advances by a second in 10,000 s of real time, so that no reply sees it advance and nothing that is
# planned for later happens. With a lower rate, the real time until a moment some days ahead exceeds the daemon's range.
RATE = "0.0001"


class RecordingError(Exception):
    """Why nothing can be recorded."""


class Client:
    """A connection to the control socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rb")

    def send(self, method, parameters):
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        self.socket.sendall(json.dumps(request, ensure_ascii=False).encode() + b"\n")

    def receive(self, method, parameters):
        """Returns the bytes of the reply's line without its line feed. Notifications before it are skipped."""
        while True:
            try:
                line = self.lines.readline()
            except TimeoutError:
                raise RecordingError("there is no reply to %s %s" % (method, json.dumps(parameters))) from None
            if not line.endswith(b"\n"):
                raise RecordingError("the daemon closed the connection during %s %s" % (method, json.dumps(parameters)))
            if b'"id":1' in line[:60]:
                return line[:-1]

    def close(self):
        self.lines.close()
        self.socket.close()


class TransitDaemon:
    """`transitd` with its files in a folder."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.process = None
        self.client = None
        self.socket = os.path.join(folder, "run", "transitd.sock")
        self.log = os.path.join(folder, "log")
        for name in ("state", "cache", "run", "config"):
            os.makedirs(os.path.join(folder, name), exist_ok=True)

    def configure(self, text):
        with open(os.path.join(self.folder, "config", "config.toml"), "w", encoding="utf-8") as file:
            file.write(text)

    def start(self, instant):
        """Starts the daemon at an instant, such as 2018-05-30T22:27:30Z."""
        variables = {
            "STATE_DIRECTORY": "state", "CACHE_DIRECTORY": "cache", "RUNTIME_DIRECTORY": "run",
            "CONFIGURATION_DIRECTORY": "config", "HOME": "",
        }
        environment = {name: os.path.join(self.folder, path).rstrip("/") for name, path in variables.items()}
        environment.update({
            "TZDIR": "/usr/share/zoneinfo", "PATH": os.defpath,
            # Where a reply depends on the order of a dictionary, this makes the order the same in each process.
            "SWIFT_DETERMINISTIC_HASHING": "1",
        })
        with open(self.log, "ab") as log:
            # pylint: disable-next=consider-using-with
            self.process = subprocess.Popen(
                [self.program, "--replay-clock", instant + "/" + RATE], env=environment, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log)
        self.client = self.eventually("the control socket", self.connect)

    def connect(self):
        try:
            return Client(self.socket)
        except OSError:
            return None

    def stop(self):
        """Ends the daemon. Its files stay."""
        if self.client:
            self.client.close()
            self.client = None
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise RecordingError("transitd does not end after SIGTERM") from None
            self.process = None

    def kill(self):
        """Ends the daemon at once, after an error."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def log_end(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return "".join(file.readlines()[-20:])

    def ask(self, method, parameters=None):
        """Returns the result of a method, or `None` and the error."""
        self.client.send(method, parameters or {})
        reply = json.loads(self.client.receive(method, parameters or {}))
        return reply.get("result"), reply.get("error")

    def eventually(self, what, look):
        """Polls until there is a value."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            value = look()
            if value:
                return value
            if self.process.poll() is not None:
                raise RecordingError("transitd has ended")
            time.sleep(0.02)
        raise RecordingError("there is no %s after %d seconds" % (what, PATIENCE))

    def settle(self, checks=1):
        """Waits until all threads of the daemon sleep in `checks` successive looks without having used the processor."""
        known, count = None, 0

        def is_settled():
            nonlocal known, count
            states, used = self.threads()
            count = count + 1 if states == {"S"} and used == known else int(states == {"S"})
            known = used
            return count >= checks

        self.eventually("rest of the daemon's threads", is_settled)

    def threads(self):
        """The states of the daemon's threads, and how often they were switched to."""
        states, used = set(), 0
        tasks = "/proc/%d/task" % self.process.pid
        for task in os.listdir(tasks):
            try:
                with open("%s/%s/status" % (tasks, task), encoding="ascii", errors="replace") as file:
                    for line in file:
                        if line.startswith("State:"):
                            states.add(line.split()[1])
                        elif "ctxt_switches:" in line:
                            used += int(line.split()[1])
            except OSError:
                # The thread has ended.
                states.add("ended")
        return states, used
