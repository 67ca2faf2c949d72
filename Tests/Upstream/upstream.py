#!/usr/bin/env python3
"""An upstream server with the faults that the tests need: HTTP and HTTPS on loopback, standard library only.

Usage: upstream.py [--folder FOLDER] [--tls NAME CERTIFICATE KEY]...

Prints one line of JSON with the port of each listener ("plain", and each NAME), and serves until its standard input is
closed. The path selects a scenario of SCENARIOS, and the query has its parameters. PUT /control with
{"/path": "/status?code=503"} replaces the scenario of a path, and null restores it, so that a test can make an upstream fail
and recover; "*" means every path. A scenario with the parameter `held` answers when /control replaces it. PUT /clock with {"now": SECONDS, "rate": RATE} sets the time of /live and its rate.
"""

import argparse
import email.utils
import gzip
import hashlib
import json
import os
import socket
import ssl
import struct
import sys
import threading
import time
import urllib.parse
import warnings
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import hongkong_city
import soak_city
import tranzy_city
import transit511
import wabus_city
from protobuf_wire import varint

BODY = b"the timetable of a small town\n" * 8
# An error of the daemon must not contain any part of this text.
ERROR_BODY = b"upstream-error-page: something went wrong inside"


class State:
    """The state that all listeners share."""

    def __init__(self, folder):
        self.folder = folder
        self.lock = threading.Lock()
        self.log = []
        self.connections = 0
        self.overrides = {}
        self.clock = (time.time(), 1.0, time.monotonic())

    def now(self):
        with self.lock:
            start, rate, began = self.clock
        return int(start + (time.monotonic() - began) * rate)


class Upstream(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, name, state, context=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.name, self.state, self.context = name, state, context

    def finish_request(self, request, client_address):
        """Performs the TLS handshake on the thread of the connection, so that a slow client does not block others."""
        with self.state.lock:
            self.state.connections += 1
        if self.context is not None:
            try:
                request = self.context.wrap_socket(request, server_side=True)
            except OSError:
                return
        super().finish_request(request, client_address)

    def handle_error(self, request, client_address):
        """Ignores clients that disconnect, which tests do intentionally."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60

    def log_message(self, *arguments):
        pass

    def do_PUT(self):
        state = self.server.state
        change = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with state.lock:
            if self.path == "/clock":
                state.clock = (change["now"], change["rate"], time.monotonic())
            else:
                state.overrides.update(change)
        self.answer(b"")

    def do_GET(self):
        state = self.server.state
        path = self.path.split("?")[0]
        if path not in ("/log", "/connections"):
            with state.lock:
                entry = {"listener": self.server.name, "target": self.path}
                entry["headers"] = {name.lower(): value for name, value in self.headers.items()}
                state.log.append(entry)
        with state.lock:
            target = state.overrides.get(path) or self.path
            if path not in ("/log", "/connections"):
                target = state.overrides.get("*") or target
        parts = urllib.parse.urlsplit(target)
        query = dict(urllib.parse.parse_qsl(parts.query))
        if "held" in query:
            self.wait_for_change(path, target)
        if parts.path.startswith("/files/"):
            return self.serve_file(parts.path[len("/files/"):])
        if parts.path.startswith("/wabus/"):
            return wabus_city.answer(self, parts.path[len("/wabus"):], query)
        if parts.path.startswith("/hongkong/"):
            code, body, headers = hongkong_city.answer(parts.path[len("/hongkong"):], query, state.now())
            return self.answer(body, code, headers)
        scenario = SCENARIOS.get(parts.path)
        if scenario is None:
            return self.answer(ERROR_BODY, status=404)
        scenario(self, query)

    def wait_for_change(self, path, target):
        state = self.server.state
        while True:
            with state.lock:
                if state.overrides.get(path) != target:
                    return
            time.sleep(0.01)

    # Responses

    def answer(self, body, status=200, headers=(), length=None):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        if status != 304:
            self.wfile.write(body)

    def answer_validated(self, body, etag, last_modified=None):
        """Sends a response with validators. If-None-Match has precedence over If-Modified-Since (RFC 9110 section 13.2.2)."""
        headers = [("ETag", etag)]
        if last_modified:
            headers.append(("Last-Modified", last_modified))
        known = self.headers.get("If-None-Match")
        since = self.headers.get("If-Modified-Since")
        if known == etag or (known is None and last_modified and since == last_modified):
            return self.answer(b"", 304, headers)
        self.answer(body, 200, headers)

    def serve_file(self, name):
        path = os.path.join(self.server.state.folder or "/nonexistent", os.path.basename(name))
        try:
            with open(path, "rb") as file:
                body = file.read()
                changed = os.fstat(file.fileno()).st_mtime
        except OSError:
            return self.answer(ERROR_BODY, status=404)
        etag = '"%s"' % hashlib.sha256(body).hexdigest()[:16]
        self.answer_validated(body, etag, email.utils.formatdate(changed, usegmt=True))

    def hang_up(self, reset=False):
        """Closes the connection; with `reset`, with RST instead of FIN."""
        self.close_connection = True
        if reset:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            # The buffered files keep the socket open.
            self.connection.close()
            self.rfile.close()


# Scenarios

def ok(handler, query):
    handler.answer_validated(BODY, query.get("etag", '"v1"'), "Sat, 28 Mar 2026 08:12:00 GMT")


def always_304(handler, query):
    handler.answer(b"", 304)


def always_200(handler, query):
    handler.answer(BODY)


def html(handler, query):
    handler.answer(b"<!DOCTYPE html><title>Welcome to our hotel</title>", headers=[("Content-Type", "text/html")])


def long_header(handler, query):
    """A header with lines of `kib` KiB, `count` times."""
    lines = [("X-Long", "x" * (int(query["kib"]) << 10))] * int(query.get("count", "1"))
    handler.answer(BODY, headers=lines)


def compressed(handler, query):
    coding = query.get("coding", "gzip")
    if coding not in handler.headers.get("Accept-Encoding", ""):
        return handler.answer(BODY)
    body = gzip.compress(BODY) if coding == "gzip" else zlib.compress(BODY)
    if "broken" in query:
        body = body[:10] + bytes(len(body) - 10)
    handler.answer(body, headers=[("Content-Encoding", coding)])


def bomb(handler, query):
    body = gzip.compress(bytes(int(query.get("mib", 64)) << 20), 9)
    handler.answer(body, headers=[("Content-Encoding", "gzip")])


def redirect(handler, query):
    location = [("Location", query["to"])] if "to" in query else []
    handler.answer(ERROR_BODY, int(query.get("code", 302)), location)


def loop(handler, query):
    handler.answer(b"", 307, [("Location", "/loop")])


def status(handler, query):
    headers = []
    after = query.get("retry_after")
    if after == "date":
        headers = [("Retry-After", email.utils.formatdate(time.time() + 120, usegmt=True))]
    elif after:
        headers = [("Retry-After", after)]
    handler.answer(ERROR_BODY, int(query.get("code", 503)), headers)


def slow_head(handler, query):
    time.sleep(float(query.get("seconds", 20)))
    handler.answer(BODY)


def slow_file(handler, query):
    """Sends a file of the folder after a delay."""
    time.sleep(float(query.get("seconds", 2)))
    handler.serve_file(query["file"])


def drip(handler, query):
    """Sends a byte every 50 ms, and announces a body that would take longer than any timeout."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    for _ in range(int(float(query.get("seconds", 20)) * 20)):
        handler.wfile.write(b"x")
        handler.wfile.flush()
        time.sleep(0.05)


def truncated(handler, query):
    handler.answer(BODY, length=len(BODY) + 100)
    handler.hang_up()


def reset(handler, query):
    handler.answer(BODY, length=len(BODY) + 100)
    handler.wfile.flush()
    handler.hang_up(reset=True)


def drop(handler, query):
    """Closes the connection without a response."""
    handler.hang_up()


def huge(handler, query):
    """Sends a large body without a length, so that the client must count the bytes."""
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    chunk = bytes(1 << 16)
    for _ in range(int(query.get("mib", 64)) * 16):
        handler.wfile.write(b"%x\r\n" % len(chunk) + chunk + b"\r\n")
    handler.wfile.write(b"0\r\n\r\n")


def realtime(handler, query):
    """Sends an empty GTFS-Realtime message. The header's timestamp is `offset` seconds from now; without `offset`, there is none."""
    header = b"\x0a\x032.0\x10\x00"
    if "offset" in query:
        header += b"\x18" + varint(int(time.time()) + int(query["offset"]))
    handler.answer(b"\x0a" + varint(len(header)) + header, headers=[("Content-Type", "application/x-protobuf")])


def live(handler, query):
    """Sends a GTFS-Realtime message of the folder with a new header, which comes first and has the time of PUT /clock.

    `seconds` delays the response. Without `file`, the message is empty. `differential` makes it a differential one.
    """
    time.sleep(float(query.get("seconds", 0)))
    entities = b""
    if "file" in query:
        with open(os.path.join(handler.server.state.folder, os.path.basename(query["file"])), "rb") as file:
            message = file.read()
        # Field 1 and its length, which is a single byte because a header is short.
        entities = message[2 + message[1]:]
    kind = b"\x01" if "differential" in query else b"\x00"
    header = b"\x0a\x032.0\x10" + kind + b"\x18" + varint(handler.server.state.now())
    body = b"\x0a" + varint(len(header)) + header + entities
    handler.answer(body, headers=[("Content-Type", "application/x-protobuf")])


def city(handler, query):
    """Sends the archive of the city of `make soak`, or with `kind` a realtime message for the current time."""
    now = handler.server.state.now()
    if "kind" in query:
        return handler.answer(soak_city.message(now, query["kind"]), headers=[("Content-Type", "application/x-protobuf")])
    body = soak_city.archive(time.gmtime(now).tm_year)
    handler.answer_validated(body, '"%s"' % hashlib.sha256(body).hexdigest()[:16])


def echo(handler, query):
    """Returns the request in the body and in headers, as careless servers do."""
    sent = json.dumps({"target": handler.path, "headers": dict(handler.headers.items())})
    headers = [("X-You-Asked", handler.path), ("X-Your-Key", handler.headers.get("X-API-KEY", "none"))]
    handler.answer(sent.encode(), int(query.get("code", 200)), headers)


def connections(handler, query):
    with handler.server.state.lock:
        body = json.dumps(handler.server.state.connections)
    handler.answer(body.encode())


def log(handler, query):
    with handler.server.state.lock:
        body = json.dumps(handler.server.state.log)
    handler.answer(body.encode())


SCENARIOS = {
    "/ok": ok, "/always-304": always_304, "/always-200": always_200, "/html": html, "/compressed": compressed,
    "/long-header": long_header,
    "/bomb": bomb, "/redirect": redirect, "/loop": loop, "/status": status, "/slow-head": slow_head,
    "/slow-file": slow_file, "/drip": drip,
    "/truncated": truncated, "/reset": reset, "/drop": drop, "/huge": huge, "/realtime": realtime, "/live": live, "/city": city,
    "/echo": echo, "/connections": connections, "/log": log, **transit511.SCENARIOS,
}
SCENARIOS.update(tranzy_city.SCENARIOS)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder")
    parser.add_argument("--tls", nargs=3, action="append", default=[], metavar=("NAME", "CERTIFICATE", "KEY"))
    options = parser.parse_args()
    state = State(options.folder)
    servers = [Upstream("plain", state)]
    for name, certificate, key in options.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        if name == "old-tls":
            # The client's OpenSSL must also allow this.
            warnings.simplefilter("ignore", DeprecationWarning)
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
        servers.append(Upstream(name, state, context))
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({server.name: server.server_address[1] for server in servers}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
