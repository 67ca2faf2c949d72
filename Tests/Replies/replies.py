#!/usr/bin/env python3
"""Records the replies of the built daemon to requests about recorded feeds, and compares recordings.

scripts/replies describes the use.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time

from comparison import compare
from recorded_feeds import all_feeds
from recording import FeedRecording
from transit_daemon import RecordingError

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# What the exit status says. 77 is the status of a skipped test in Automake and Meson.
EQUAL, DIFFERENT, FAILED, SKIPPED = 0, 1, 2, 77


class MissingData(Exception):
    """What the recorded feeds lack."""


def skipped(reason):
    print("replies: SKIPPED: %s; nothing was recorded or compared" % reason, file=sys.stderr)
    return SKIPPED


def shared_data():
    """The folder with recorded feeds; `None` if there is none."""
    candidates = [os.environ.get("TRANSITD_SHARED_DATA"), os.path.join(ROOT, "..", "shared", "data")]
    for folder in candidates:
        if folder and os.path.isdir(os.path.join(folder, "gtfs")):
            return os.path.realpath(folder)
    return None


def version():
    """Identifies the requests of a recording: a digest of this program."""
    digest = hashlib.sha256()
    for name in sorted(os.listdir(HERE)):
        if name.endswith(".py") and name not in ("comparison.py", "replies.py"):
            with open(os.path.join(HERE, name), "rb") as file:
                digest.update(file.read())
    return digest.hexdigest()[:16]


def record(path, program, data):
    """Writes the replies of a program to a file."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="transitd-replies-") as scratch:
        try:
            feeds = all_feeds(data, scratch)
        except (FileNotFoundError, subprocess.CalledProcessError) as error:
            raise MissingData("%s lacks a recorded feed: %s" % (data, error)) from error
        recordings = [FeedRecording(feed, program, os.path.join(scratch, feed.name)) for feed in feeds]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            lines = [line for found in pool.map(FeedRecording.record, recordings) for line in found]
    with open(path, "wb") as file:
        file.write(json.dumps({"requests": version()}).encode() + b"\n")
        file.writelines(lines)
    print("replies: recorded %d replies of %d feeds in %d s" % (len(lines), len(feeds), time.monotonic() - began))


def main():
    parser = argparse.ArgumentParser(prog="scripts/replies", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--binaries", default=os.path.join(ROOT, ".build", "debug"), metavar="FOLDER",
        help="the folder with the built transitd (default: .build/debug)")
    commands = parser.add_subparsers(dest="command", required=True)
    recorder = commands.add_parser("record", help="record the replies of the built daemon")
    recorder.add_argument("file")
    comparer = commands.add_parser("compare", help="compare a recording with the built daemon or another recording")
    comparer.add_argument("file")
    comparer.add_argument("other", nargs="?")
    options = parser.parse_args()
    if options.command == "compare" and options.other:
        return EQUAL if compare(options.file, options.other) else DIFFERENT
    data = shared_data()
    if data is None:
        return skipped("neither TRANSITD_SHARED_DATA nor ../shared/data has recorded feeds")
    program = os.path.abspath(os.path.join(options.binaries, "transitd"))
    if not os.access(program, os.X_OK):
        print("replies: there is no program %s; build it first" % program, file=sys.stderr)
        return FAILED
    try:
        if options.command == "record":
            record(options.file, program, data)
            return EQUAL
        with tempfile.TemporaryDirectory(prefix="transitd-replies-") as folder:
            current = os.path.join(folder, "current.jsonl")
            record(current, program, data)
            return EQUAL if compare(options.file, current) else DIFFERENT
    except MissingData as error:
        return skipped(error)
    except RecordingError as error:
        print("replies: %s" % error, file=sys.stderr)
        return FAILED


if __name__ == "__main__":
    sys.exit(main())
