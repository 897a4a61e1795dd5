"""Firefox, by its own protocol (Marionette): lists of JSON over a socket, each after its length. On a display in memory, since
without one it offers no WebGL."""

import base64
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PREFERENCES = {
    "marionette.port": 0,  # any free one, which it writes into its profile
    "webgl.force-enabled": True,  # without a GPU
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}


def program():
    """Empty if it, or Xvfb, is missing."""
    return shutil.which("Xvfb") and (shutil.which("firefox-esr") or shutil.which("firefox"))


class Firefox:
    def __init__(self, width=1280, height=800):
        self.profile = pathlib.Path(tempfile.mkdtemp())
        (self.profile / "user.js").write_text("".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()))
        self.processes = []
        try:
            screen = self.begin("Xvfb", "-displayfd", "1", "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp", stdout=subprocess.PIPE)
            display = ":" + screen.stdout.readline().decode().strip()
            self.begin(program(), "--marionette", "--no-remote", "--profile", str(self.profile), f"--width={width}", f"--height={height}",
                       env=os.environ | {"HOME": str(self.profile), "DISPLAY": display})
            port = self.wait("Firefox", lambda: (self.profile / "MarionetteActivePort").read_text()
                             if (self.profile / "MarionetteActivePort").exists() else "")
            self.socket = socket.create_connection(("127.0.0.1", int(port)), timeout=120)
            self.stream = self.socket.makefile("rb")
            self.read()  # the greeting
            self.number = 0
            self.ask("WebDriver:NewSession", {})
        except BaseException:
            self.end()
            raise

    def begin(self, *command, **options):
        self.processes.append(subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL,
                                               **({"stdout": subprocess.DEVNULL} | options)))
        return self.processes[-1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        for process in reversed(self.processes):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def read(self):
        size = b""
        while (each := self.stream.read(1)) != b":":
            assert each, "Firefox has ended"
            size += each
        return json.loads(self.stream.read(int(size)))

    def ask(self, command, parameters):
        self.number += 1
        text = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self.read()
        assert not error, error
        return result

    def go(self, address):
        self.ask("WebDriver:Navigate", {"url": address})

    def run(self, script, *arguments):
        # Without the sandbox: the page's own names are seen.
        return self.ask("WebDriver:ExecuteScript", {"script": script, "args": list(arguments), "sandbox": None})["value"]

    def state(self):
        return json.loads(self.run("return Module.ccall('page_state', 'string', [], [])"))

    def wait(self, what, look, patience=90):
        end = time.monotonic() + patience
        while not (found := look()):
            assert time.monotonic() < end and self.processes[-1].poll() is None, f"{what} did not come"
            time.sleep(0.05)
        return found

    def screenshot(self):
        return base64.b64decode(self.ask("WebDriver:TakeScreenshot", {"full": False})["value"])
