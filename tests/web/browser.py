"""Chromium, driven by chromedriver over plain HTTP, and the page in it."""

import base64
import contextlib
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "web"))
import serve  # noqa: E402

PATIENCE = 60  # seconds, until something is there
pictures = None  # a folder for screenshots


@contextlib.contextmanager
def served(folder, isolated=True):
    running = serve.server(folder, isolated=isolated)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{running.server_port}/"
    finally:
        running.shutdown()
        running.server_close()


def shoot(page, name):
    if pictures:
        (pictures / f"{name}.png").write_bytes(page.screenshot())


def chart(x, y):
    """A picture whose pixels all differ from their neighbours."""
    return (37 * x + 11 * y) % 256, (5 * x + 59 * y) % 256, (x ^ y) * 3 % 256


class Browser:
    """A session of the WebDriver protocol, with Chromium's own protocol for events and measurements."""

    def __init__(self, width=1280, height=800, ratio=1, touch=False, arguments=()):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True, start_new_session=True)
        for line in self.driver.stdout:
            if "successfully on port" in line:
                self.root = f"http://127.0.0.1:{line.split('on port')[1].strip().split()[0].rstrip('.')}"
                break
        threading.Thread(target=self.driver.stdout.read, daemon=True).start()
        self.profile = tempfile.mkdtemp()
        switches = [f"--user-data-dir={self.profile}", "--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                    "--disable-background-networking", "--disable-component-update", "--no-first-run",
                    f"--window-size={width},{height}", *arguments]
        capabilities = {"browserName": "chrome", "goog:chromeOptions": {"args": switches},
                        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        try:
            self.root += "/session/" + self.ask("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})["sessionId"]
            self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio,
                         mobile=touch)
            if touch:
                self.command("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
        except BaseException:
            self.end()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        """The driver and the browser, which is in its session; a page that hangs would not end by itself."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.driver.pid, signal.SIGKILL)
        self.driver.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.root + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=100) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"]) from None

    def command(self, name, **parameters):
        return self.ask("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def go(self, address):
        self.ask("POST", "/url", {"url": address})

    def run(self, script, *arguments):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, what, look, patience=PATIENCE):
        """Until `look` (JavaScript's expression, or a function) is true; returns it."""
        end = time.monotonic() + patience
        while True:
            found = look() if callable(look) else self.run("return " + look)
            if found:
                return found
            if time.monotonic() > end:
                raise AssertionError(f"{what} did not come; the page says {self.run('return words.hidden ? null : words.textContent')!r}, "
                                     f"the console {self.log('browser')}")
            time.sleep(0.03)

    def log(self, kind):
        return self.ask("POST", "/se/log", {"type": kind})

    def screenshot(self):
        return base64.b64decode(self.ask("GET", "/screenshot"))


class Page(Browser):
    """The program in the browser: its state is the line of JSON that the native program prints with --trace-state."""

    def __init__(self, address, after="", asked="", before="", **options):
        super().__init__(**options)
        self.address = address
        self.ratio = options.get("ratio", 1)
        # The hint of the first start goes after some seconds, which nothing here waits for.
        self.command("Page.addScriptToEvaluateOnNewDocument", source="""
            if (location.protocol === "http:" && !localStorage.getItem("texelscope/settings"))
                localStorage.setItem("texelscope/settings", '{"hint_dismissed": true}');""")
        if before:  # runs before the page's own scripts
            self.command("Page.addScriptToEvaluateOnNewDocument", source=before)
        separator = "&" if asked else ""
        self.go(f"{address}?log{separator}{asked}{after}")
        self.wait("the program", "Module.running === true")

    def state(self):
        return json.loads(self.run("return Module.ccall('page_state', 'string', [], [])"))

    def until(self, what, holds, patience=PATIENCE):
        """The state once holds(state)."""
        def look():
            state = self.state()
            try:
                return state if holds(state) else None
            except (KeyError, IndexError, TypeError):
                return None
        return self.wait(what, look, patience)

    def rest(self):
        """The state once nothing is to be drawn."""
        self.wait("rest", "Module.resting()")
        return self.state()

    def control(self, name):
        """Where a control stays, in the page's pixels: a list that is being filtered moves its rows."""
        box = None
        while True:
            found = self.until(f"the control {name}", lambda s: name in s["controls"])["controls"][name]
            if found == box:
                break
            box = found
            self.answered()
        return (box[0] + box[2] / 2) / self.ratio, (box[1] + box[3] / 2) / self.ratio

    def mouse(self, kind, x, y, **more):
        self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click_at(self, x, y, button="left"):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button=button, clickCount=1)
        self.mouse("mouseReleased", x, y, button=button, clickCount=1)

    def click(self, name):
        """And waits until the interface has answered, with the keyboard where it belongs."""
        self.click_at(*self.control(name))
        self.answered()

    def answered(self):
        """Until the interface has drawn what came before."""
        turns = self.run("return Module.turns")
        self.wait("an answer", f"Module.turns >= {turns + 2} || Module.resting()")

    def touch(self, kind, *points):
        self.command("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)])

    def middle(self):
        x, y, width, height = self.state()["picture"]
        return (x + width / 2) / self.ratio, (y + height / 2) / self.ratio

    def wheel(self, x, y, notches):
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=-100 * notches)

    def key(self, key, code, number, modifiers=0, text=""):
        """Modifiers as Chromium counts them: 1 Alt, 2 Ctrl, 8 Shift."""
        both = {"key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": modifiers}
        self.command("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **both)
        self.command("Input.dispatchKeyEvent", type="keyUp", **both)

    def letter(self, letter, modifiers=0):
        self.key(letter, f"Key{letter.upper()}", ord(letter.upper()), modifiers, "" if modifiers & 3 else letter)

    def type(self, text):
        for each in text:
            code = f"Key{each.upper()}" if each.isascii() and each.isalpha() else f"Digit{each}" if each.isdigit() else ""
            self.key(each, code, 0, 0, each)

    def enter(self):
        self.key("Enter", "Enter", 13, 0, "\r")

    def drop(self, name, data):
        self.run("""
            const bytes = Uint8Array.from(atob(arguments[1]), c => c.charCodeAt(0)), data = new DataTransfer();
            data.items.add(new File([bytes], arguments[0]));
            canvas.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));""",
                 name, base64.b64encode(data).decode())

    def check_quiet(self):
        """Nothing went wrong in the console, and nothing was asked of others."""
        wrong = [each for each in self.log("browser") if each["level"] in ("SEVERE", "WARNING")]
        assert not wrong, wrong
        events = [json.loads(each["message"])["message"] for each in self.log("performance")]
        asked = {each["params"]["request"]["url"] for each in events if each["method"] == "Network.requestWillBeSent"}
        own = (self.address, "data:", "blob:" + self.address, "about:", "chrome:")  # Chromium's first tab is a page, too
        others = {url for url in asked if not url.startswith(own)}
        assert not others, f"requests to elsewhere: {others}"


def png(width, height, pixel):
    """An RGB file; pixel(x, y) gives three bytes."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width)) for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def pixels(file):
    """A PNG of 8 bits, RGB or RGBA, not interlaced: width, height, channels, rows of bytes."""
    at, packed = 8, b""
    while at < len(file):
        size, kind = struct.unpack(">I4s", file[at:at + 8])
        data = file[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", data)
            assert depth == 8 and interlaced == 0, (depth, interlaced)
            channels = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
        elif kind == b"IDAT":
            packed += data
        at += size + 12
    raw, stride, rows, above = zlib.decompress(packed), width * channels, [], bytearray(width * channels)
    for y in range(height):
        kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left = row[i - channels] if i >= channels else 0
            up, corner = above[i], above[i - channels] if i >= channels else 0
            if kind == 1:
                row[i] = (row[i] + left) & 255
            elif kind == 2:
                row[i] = (row[i] + up) & 255
            elif kind == 3:
                row[i] = (row[i] + (left + up) // 2) & 255
            elif kind == 4:
                guess = left + up - corner
                nearest = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
                row[i] = (row[i] + nearest) & 255
        rows.append(bytes(row))
        above = row
    return width, height, channels, rows
