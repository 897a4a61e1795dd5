#!/usr/bin/env python3
"""Resizes pictures in Chromium, without a GPU: browser.py FOLDER [CASES_A_FUNCTION]."""

import base64
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile

from _resized_cases import Cases, missing, np

try:
    from PIL import Image
except ImportError:
    missing("Pillow")

SCRIPT = """
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const text = (data) => { let s = ''; for (const v of data) s += String.fromCharCode(v); return btoa(s); };
async function resized(c) {
  const data = new ImageData(new Uint8ClampedArray(bytes(c.data)), c.w, c.h), in_memory = {willReadFrequently: true};
  let from = document.createElement('canvas');
  if (c.source == 'image') { from = new Image(); from.src = 'data:image/png;base64,' + c.png; await from.decode(); }
  else if (c.source == 'bitmap')
    from = await createImageBitmap(data, {resizeWidth: c.W, resizeHeight: c.H, resizeQuality: c.quality});
  else { from.width = c.w; from.height = c.h; from.getContext('2d', in_memory).putImageData(data, 0, 0); }
  const to = document.createElement('canvas');
  to.width = c.W; to.height = c.H;
  const context = to.getContext('2d', in_memory);
  context.imageSmoothingEnabled = c.quality != 'off' && c.source != 'bitmap';
  if (context.imageSmoothingEnabled) context.imageSmoothingQuality = c.quality;
  context.drawImage(from, 0, 0, c.W, c.H);
  return text(context.getImageData(0, 0, c.W, c.H).data);
}
"""


class Browser:
    """Chromium, spoken to over its debugging pipe."""

    def __init__(self, exe):
        self.folder = tempfile.TemporaryDirectory()
        to_browser, from_browser = os.pipe(), os.pipe()

        def child():
            os.dup2(to_browser[0], 30)
            os.dup2(from_browser[1], 31)
            os.dup2(30, 3)
            os.dup2(31, 4)

        flags = ["--headless=new", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1",
                 "--remote-debugging-pipe", "--user-data-dir=" + self.folder.name]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        self.process = subprocess.Popen([exe, *flags], preexec_fn=child, close_fds=False, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(to_browser[0])
        os.close(from_browser[1])
        self.out, self.into, self.count, self.buffer, self.session = to_browser[1], from_browser[0], 0, b"", None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Runtime.evaluate", expression=SCRIPT)

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data[:65536]):]
        while True:
            while b"\0" not in self.buffer:
                more = os.read(self.into, 1 << 20)
                if not more:
                    sys.exit("Chromium has ended")
                self.buffer += more
            one, self.buffer = self.buffer.split(b"\0", 1)
            one = json.loads(one)
            if one.get("id") == self.count:
                if "error" in one or "exceptionDetails" in one["result"]:
                    sys.exit(str(one)[:500])
                return one["result"]

    def draw(self, picture, W, H, source, quality):
        case = {"w": picture.shape[1], "h": picture.shape[0], "W": W, "H": H, "source": source, "quality": quality,
                "data": base64.b64encode(picture.tobytes()).decode(), "png": png(picture)}
        answer = self.call("Runtime.evaluate", expression=f"resized({json.dumps(case)})", awaitPromise=True, returnByValue=True)
        return np.frombuffer(base64.b64decode(answer["result"]["value"]), np.uint8).reshape(H, W, 4)

    def page(self, picture, W, H, rendering):
        html = (f"<style>body{{margin:0}}img{{display:block;width:{W}px;height:{H}px;image-rendering:{rendering}}}</style>"
                f"<img src='data:image/png;base64,{png(picture)}'>")
        self.call("Emulation.setDeviceMetricsOverride", width=W, height=H, deviceScaleFactor=1, mobile=False)
        script = f"document.open();document.write({json.dumps(html)});document.close();document.images[0].decode()"
        self.call("Runtime.evaluate", expression=script, awaitPromise=True)
        shot = self.call("Page.captureScreenshot", format="png", clip={"x": 0, "y": 0, "width": W, "height": H, "scale": 1})
        return np.array(Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB"))

    def close(self):
        self.session = None
        os.write(self.out, b'{"id":0,"method":"Browser.close"}\0')
        self.process.wait()


def png(picture):
    file = io.BytesIO()
    Image.fromarray(picture, "RGBA").save(file, "png")
    return base64.b64encode(file.getvalue()).decode()


def main():
    exe = shutil.which("chromium") or shutil.which("chromium-browser")
    if not exe:
        missing("Chromium")
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    cases = Cases(sys.argv[1], seed=13)
    browser = Browser(exe)
    canvases = [("canvas", q, f"canvas:quality={q}") for q in ("off", "low", "medium", "high")]
    images = [("image", "medium", "canvas:source=image")]
    bitmaps = [("bitmap", q, f"bitmap:resizeQuality={q}") for q in ("pixelated", "low", "medium", "high")]
    for k in range(count):
        for source, quality, spec in canvases + images + bitmaps:
            w, h, W, H = cases.sizes()
            alpha = k % 5 == 4
            picture = cases.picture(w, h, 4, "u8", alpha)
            if not alpha:
                picture[..., 3] = 255
            result = browser.draw(picture, W, H, source, quality)
            if not alpha:
                picture, result = picture[..., :3], result[..., :3]
            floats = quality in ("medium", "high") and source != "image"  # their ties are as they come
            bound = {"levels": 0}
            if alpha:
                bound = {"levels": 2, "share": 0.2} if source == "bitmap" or floats else {"levels": 1, "share": 0.05}
            elif floats or (source, quality) == ("bitmap", "low"):
                bound = {"levels": 1, "share": 0.15}
            cases.add("like:browser/" + spec, picture, result, "u8", bound, alpha)
        for rendering in ("auto", "pixelated"):
            w, h, W, H = cases.sizes()
            picture = cases.picture(w, h, 4, "u8")
            picture[..., 3] = 255
            cases.add(f"like:browser/css:image-rendering={rendering}", picture[..., :3],
                      browser.page(picture, W, H, rendering), "u8", {"levels": 0})
    browser.close()
    cases.write()


main()
