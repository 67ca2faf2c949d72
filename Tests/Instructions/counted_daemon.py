"""The daemon in callgrind."""

import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Replies"))

# pylint: disable=wrong-import-position
from transit_daemon import RecordingError, TransitDaemon  # noqa: E402


class CountedDaemon(TransitDaemon):
    """A daemon in callgrind, which counts only between `begin` and `end`."""

    def __init__(self, program, folder, *arguments):
        super().__init__(os.path.join(folder, "transitd-in-callgrind"), folder)
        self.output = os.path.join(folder, "callgrind.out")
        self.prefix = "--vgdb-prefix=" + os.path.join(folder, "vgdb")
        # callgrind reads symbols, but not Swift's debug data.
        stripped = os.path.join(folder, "transitd")
        subprocess.run(["strip", "-g", "-o", stripped, program], check=True)
        command = [
            "valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no", self.prefix,
            "--callgrind-out-file=" + self.output, stripped, *arguments]
        with open(self.program, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexec %s \"$@\"\n" % shlex.join(command))
        os.chmod(self.program, 0o700)

    def begin(self):
        """Begins to count, after everything that is under way has ended."""
        self.settle(3)
        self.control("--instr=on")

    def end(self, profile=None):
        """Returns the instructions since `begin`, and copies callgrind's profile to a file."""
        self.settle(3)
        self.control("--instr=off")
        self.control("--dump")
        counts = {}
        for path in glob.glob(self.output + ".*"):
            with open(path, encoding="utf-8") as file:
                found = re.search(r"^totals: (\d+)", file.read(), re.M)
            counts[path] = int(found.group(1)) if found else 0
            os.rename(path, path.replace("callgrind.out", "counted"))
        if not any(counts.values()):
            raise RecordingError("callgrind counted no instructions")
        if profile:
            largest = max(counts, key=counts.get)
            shutil.copyfile(largest.replace("callgrind.out", "counted"), profile)
        return sum(counts.values())

    def control(self, option):
        subprocess.run(
            ["callgrind_control", self.prefix, option, str(self.process.pid)], check=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)

    def result(self, method, parameters):
        result, error = self.ask(method, parameters)
        if error:
            raise RecordingError("%s %s: %s" % (method, json.dumps(parameters), error["message"]))
        return result

    def per_request(self, requests, profile=None):
        """Sends all requests twice, and returns the mean number of instructions of the second time."""
        for method, parameters in requests:
            self.result(method, parameters)
        self.begin()
        for method, parameters in requests:
            self.result(method, parameters)
        return round(self.end(profile) / len(requests))
