#!/usr/bin/env python3
"""A web service on loopback that receives what hooks send, with the faults that the tests need.

Usage: hook_peer.py MODE

MODE is a status (such as 200 or 503), "silent" (accepts connections and does not respond), "slow" (sends a header byte by
byte), "huge" (an endless body), "redirect" (to another path of this service), "garbage" (no HTTP), or "closing" (closes each
connection after the request). Prints its port, then each request as a line of JSON before it responds. Repeats each line of
its standard input, and exits when that is closed.
"""

import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


printing = threading.Lock()


def say(text):
    with printing:
        sys.stdout.write(text)
        sys.stdout.flush()


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def receive(self):
        mode = sys.argv[1]
        if mode == "silent":
            time.sleep(600)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        say(json.dumps({"method": self.command, "path": self.path, "body": body.decode(),
                        "headers": {name.lower(): value for name, value in self.headers.items()}}) + "\n")
        if mode == "garbage":
            self.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")
        elif mode == "slow":
            for byte in b"HTTP/1.1 200 OK\r\nX-Header: " + b"x" * 6000:
                self.wfile.write(bytes([byte]))
                time.sleep(0.2)
        elif mode == "huge":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n")
            while True:
                self.wfile.write(b"x" * 65536)
        elif mode != "closing":
            self.send_response(307 if mode == "redirect" else int(mode))
            if mode == "redirect":
                self.send_header("Location", f"http://127.0.0.1:{self.server.server_port}/elsewhere")
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")
        self.close_connection = True

    do_POST = do_PUT = do_GET = receive


class Peer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass  # the client has closed the connection


server = Peer(("127.0.0.1", 0), Handler)
say("%d\n" % server.server_port)
threading.Thread(target=server.serve_forever, daemon=True).start()
for line in sys.stdin:
    say(line)
