#!/usr/bin/env python3
"""Serves a folder on loopback, with the headers that threads need.

    serve.py FOLDER [PORT]    says the address, and serves until it is ended; PORT 0 or none: any free one
"""

import functools
import http.server
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {".wasm": "application/wasm"}

    def end_headers(self):
        if self.server.isolated:
            self.send_header("Cross-Origin-Opener-Policy", "same-origin")
            self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        self.send_header("Cache-Control", "no-cache")  # asked for again, and not sent if it is the same
        super().end_headers()

    def log_message(self, *_):
        pass


def server(folder, port=0, isolated=True):
    made = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Handler, directory=folder))
    made.isolated = isolated
    return made


if __name__ == "__main__":
    with server(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0) as running:
        print(f"http://127.0.0.1:{running.server_port}/", flush=True)
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            pass
