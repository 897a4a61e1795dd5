#!/usr/bin/env python3
"""The page in headless Chromium.

    check_page.py FOLDER SCENARIO… [--screenshots FOLDER]    FOLDER: the page's; a scenario is a function below

Status 77 if Chromium or its driver is missing.
"""

import argparse
import base64
import math
import pathlib
import shutil
import signal
import sys
import tempfile
import time

import browser
import hard_cases
from browser import Browser, Page, chart, pixels, png, served, shoot


def close(a, b, within=1e-9):
    assert abs(a - b) <= within * max(1, abs(b)), (a, b)


def method_of(state):
    return state["spec"].split(":")[0]


def opening(folder):
    """Opens, zooms, pans, changes methods by keys and clicks, and rests."""
    with served(folder) as address:
        began = time.monotonic()
        with Page(address) as page:
            page.wait("the picture", "Module.turns > 2")
            print(f"Chromium and the first picture took {time.monotonic() - began:.1f} s, "
                  f"{page.run('return Module.started') / 1000:.1f} s since the page was asked for")
            before = page.rest()
            assert before["image"] == "@basilica", before["image"]
            x, y = page.middle()
            page.wheel(x, y, 8)  # doubles the zoom
            after = page.until("the zoom", lambda s: s["settled"] and s["view"]["scale"] < before["view"]["scale"])
            close(after["view"]["scale"], before["view"]["scale"] / 2)
            page.mouse("mousePressed", x, y, button="left", clickCount=1)
            for step in range(1, 6):
                page.mouse("mouseMoved", x - 10 * step, y + 6 * step, button="left", buttons=1)
            page.mouse("mouseReleased", x - 50, y + 30, button="left", clickCount=1)
            scale = after["view"]["scale"]
            moved = page.until("the drag", lambda s: abs(s["view"]["translate_x"] - after["view"]["translate_x"] - 50 * scale) < 1e-9)
            close(moved["view"]["translate_y"], after["view"]["translate_y"] - 30 * scale)
            for key, method in (("1", "nearest"), ("2", "bilinear"), ("4", "catmull-rom"), ("3", "bspline")):
                page.key(key, f"Digit{key}", ord(key), 0, key)
                page.until(method, lambda s: method_of(s) == method)
            page.click("method:group:Simple")
            page.click("method:nearest")
            page.until("nearest by a click", lambda s: method_of(s) == "nearest")
            page.click("menu:View")
            page.click("view.fit")
            page.until("the fitted view", lambda s: s["settled"] and close_to_fit(s))
            page.rest()
            turns = page.run("return Module.turns")
            for _ in range(20):
                page.run("return 1")
            assert page.run("return Module.turns") == turns and page.run("return Module.resting()"), "it does not rest"
            shoot(page, "opening")
            page.check_quiet()


def close_to_fit(state):
    _, _, width, height = state["picture"]
    return abs(state["view"]["scale"] - max(1024 / width, 1024 / height)) < 1e-9


def links(folder):
    """A step of a lesson and a session by their links; damaged links."""
    with served(folder) as address:
        with Page(address, "#lesson=half-texel/3") as page:
            page.until("the step", lambda s: s["lesson"]["name"] == "half-texel" and s["lesson"]["step"] == 3)
            page.run("location.hash = '#lesson=catmull-rom/2'")
            page.until("the other lesson", lambda s: s["lesson"]["name"] == "catmull-rom" and s["lesson"]["step"] == 2)
            page.rest()
            shoot(page, "lesson")
            page.run("navigator.clipboard.writeText = async text => { window.copied = text; }")
            page.click("menu:File")
            page.click("file.copy-link")
            assert page.wait("the link", "window.copied").endswith("#lesson=catmull-rom/2")
            page.check_quiet()
        with Page(address) as page:
            page.rest()
            page.run("navigator.clipboard.writeText = async text => { window.copied = text; }")
            page.wheel(*page.middle(), 4)
            page.key("5", "Digit5", 53, 0, "5")
            shown = page.until("the fifth method", lambda s: s["settled"] and s["spec"] != "bspline")
            page.click("menu:File")
            page.click("file.copy-link")
            link = page.wait("the link", "window.copied")
            assert "#session=" in link and len(link) < 2000, len(link)
            page.key("1", "Digit1", 49, 0, "1")
            page.wheel(*page.middle(), -7)
            page.until("another method", lambda s: s["settled"] and method_of(s) == "nearest")
            for again in (lambda: page.run("location.hash = arguments[0]", link[link.index("#"):]), lambda: (page.go("about:blank"), page.go(link))):
                again()
                page.wait("the program", "typeof Module === 'object' && Module.running === true")
                state = page.until("the session", lambda s: s["settled"] and s["spec"] == shown["spec"])
                for part in ("scale", "translate_x", "translate_y", "rotate"):
                    close(state["view"][part], shown["view"][part])
            page.go("about:blank")
            page.go(link[:-len(link) // 3])
            page.wait("the program", "typeof Module === 'object' && Module.running === true")
            page.until("the sentence", lambda s: any("damaged" in each["text"] for each in s["messages"]))


def files(folder):
    """Dropped, from an address, pasted and damaged files; saved pictures and sessions; settings that stay."""
    small = png(64, 48, chart)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        served_folder, downloads = work / "page", work / "downloads"
        shutil.copytree(folder, served_folder)
        downloads.mkdir()
        (served_folder / "asked.png").write_bytes(small)
        with served(served_folder) as address:
            with Page(address, asked="image=asked.png") as page:
                page.until("the picture of the address", lambda s: s["image"].endswith("/asked.png"))
            with Page(address, asked="image=missing.png") as page:
                page.until("the sentence", lambda s: any("answers 404" in each["text"] for each in s["messages"]))
                page.log("browser")  # has the 404
                page.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))
                page.drop("dropped.png", small)
                state = page.until("the dropped picture", lambda s: s["image"].endswith("/dropped.png") and not s["loading"])
                page.key("1", "Digit1", 49, 0, "1")
                page.click("menu:View")
                page.click("view.one-to-one")
                state = page.until("100 %", lambda s: s["settled"] and abs(s["view"]["scale"] - 1) < 1e-12)
                page.mouse("mouseMoved", 3, 3)
                page.rest()
                check_pixels(page, state, 64, 48)
                shoot(page, "dropped")
                # Saved: the same size as the pane, so that its middle is the picture.
                page.letter("s", 2)
                page.click("save:save")
                saved = wait_for_file(page, downloads, ".png")
                width, height, channels, rows = pixels(saved.read_bytes())
                left, top = (width - 64) // 2, (height - 48) // 2
                for y in range(48):
                    for x in range(64):
                        at = (left + x) * channels
                        assert tuple(rows[top + y][at:at + 3]) == chart(x, y), (x, y)
                page.letter("s", 2 | 8)
                page.click("save:save")
                session = wait_for_file(page, downloads, ".json")
                page.key("2", "Digit2", 50, 0, "2")
                page.until("bilinear", lambda s: method_of(s) == "bilinear")
                page.drop("saved.json", session.read_bytes())
                page.until("the session", lambda s: method_of(s) == "nearest")
                page.drop("cut.png", small[:len(small) // 2])
                page.until("the sentence", lambda s: any("cut.png" in each["text"] for each in s["messages"]))
                page.drop("drawn.svg", b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="#c08040"/></svg>')
                page.until("the browser's picture", lambda s: s["image"].endswith("/drawn.svg.png"))
                page.run("""
                    const bytes = Uint8Array.from(atob(arguments[0]), c => c.charCodeAt(0)), data = new DataTransfer();
                    data.items.add(new File([bytes], "image.png", {type: "image/png"}));
                    document.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true}));""",
                         base64.b64encode(small).decode())
                page.until("the pasted picture", lambda s: "pasted" in s["image"])
                # Left and opened again: settings, and the saved session among the recent ones.
                page.letter("m")
                kept = page.rest()["session"].get("interface", {})
                page.check_quiet()
                page.go("about:blank")
                page.go(address + "?log")
                page.wait("the program", "typeof Module === 'object' && Module.running === true")
                assert page.run("return JSON.parse(Module.FS.readFile(settings_file, {encoding: 'utf8'})).recent.some(each => each.endsWith('.json'))")
                assert kept.get("minimap") == page.rest()["session"].get("interface", {}).get("minimap")
                page.check_quiet()


def check_pixels(page, state, width, height):
    """The screen shows the picture, sample for sample."""
    left, top, across, down = state["picture"]
    _, _, channels, rows = pixels(page.screenshot())
    x0, y0 = left + (across - width) // 2, top + (down - height) // 2
    wrong = sum(tuple(rows[y0 + y][(x0 + x) * channels:(x0 + x) * channels + 3]) != chart(x, y)
                for y in range(height) for x in range(width))
    assert wrong == 0, f"{wrong} of {width * height} pixels of the picture are others"


def wait_for_file(page, folder, ending):
    return page.wait(f"a file {ending}", lambda: next((each for each in folder.iterdir() if each.name.endswith(ending)), None))


def studies(folder):
    """An own formula, and which method is best for a dropped picture."""
    with served(folder) as address, Page(address) as page:
        page.drop("dropped.png", png(96, 96, lambda x, y: (int(127.5 + 127.4 * math.cos(0.004 * ((x - 48) ** 2 + (y - 48) ** 2))),) * 3))
        page.until("the dropped picture", lambda s: s["image"].endswith("/dropped.png") and not s["loading"])
        page.key("2", "Digit2", 50, 0, "2")
        page.click("method:group:Own")
        page.click("weights:edit")
        page.until("the editor", lambda s: s["formula"]["open"])
        page.click("weights:text")
        page.letter("a", 2)
        for part in ("radius = 1", "w(x) = 1 - abs(x)"):
            if part != "radius = 1":
                page.enter()
            page.type(part)
        page.until("the formula", lambda s: s["formula"]["text"].strip() == "radius = 1\nw(x) = 1 - abs(x)" and not s["formula"]["problems"])
        state = page.until("its picture", lambda s: s["spec"].startswith("custom:"))
        shoot(page, "formula")
        page.type("*(")
        state = page.until("the problem", lambda s: s["formula"]["problems"])
        assert "line 2" in state["formula"]["problems"][0], state["formula"]
        page.click("menu:Compare")
        page.click("compare.best")
        state = page.until("the answer", lambda s: not s["restoring"]["running"] and s["restoring"]["methods"], 120)
        assert len(state["restoring"]["methods"]) > 10, state["restoring"]
        # A smooth picture without noise: all of the long kernels restore it better than nearest does.
        order = state["restoring"]["methods"]
        assert order.index("bspline") < order.index("nearest"), order
        page.rest()
        shoot(page, "best")
        page.check_quiet()


def phone(folder):
    """A screen that is touched, upright: one finger pans, two zoom and turn, a long press opens the menu."""
    with served(folder) as address, Page(address, width=390, height=844, ratio=3, touch=True) as page:
        before = page.rest()
        assert before["framebuffer"] == [1170, 2532], before["framebuffer"]
        left, top, width, height = before["picture"]
        assert width > 0.9 * 1170 and height > 0.7 * 2532, before["picture"]
        shoot(page, "phone")
        x, y = page.middle()
        page.run("long_press_after = 60000")  # on a busy machine, a finger seems to rest
        page.touch("touchStart", (x, y))
        for step in range(1, 6):
            page.touch("touchMove", (x + 8 * step, y))
        page.touch("touchEnd")
        panned = page.until("the pan", lambda s: s["view"]["translate_x"] < before["view"]["translate_x"])
        moved = (before["view"]["translate_x"] - panned["view"]["translate_x"]) / before["view"]["scale"]
        assert 3 * 40 - 1 <= moved <= 3 * 40 + 1, moved
        # From 100 to 200 apart: twice the zoom; the point between the fingers keeps its sample.
        page.touch("touchStart", (x - 50, y), (x + 50, y))
        for step in range(1, 11):
            page.touch("touchMove", (x - 50 - 5 * step, y), (x + 50 + 5 * step, y))
        page.touch("touchEnd")
        zoomed = page.until("the zoom", lambda s: abs(s["view"]["scale"] / panned["view"]["scale"] - 0.5) < 0.001)
        assert zoomed["view"]["rotate"] == before["view"]["rotate"], zoomed["view"]
        close(zoomed["view"]["translate_y"], panned["view"]["translate_y"], 0.02)
        # A quarter turn clockwise turns the picture with the fingers; the first degrees decide that it is a turn.
        page.touch("touchStart", (x - 80, y), (x + 80, y))
        for degrees in range(3, 91, 3):
            a = math.radians(degrees)
            page.touch("touchMove", (x - 80 * math.cos(a), y - 80 * math.sin(a)), (x + 80 * math.cos(a), y + 80 * math.sin(a)))
        page.touch("touchEnd")
        turned = page.until("the turn", lambda s: abs(s["view"]["rotate"]) > 70)
        assert -91 < turned["view"]["rotate"] < -74, turned["view"]
        page.run("long_press_after = 550")
        page.touch("touchStart", (x, y))
        page.until("the menu", lambda s: any(each.startswith("pane-menu") for each in s["controls"]))
        page.touch("touchEnd")
        page.rest()
        shoot(page, "phone-menu")
        page.check_quiet()
    with served(folder) as address, Page(address, "#lesson=half-texel/3", width=390, height=844, ratio=3, touch=True) as page:
        state = page.until("the step", lambda s: s["lesson"]["step"] == 3)
        state = page.rest()
        left, top, width, height = state["picture"]
        assert top + height < 0.7 * 2532, "there is no room for the text"
        shoot(page, "phone-lesson")
        # One finger scrolls the text, as far as it moves; nothing under it is clicked.
        x, y = 195, (top + height) / 3 + 150
        page.run("long_press_after = 60000")
        before, shown = page.state(), pixels(page.screenshot())[3]
        page.touch("touchStart", (x, y + 100))
        for step in range(1, 11):
            page.touch("touchMove", (x, y + 100 - 10 * step))
        page.touch("touchEnd")
        assert page.rest()["session"] == before["session"], "it was a click"
        moved, channels = pixels(page.screenshot())[3], 4 if len(shown[0]) == 4 * 1170 else 3
        column = slice(60 * channels, 1000 * channels)
        shoot(page, "phone-scrolled")
        # The first step says that it scrolls, the other nine move the text.
        rows = range(int(3 * y) - 100, int(3 * y) + 40, 4)
        assert all(moved[row][column] == shown[row + 270][column] for row in rows), "the text has not moved with the finger"
        assert len({moved[row][column] for row in rows}) > 5, "there is no text"
        page.check_quiet()


def sizes(folder):
    """Screenshots at the sizes of screens."""
    with served(folder) as address:
        for width, height, ratio in ((1280, 800, 1), (2560, 1440, 1), (2560, 1440, 2)):
            with Page(address, width=width, height=height, ratio=ratio) as page:
                state = page.rest()
                assert state["framebuffer"] == [width * ratio, height * ratio], state["framebuffer"]
                shoot(page, f"{width}x{height}@{ratio}")


def speed(folder):
    """Prints what a frame takes (no test: the figures of docs/browser.md): a wheel or a rotation for each, at 1280×720 pixels."""
    with served(folder) as address, Page(address, width=1280, height=812) as page:
        page.rest()
        page.key("Tab", "Tab", 9)  # the picture alone
        print("picture:", page.rest()["picture"])
        for key, method in (("1", "nearest"), ("2", "bilinear"), ("3", "bspline"), ("4", "catmull-rom")):
            page.key(key, f"Digit{key}", ord(key), 0, key)
            page.rest()
            for name, turned in (("zoom", 0), ("rotation", 1)):
                frames = page.run("""
                    const times = [], x = innerWidth / 2, y = innerHeight / 2;
                    for (let i = 0; i < 60; ++i) {
                        Module._page_pinched(x, y, 0, 0, i % 20 < 10 ? 1.05 : 1 / 1.05, arguments[0]);
                        const began = performance.now();
                        Module._page_turn();
                        times.push(performance.now() - began);
                    }
                    return times.sort((a, b) => a - b);""", turned)
                print(f"{method:12} {name:9} median {frames[30]:6.1f} ms = {1000 / frames[30]:5.1f} a second, fastest {frames[0]:.1f} ms")


def main():
    scenarios = {each.__name__: each for each in (opening, links, files, studies, phone, sizes, speed, *hard_cases.scenarios)}
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("scenarios", nargs="+", choices=[*scenarios])
    parser.add_argument("--screenshots", type=pathlib.Path)
    arguments = parser.parse_args()
    browser.pictures = arguments.screenshots
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the browser ends as well
    if not shutil.which("chromedriver") or not shutil.which("chromium"):
        print("no chromium or chromedriver here (Debian: chromium chromium-driver)")
        return 77
    for name in arguments.scenarios:
        if scenarios[name](arguments.folder) == 77:
            return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
