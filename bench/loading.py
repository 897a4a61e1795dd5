#!/usr/bin/env python3
"""How long the viewer takes to show a large JPEG, over libjpeg-turbo's own decoding, and how much memory.

usage: bench/loading.py PROGRAM [--start [--floor bare_window] | --rest] [--megapixels 24 108] [--quality 88] [--cores 0,1] [--runs 7]
                        [--json FILE] [VIEWER-OPTIONS]

The viewer runs in a window of its own (on $DISPLAY, else under Xvfb) and is asked through its socket to open the file, which
is in the page cache. "seen" is the time from that request to the first frame that shows the file, "shown" to the first in full quality;
"decoding" is `djpeg -outfile /dev/null` (libjpeg-turbo-progs), in turn with it. "memory" is the peak of what all of the
viewer's processes have allocated or share, sampled every 2 ms until it is shown, above what they had before, over the decoded
samples; "afterwards" is that of the next two seconds, in which the pane's figures are measured against a float64 reference.
"turn" is the longest time the window computed between two frames.

With --start it measures the start instead: the time from starting the process with the file to the first frame at all, to the
first that shows the file, and to the first in full quality; "empty" is the second with a generated picture of 64 samples.
--floor names the program bare_window: "floor" is the time from its start until its one picture is on the screen.

With --rest it measures the memory of a viewer that shows the file and is at rest, over the decoded samples: all that its processes
have allocated, what of it is beyond a viewer with a generated picture of 64 samples, and the same of the GPU's memory, as
nvidia-smi says it.
"""

import argparse
import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

SIDES = {24: (6000, 4000), 108: (12000, 9000)}


class Viewer:
    def __init__(self, program, options, folder, wait=True, window="1280x800"):
        environment = dict(os.environ, XDG_RUNTIME_DIR=str(folder), XDG_CONFIG_HOME=str(folder / "settings"))
        self.socket = folder / "texelscope" / "socket"
        self.lines, self.news = [], threading.Condition()
        self.started = time.perf_counter()
        self.process = subprocess.Popen([program, "--trace-state", "--animate", "off", "--window", window, *options],
                                        env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        threading.Thread(target=self.listen, daemon=True).start()
        if wait:
            self.wait(0, lambda line: line == "at rest", 60)

    def listen(self):
        for line in self.process.stderr:
            with self.news:
                self.lines.append((time.perf_counter(), line.rstrip("\n")))
                self.news.notify_all()

    def wait(self, since, wanted, seconds):
        """When the first such line since then came, and how many lines there were up to it."""
        end = time.perf_counter() + seconds
        with self.news:
            while True:
                for i in range(since, len(self.lines)):
                    if wanted(self.lines[i][1]):
                        return self.lines[i][0], i + 1
                if not self.news.wait(end - time.perf_counter()):
                    sys.exit(f"the viewer did not answer; it said last: {self.lines[-3:]}")

    def open(self, source):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as to:
            to.connect(str(self.socket))
            to.sendall((json.dumps({"texelscope": 1, "do": "open", "files": [source]}) + "\n").encode())
            to.recv(100)

    def processes(self):
        found, waiting = [], [self.process.pid]
        while waiting:
            pid = waiting.pop()
            found.append(pid)
            for task in Path(f"/proc/{pid}/task").glob("*/children"):
                try:
                    waiting += map(int, task.read_text().split())
                except OSError:
                    pass
        return found

    def bytes(self):
        """Anonymous and shared pages of all processes, each page once."""
        total = 0
        for pid in self.processes():
            try:
                rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
            except OSError:
                continue
            for key in ("Pss_Anon", "Pss_Shmem"):
                if found := re.search(rf"^{key}:\s+(\d+) kB", rollup, re.M):
                    total += 1024 * int(found[1])
        return total

    def close(self):
        self.process.terminate()
        self.process.wait()


def shows(source, in_full):
    def wanted(line):
        if not line.startswith("{"):
            return False
        state = json.loads(line)
        return state.get("image") == source and "size" in state and not (in_full and state.get("preparing"))
    return wanted


def make_photograph(program, path, width, height, quality=88):
    """Leaves of all sizes with noise on them. A camera writes 2 to 4 bits per pixel; by default these are fewer, and decoded
    sooner."""
    leaves = path.with_suffix(".ppm")
    subprocess.run([program, "resize", "@dead-leaves:2048", "-o", str(leaves), "--size", f"{width}x{height}", "--method",
                    "catmull-rom"], check=True)
    data = bytearray(leaves.read_bytes())
    noise = os.urandom(1 << 20)
    table = bytes(b & 7 for b in range(256))
    noise = noise.translate(table) * (len(data) // len(noise) + 1)
    head = data.index(b"255\n") + 4
    body = int.from_bytes(data[head:], "little") & int.from_bytes(b"\xf8" * (len(data) - head), "little")
    body |= int.from_bytes(noise[:len(data) - head], "little")
    data[head:] = body.to_bytes(len(data) - head, "little")
    leaves.write_bytes(data)
    subprocess.run(["cjpeg", "-quality", str(quality), "-sample", "2x2", "-outfile", str(path), str(leaves)], check=True)
    leaves.unlink()


def decoding(file):
    start = time.perf_counter()
    subprocess.run(["djpeg", "-outfile", "/dev/null", str(file)], check=True)
    return time.perf_counter() - start


def opening(program, options, file, decoded):
    """Seconds until it is seen and shown, peaks of memory over the decoded samples, the longest turn in ms."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o700)
        viewer = Viewer(program, ["@zone-plate:256", *options], Path(folder))
        time.sleep(0.5)
        try:
            since, start = len(viewer.lines), time.perf_counter()
            viewer.open(str(file))
            seen, _ = viewer.wait(since, shows(str(file), False), 60)
            shown, _ = viewer.wait(since, shows(str(file), True), 60)
            time.sleep(1)
            turns = [float(found[1]) for _, line in viewer.lines[since:]
                     if (found := re.search(r"computed ([\d.]+) ms", line))]
            viewer.close()
            viewer = Viewer(program, ["@zone-plate:256", *options], Path(folder))  # watching takes time of its own
            time.sleep(0.5)
            before, peaks, since, end = viewer.bytes(), [0, 0], len(viewer.lines), None
            wanted = shows(str(file), True)
            viewer.open(str(file))
            while end is None or time.perf_counter() < end:
                if end is None and any(wanted(line) for _, line in viewer.lines[since:]):
                    end = time.perf_counter() + 2
                since = len(viewer.lines) if end is None else since
                peaks[end is not None] = max(peaks[end is not None], viewer.bytes())
                time.sleep(0.002)
            return seen - start, shown - start, *((peak - before) / decoded for peak in peaks), max(turns, default=0)
        finally:
            viewer.close()


def starting(program, options, source):
    """Seconds from the start of the process to the first frame, to the source in it, and to all of its quality."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o700)
        viewer = Viewer(program, [source, *options], Path(folder), wait=False)
        try:
            shown, _ = viewer.wait(0, shows(source, True), 60)
            seen, _ = viewer.wait(0, shows(source, False), 60)
            first, _ = viewer.wait(0, lambda line: line.startswith("{"), 60)
            return first - viewer.started, seen - viewer.started, shown - viewer.started
        finally:
            viewer.close()


def device_bytes():
    """What is in use of the first GPU's memory; 0 without an NVIDIA GPU."""
    try:
        said = subprocess.run(["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"], stdout=subprocess.PIPE,
                              text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return 0
    return int(said.split()[0]) << 20


def resting(program, options, source):
    """Bytes of a viewer that shows the source and has nothing to do: its own, and of the GPU, which nobody else may use."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o700)
        before = device_bytes()
        viewer = Viewer(program, [source, *options], Path(folder), wait=False)
        try:
            _, since = viewer.wait(0, shows(source, True), 60)
            viewer.wait(since, lambda line: line == "at rest", 60)
            time.sleep(3)  # what is kept for a moment is given back
            return viewer.bytes(), device_bytes() - before
        finally:
            viewer.close()


def rest_row(program, options, file, samples):
    (host, device), (empty_host, empty_device) = (resting(program, options, str(file)), resting(program, options, "@zone-plate:64"))
    print(f"at rest {host / samples:.2f} x the samples, {(host - empty_host) / samples:.2f} beyond an empty viewer; of the GPU "
          f"{device / samples:.2f}, {(device - empty_device) / samples:.2f}", flush=True)
    return {"rest": host / samples, "beyond_empty": (host - empty_host) / samples, "device": device / samples,
            "device_beyond_empty": (device - empty_device) / samples}


def bare(program):
    """Seconds until a window with one picture is on the screen."""
    start = time.perf_counter()
    with subprocess.Popen([program], stderr=subprocess.PIPE) as process:
        said = process.stderr.readline()
        end = time.perf_counter()
    if said != b"shown\n":
        sys.exit(f"{program} showed nothing; it said {said}")
    return end - start


def start_row(program, options, file, runs, floor):
    times = [(decoding(file), *starting(program, options, str(file)), starting(program, options, "@zone-plate:64")[1],
              bare(floor) if floor else 0) for _ in range(runs)]
    decoded, first, seen, shown, empty, least = map(statistics.median, zip(*times))
    beyond = statistics.median(t[2] - t[0] for t in times)
    print(f"decoding {decoded:.3f} s, first frame after {first:.3f} s, seen after {seen:.3f} s, {beyond:.3f} s beyond "
          f"decoding (least {min(t[2] - t[0] for t in times):.3f}), shown after {shown:.3f} s; empty {empty:.3f} s" + (f"; floor {least:.3f} s" if floor else ""), flush=True)
    return {"decoding_s": decoded, "first_frame_s": first, "seen_s": seen, "shown_s": shown, "beyond_decoding_s": beyond,
            "empty_s": empty, "floor_s": least if floor else None, "runs": times}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--megapixels", type=int, nargs="+", choices=SIDES, default=list(SIDES))
    parser.add_argument("--quality", type=int, default=88, help="of the JPEGs")
    parser.add_argument("--cores", help="only these, such as 0,1")
    parser.add_argument("--start", action="store_true")
    parser.add_argument("--rest", action="store_true")
    parser.add_argument("--floor", metavar="bare_window")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--json")
    asked, options = parser.parse_known_args()
    options = [option for option in options if option != "--"]
    for tool in ("djpeg", "cjpeg"):
        if not shutil.which(tool):
            sys.exit(f"{tool} is missing (Debian package libjpeg-turbo-progs)")
    if asked.cores:
        os.sched_setaffinity(0, map(int, asked.cores.split(",")))
    screen = None
    if not os.environ.get("DISPLAY"):
        screen = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "1280x800x24", "-noreset"], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True)
        os.environ["DISPLAY"] = ":" + screen.stdout.readline().strip()
    rows = []
    try:
        with tempfile.TemporaryDirectory() as folder:
            for size in asked.megapixels:
                width, height = SIDES[size]
                file = Path(folder) / str(size) / "photograph.jpg"  # alone: its neighbours would be read ahead
                file.parent.mkdir()
                make_photograph(asked.program, file, width, height, asked.quality)
                decoding(file)
                if asked.start:
                    rows.append({"megapixels": size, **start_row(asked.program, options, file, asked.runs, asked.floor)})
                    continue
                if asked.rest:
                    rows.append({"megapixels": size, **rest_row(asked.program, options, file, 3 * width * height)})
                    continue
                runs = [(decoding(file), *opening(asked.program, options, file, 3 * width * height))
                        for _ in range(asked.runs)]
                decoded, seen, shown, memory, afterwards, turn = map(statistics.median, zip(*runs))
                rows.append({"megapixels": size, "bits_per_pixel": 8 * file.stat().st_size / (width * height),
                             "decoding_s": decoded, "seen_s": seen, "shown_s": shown,
                             "seen_ratio": statistics.median(run[1] / run[0] for run in runs),
                             "ratio": statistics.median(run[2] / run[0] for run in runs),
                             "memory": memory, "afterwards": afterwards, "turn_ms": turn, "runs": runs})
                print("{megapixels} megapixels, {bits_per_pixel:.1f} bits each: decoding {decoding_s:.3f} s, seen after {seen_s:.3f} s "
                      "({seen_ratio:.2f} x), shown after "
                      "{shown_s:.3f} s ({ratio:.2f} x), memory {memory:.2f} x the samples ({afterwards:.2f} x afterwards), "
                      "longest turn {turn_ms:.0f} ms"
                      .format(**rows[-1]), flush=True)
    finally:
        if screen:
            screen.terminate()
    if asked.json:
        Path(asked.json).write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
