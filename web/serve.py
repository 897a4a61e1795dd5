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
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def log_message(self, *_):
        pass


def server(folder, port=0):
    return http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Handler, directory=folder))


if __name__ == "__main__":
    with server(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0) as running:
        print(f"http://127.0.0.1:{running.server_port}/", flush=True)
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            pass
