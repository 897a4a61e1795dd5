#!/usr/bin/env python3
"""The page in headless Chromium, by chromedriver.

    check_page.py FOLDER [--screenshots FOLDER]    FOLDER: with index.html

Status 77 if Chromium or its driver is missing.
"""

import argparse
import base64
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import threading
import time
import urllib.request
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "web"))
import serve  # noqa: E402

PATIENCE = 120  # seconds, until something is there


class Browser:
    """A session of the WebDriver protocol."""

    def __init__(self, width, height):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        for line in self.driver.stdout:
            if "on port" in line:
                self.root = f"http://127.0.0.1:{line.split('on port')[1].strip(' .').split()[0].rstrip('.')}"
                break
        threading.Thread(target=self.driver.stdout.read, daemon=True).start()
        arguments = ["--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                     "--disable-background-networking", f"--window-size={width},{height}"]
        options = {"args": arguments}
        capabilities = {"browserName": "chrome", "goog:chromeOptions": options,
                        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        self.root += "/session/" + self.ask("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})["sessionId"]
        self.command("Emulation.setDeviceMetricsOverride",
                     width=width, height=height, deviceScaleFactor=1, mobile=False)

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.root + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=300) as answer:
            return json.load(answer)["value"]

    def command(self, name, **parameters):
        return self.ask("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def run(self, script):
        return self.ask("POST", "/execute/sync", {"script": script, "args": []})

    def wait(self, what, script):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.run("return " + script):
                return
            time.sleep(0.1)
        raise AssertionError(f"{what} did not come; the page says: {self.run('return words.textContent')!r}; "
                             f"console: {self.log('browser')}")

    def log(self, kind):
        return self.ask("POST", "/se/log", {"type": kind})

    def screenshot(self):
        return base64.b64decode(self.ask("GET", "/screenshot"))

    def close(self):
        try:
            self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()


def png(width, height, pixel):
    """An RGB file; pixel(x, y) gives three bytes."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width)) for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


DROP = """
const bytes = Uint8Array.from(atob(%s), c => c.charCodeAt(0)), data = new DataTransfer();
data.items.add(new File([bytes], %s, {type: "image/png"}));
canvas.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
"""


def check(browser, address, name, pictures):
    began = time.monotonic()
    browser.ask("POST", "/url", {"url": address + "#lesson=half-texel/3"})
    browser.wait("the program", "Module.running === true")
    print(f"{name}: the first picture came after {time.monotonic() - began:.1f} s")
    browser.wait("the lesson", "document.title.length > 0 && document.title !== 'texelscope'")
    time.sleep(2)
    pictures("lesson", browser.screenshot())
    file = base64.b64encode(png(64, 48, lambda x, y: (4 * x, 5 * y, 128))).decode()
    browser.run(DROP % (json.dumps(file), json.dumps("dropped.png")))
    browser.wait("the dropped picture", "document.title.includes('dropped.png')")
    time.sleep(2)
    pictures("dropped", browser.screenshot())
    errors = [entry for entry in browser.log("browser") if entry["level"] == "SEVERE"]
    assert not errors, errors
    asked = [json.loads(entry["message"])["message"] for entry in browser.log("performance")]
    others = {each["params"]["request"]["url"] for each in asked if each["method"] == "Network.requestWillBeSent"}
    others = {url for url in others if not url.startswith((address, "data:", "blob:"))}
    assert not others, f"requests were made: {others}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--screenshots")
    arguments = parser.parse_args()
    if not shutil.which("chromedriver") or not shutil.which("chromium"):
        print("no chromium or chromedriver here")
        return 77
    running = serve.server(arguments.folder)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{running.server_port}/"
    for width, height in ((1280, 800), (390, 844)):
        def keep(what, data, size=f"{width}x{height}"):
            if arguments.screenshots:
                pathlib.Path(arguments.screenshots, f"{what}-{size}.png").write_bytes(data)
        browser = Browser(width, height)
        try:
            check(browser, address, f"{width}×{height}", keep)
        finally:
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
