"""What a browser lacks, takes away or damages; the page in a frame; Firefox; the engine's tests in the browser."""

import json
import pathlib
import shutil
import struct
import tempfile
import zlib

import firefox as firefox_driver
from browser import Browser, Page, chart, pixels, png, served, shoot

NO_WEBGL = "HTMLCanvasElement.prototype.getContext = () => null;"
NO_VECTORS = "WebAssembly.validate = () => false;"
NO_THREADS = "Object.defineProperty(window, 'crossOriginIsolated', {value: false}); delete Navigator.prototype.serviceWorker; delete window.SharedArrayBuffer;"
NO_SHARED_MEMORY = NO_THREADS + """const Memory = WebAssembly.Memory;
    WebAssembly.Memory = function(how) { if (how.shared) throw new TypeError("no shared memory"); return new Memory(how); };"""
NO_STORAGE = "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('', 'SecurityError'); }});"
FULL_STORAGE = "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };"


def says(page, sentence):
    page.wait(f"“{sentence}”", lambda: sentence in page.run("return words.hidden ? '' : words.textContent"))


def tells(page, sentence):
    return page.until(f"“{sentence}”", lambda s: any(sentence in each["text"] for each in s["messages"]))


def opened(page, address):
    """Another address in the same tab."""
    page.go("about:blank")
    page.go(address)
    page.wait("the program", "typeof Module === 'object' && Module.running === true")


def refusals(folder):
    """What a browser lacks is said in one sentence; without headers it runs through a service worker, or without threads."""
    with served(folder) as address:
        for without, sentence in ((NO_WEBGL, "WebGL 2"), (NO_VECTORS, "SIMD"), (NO_SHARED_MEMORY, "threads")):
            with Browser() as page:
                page.command("Page.addScriptToEvaluateOnNewDocument", source=without)
                page.go(address)
                says(page, sentence)
        with Page(address, before=NO_THREADS) as page:
            tells(page, "no threads")
            page.rest()
            page.check_quiet()
    with served(folder, isolated=False) as address, Page(address) as page:
        assert page.run("return crossOriginIsolated"), "the service worker adds no headers"
        page.rest()


def downloads(folder):
    """Each part of the page, cut off on its way."""
    with tempfile.TemporaryDirectory() as work:
        cut = pathlib.Path(work) / "page"
        shutil.copytree(folder, cut)
        for name in ("texelscope.wasm", "texelscope.js", "page.js", "hands.js", "files.js"):
            part = cut / name
            whole = part.read_bytes()
            # The program's own script ends within a string, the page's between two lines.
            part.write_bytes(whole[:whole.index(b"\n", len(whole) // 2) + (1 if name != "texelscope.js" else -4)])
            with served(cut) as address, Browser() as page:
                page.go(address)
                page.wait("the sentence", "/Reload/.test(document.getElementById('words').textContent)")
            part.write_bytes(whole)


def addresses(folder):
    """Addresses that nobody has made, and files that no reader takes: a sentence, and the program runs."""
    with served(folder) as address, Page(address) as page:
        for after, sentence in (("#lesson=%E0%A4%A", "there is no lesson"), ("#lesson=nowhere/3", "there is no lesson"),
                                ("#session=%%%", "damaged"), ("&image=http://[bad", "cannot be reached"),
                                ("&image=%25E0%25A4%25A", "404")):
            opened(page, address + "?log" + after)
            tells(page, sentence)
        opened(page, address + "?log#lesson=half-texel/99")
        assert page.rest()["lesson"]["step"] == page.state()["lesson"]["steps"]
        for name, data, sentence in (("scan.tif", b"II*\0\x08\0\0\0", "convert the file to PNG"),
                                     ("render.exr", b"v/1\x01\x02\0\0\0", "convert the file to PNG"),
                                     ("photo.heic", b"\0\0\0\x18ftypheic", "neither texelscope in a browser nor this browser"),
                                     ("short.png", black_png(40000, 25000)[:9000], "cannot hold"),
                                     ("large.png", black_png(40000, 25000), "no memory for an image of 40000×25000"),
                                     ("wide.png", black_png(20000, 10000), "no memory for a smaller image")):  # itself fits
            page.drop(name, data)
            tells(page, sentence)


def black_png(width, height):
    """RGB. Its rows are packed once: after a full flush, packed bytes can be repeated; b in Adler's sum counts the zeros."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    packer, size = zlib.compressobj(1, wbits=-15), 3 * width + 1
    row = packer.compress(bytes(size)) + packer.flush(zlib.Z_FULL_FLUSH)
    data = b"\x78\x01" + height * row + b"\x03\0" + struct.pack(">I", height * size % 65521 << 16 | 1)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", data) + chunk(b"IEND", b""))


def kept(folder):
    """Storage that is full or forbidden, graphics memory that is taken back, an hour in the background, a tab put away."""
    small = png(64, 48, chart)
    with served(folder) as address:
        for without in (NO_STORAGE, FULL_STORAGE):
            with Page(address, before=without) as page:
                tells(page, "keeps no settings")
                page.drop("dropped.png", small)
                page.until("the picture", lambda s: s["image"].endswith("/dropped.png"))
                page.check_quiet()
        with Page(address) as page:
            page.drop("dropped.png", small)
            page.until("the picture", lambda s: s["image"].endswith("/dropped.png") and not s["loading"])
            page.key("1", "Digit1", 49, 0, "1")
            page.wheel(*page.middle(), 5)
            page.mouse("mouseMoved", 3, 3)
            before, shown = page.rest(), pixels(page.screenshot())

            def is_as_before():
                after = page.rest()
                for part in ("image", "spec", "view", "panes"):
                    assert after[part] == before[part], (part, before[part], after[part])
                x, y, width, height = before["picture"]
                now = pixels(page.screenshot())
                for row in range(y, y + height - 200):  # above, the messages
                    assert now[3][row][x * now[2]:(x + width) * now[2]] == shown[3][row][x * shown[2]:(x + width) * shown[2]], row

            # As if it lasted an hour: the page is hidden, and the clock has gone on when it comes back.
            page.run("""
                window.hides = hidden => {
                    Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
                    document.dispatchEvent(new Event("visibilitychange"));
                };
                hides(true);""")
            page.wait("rest in the background", "Module.resting()")
            page.run("const now = performance.now.bind(performance); performance.now = () => now() + 3600e3; hides(false);")
            is_as_before()
            page.run("window.graphics_memory = canvas.getContext('webgl2').getExtension('WEBGL_lose_context'); graphics_memory.loseContext();")
            says(page, "graphics memory")
            page.run("graphics_memory.restoreContext();")
            page.wait("the program", "Module.running === true && words.hidden")
            is_as_before()
            page.log("browser")  # of the lost context
            # The browser puts the tab away: the view comes back with the picture.
            page.run("hides(true)")
            page.command("Page.addScriptToEvaluateOnNewDocument", source="Object.defineProperty(document, 'wasDiscarded', {value: true});")
            opened(page, page.address + "?log")
            tells(page, "drop this file here")
            page.drop("dropped.png", small)
            after = page.until("the view", lambda s: s["image"] == before["image"] and s["settled"] and s["spec"] == before["spec"])
            assert after["view"] == before["view"], after["view"]


def own_pictures(folder):
    """A link to a view of one's own picture, opened where that is not; two files of one name; whose bicubic it was."""
    with served(folder) as address, Page(address) as page:
        # A picture, every second sample of it, and the means of 2×2 samples: two results.
        def mean(x, y):
            four = [chart(2 * x + i, 2 * y + j) for i in (0, 1) for j in (0, 1)]
            return tuple((sum(each[c] for each in four) + 2) // 4 for c in range(3))
        page.drop("photo.png", png(96, 80, chart))
        page.until("the original", lambda s: s["image"].endswith("/photo.png"))
        page.drop("small.png", png(48, 40, lambda x, y: chart(2 * x, 2 * y)))
        page.until("the first result", lambda s: s["image"].endswith("/small.png"))
        page.drop("small.png", png(48, 40, mean))
        page.until("the second result", lambda s: s["image"].endswith("/small (2).png"))
        page.rest()
        page.click("menu:Compare")
        page.click("compare.identify")
        state = page.until("the answer", lambda s: not s["identifying"]["running"] and s["identifying"]["findings"], 120)
        assert "bit-exact" in state["identifying"]["findings"][0] and "area" in json.dumps(state["identifying"]), state["identifying"]
        shoot(page, "identify")
        page.click("identifying:result")
        page.click("identifying:result:small.png")
        page.click("identifying:identify")
        state = page.until("the other answer", lambda s: not s["identifying"]["running"] and "nearest" in s["identifying"]["findings"][0], 120)
        assert "bit-exact" in state["identifying"]["findings"][0], state["identifying"]
        page.click("identifying:show-both")
        state = page.until("both", lambda s: s["dialog"] == "" and len(s["session"]["panes"]) == 2)
        assert "like:" in state["session"]["panes"][1]["image"], state["session"]["panes"]
        page.until("their difference", lambda s: (s["figures"][1] or {}).get("max_abs", 1) < 1e-6)
        page.rest()
        shoot(page, "show-both")
        # Recipes in panes, their spectra, and a link to them.
        for pane, name in (("A", "like:pillow/bicubic"), ("B", "like:opencv/cubic")):
            page.click(f"pane:{pane}")
            page.click("method:find")
            page.type(name[5:].split("/")[0])
            page.click(f"method:{name}")
            page.until(name, lambda s: s["spec"] == name)
        page.click("menu:Inspect")
        page.click("inspect.spectrum")
        page.until("spectra", lambda s: len(s["spectrum"].get("of", [])) == 3 and not s["spectrum"]["outdated"])
        shown = page.rest()  # with nothing to wait for
        shoot(page, "spectra")
        page.run("navigator.clipboard.writeText = async text => { window.copied = text; }")
        page.click("menu:File")
        page.click("file.copy-link")
        link = page.wait("the link", "window.copied")
        page.check_quiet()
        opened(page, link)
        state = tells(page, "drop these files here")
        for name, picture in (("photo.png", png(96, 80, chart)), ("small.png", png(48, 40, lambda x, y: chart(2 * x, 2 * y))),
                              ("small (2).png", png(48, 40, mean))):
            page.drop(name, picture)
        state = page.until("the session", lambda s: s["panes"] == shown["panes"])
        assert state["session"]["panes"] == shown["session"]["panes"], (state["session"]["panes"], shown["session"]["panes"])


class Around(Page):
    """A page of somebody else, with ours in a frame."""

    def __init__(self, address):
        Browser.__init__(self)
        self.ratio = 1
        self.go(address)
        self.ask("POST", "/frame", {"id": 0})


def frames(folder):
    """In a frame of another origin: a picture until it is clicked, then the program, which has no threads there."""
    with tempfile.TemporaryDirectory() as work, served(folder) as address:
        around = pathlib.Path(work) / "index.html"
        around.write_text(f'<!doctype html><title>A course</title><link rel="icon" href="data:,">'
                          f'<iframe src="{address}?embed&log#lesson=half-texel/3" style="position: fixed; left: 50px; top: 50px; border: 0; width: 1200px; height: 700px"></iframe>')
        with served(work, isolated=False) as outside, Around(outside) as page:
            assert page.run("return !document.getElementById('poster').hidden && !Module.running && !performance.getEntriesByType('resource').some(e => e.name.endsWith('.wasm'))")
            shoot(page, "frame")
            page.run("document.getElementById('poster').click()")
            page.wait("the program", "Module.running === true")
            assert not page.run("return crossOriginIsolated"), "this tests a frame without threads"
            state = page.until("the step", lambda s: s["lesson"]["name"] == "half-texel" and s["lesson"]["step"] == 3)
            assert any("no threads" in each["text"] for each in state["messages"]), state["messages"]
            page.drop("dropped.png", png(96, 96, chart))
            page.until("the picture", lambda s: s["image"].endswith("/dropped.png"))
            x, y = page.control("tool:compare.best")
            page.click_at(x + 50, y + 50)
            page.until("which is best", lambda s: not s["restoring"]["running"] and s["restoring"]["methods"], 120)
            shoot(page, "frame-program")
            assert page.run("return Module.running"), "it has stopped"
            # Read in parts, for which there are no threads: a sentence.
            page.drop("large.png", black_png(40000, 25000))
            page.until("the sentence", lambda s: any("large.png" in each["text"] for each in s["messages"]))


def firefox(folder):
    """Firefox loads the page and a lesson, which is turned over."""
    if not firefox_driver.program():
        print("no Firefox, or no Xvfb, here (Debian: firefox-esr xvfb libgl1-mesa-dri)")
        return 77
    with served(folder) as address, firefox_driver.Firefox() as page:
        page.go(address + "?log#lesson=half-texel/3")
        page.wait("the program", lambda: page.run("return Module.running === true"))
        page.wait("rest", lambda: page.run("return Module.resting()"))
        state = page.state()
        assert (state["lesson"]["name"], state["lesson"]["step"]) == ("half-texel", 3), state["lesson"]
        assert not state["messages"], state["messages"]
        x, y, width, height = state["picture"]
        _, _, channels, rows = pixels(page.screenshot())
        colours = {bytes(rows[row][column * channels:column * channels + 3]) for row in range(y, y + height, 3) for column in range(x, x + width, 3)}
        assert len(colours) > 16, "there is no picture"
        shoot(page, "firefox")
        page.run("window.location.hash = '#lesson=catmull-rom/2'")
        page.wait("the other lesson", lambda: page.state()["lesson"]["name"] == "catmull-rom")


def engine(folder):
    """Suites of the engine's tests, as in Node.js: vectors as scalars, threads, the identity to 2e-6."""
    program = pathlib.Path(folder).parent / "test_engine_in_browser.js"
    if not program.exists():
        print("test_engine_in_browser is not built")
        return 77
    with tempfile.TemporaryDirectory() as work:
        for each in program.parent.glob("test_engine_in_browser*"):
            shutil.copy(each, work)
        (pathlib.Path(work) / "index.html").write_text("""<!doctype html><link rel="icon" href="data:,"><script>
            var said = [], Module = {
                arguments: ["--gtest_filter=*VectorCode*:*Identity*:*Threads*-Slow*:Cuda*", "--gtest_color=no"],
                print: text => said.push(text), printErr: text => said.push(text), onExit: status => { Module.status = status; },
            };</script><script src="test_engine_in_browser.js"></script>""")
        with served(work) as address, Browser() as page:
            page.go(address)
            page.wait("the end of the tests", "'status' in Module || said.some(each => /Aborted|exception/.test(each))", 400)
            said = page.run("return said")
            passed = [each for each in said if each.startswith("[  PASSED  ]")]
            print("\n".join(said[-3:]))
            assert page.run("return Module.status") == 0 and passed and int(passed[0].split()[3]) >= 20, "\n".join(said[-40:])


scenarios = (refusals, downloads, addresses, kept, own_pictures, frames, firefox, engine)
