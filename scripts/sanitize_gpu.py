#!/usr/bin/env python3
"""The engine's GPU tests under compute-sanitizer, in many processes at a time, on all GPUs of the machine.

    scripts/sanitize_gpu.py BUILD --tool memcheck|racecheck|initcheck|synccheck
        [--filter TESTS] [--jobs N] [--seconds S] [--done FILE] [--sanitizer PROGRAM]
    scripts/sanitize_gpu.py --self-test

BUILD is a build folder with test_engine; TESTS is a filter of GoogleTest, by default all tests that run on CUDA. FILE lists
tests that need not run again; those that end well are added to it, so that a check of hours can be made in parts of S
seconds. Under memcheck all tests take some minutes, under racecheck some hours of sixteen cores, which is where its time
goes: it checks only kernels that have shared memory, as others cannot race for it.

Status 0: all tests passed and nothing was reported; 1: a test failed or something was reported, which is printed; 3: time
ended before all tests had run; 77: there is no GPU.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
ALL_TESTS = "*Cuda*"
# What fills the GPU's memory, which other processes need; what must end within a time.
LEFT_OUT = ["*FullDevice*", "*IsQuickAtAnyScale*", "Cuda/Kernels.*Loop*"]
TESTS_OF_A_PROCESS = 6  # at most
FAULT = 9  # exit status of the sanitizer if it has reported something
NO_LAUNCH = "terminated before first instrumented API call"  # an error to the sanitizer

KERNEL = re.compile(r"__global__\s+(?:void\s+)?(?:__launch_bounds__\((?:[^()]|\([^()]*\))*\)\s*)?(?:void\s+)?(\w+)\s*\(")


def kernels_with_shared_memory(root):
    """Names of all kernels of those files below gpu/ that use shared memory."""
    texts = [path.read_text(encoding="utf-8") for path in (root / "gpu").rglob("*") if path.suffix in (".cu", ".cpp", ".h")]
    return sorted({name for text in texts if "__shared__" in text for name in KERNEL.findall(text)})


def sanitizer_command(program, tool):
    command = [program, "--tool", tool, "--error-exitcode", str(FAULT), "--print-limit", "5"]
    if tool == "racecheck":
        for name in kernels_with_shared_memory(ROOT):
            command += ["--kernel-name", f"kns={name}"]
    return command


def listed_tests(program, pattern):
    """Full names of the tests that a filter chooses."""
    excluded = ":".join(LEFT_OUT)
    pattern += (":" if "-" in pattern else "-") + excluded
    text = subprocess.run([program, "--gtest_list_tests", f"--gtest_filter={pattern}"], check=True,
                          capture_output=True, text=True).stdout
    tests, suite = [], ""
    for line in text.splitlines():
        name = line.split("#")[0].rstrip()
        if not name.startswith(" "):
            suite = name
        elif name.strip():
            tests.append(suite + name.strip())
    return tests


def gpu_count():
    try:
        text = subprocess.run(["nvidia-smi", "-L"], check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return 0
    return len([line for line in text.splitlines() if line.startswith("GPU ")])


class Checker:
    def __init__(self, program, command, gpus, seconds):
        self.program, self.command, self.gpus = program, command, gpus
        self.end = time.monotonic() + seconds if seconds else None

    def run(self, number, tests):
        """What a process of these tests came to: the tests that ended well, and what is wrong; neither if time ended."""
        left = None if self.end is None else self.end - time.monotonic()
        if left is not None and left <= 0:
            return [], ""
        command = [*self.command, self.program, f"--gtest_filter={':'.join(tests)}"]
        gpu = {"CUDA_VISIBLE_DEVICES": str(number % self.gpus)}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                   env=os.environ | gpu, start_new_session=True)
        try:
            text = process.communicate(timeout=left)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # with the tests that the sanitizer has started
            process.communicate()
            return [], ""
        ended = re.findall(r"^\[ *(?:OK|SKIPPED) \] (\S+?)(?:, where .*)? \(\d+ ms\)$", text, re.MULTILINE)
        if (process.returncode == 0 or NO_LAUNCH in text) and set(ended) == set(tests):
            return ended, ""
        said = [line for line in text.splitlines() if not re.match(r"\[ *(RUN|OK|SKIPPED|-+) *\]", line)]
        return [], "\n".join([f"status {process.returncode} of {' '.join(command)}", *said[-100:]])

    def run_all(self, tests, jobs, on_ended):
        """Returns what is wrong, a text for each process. Calls on_ended(tests) as they end."""
        count = max(-(-len(tests) // TESTS_OF_A_PROCESS), min(jobs, len(tests)))  # one that time ends has done nothing
        wrong = []
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            runs = [pool.submit(self.run, n, tests[n::count]) for n in range(count)]
            for run in concurrent.futures.as_completed(runs):
                ended, report = run.result()
                on_ended(ended)
                if report:
                    print(report, flush=True)
                    wrong.append(report)
        return wrong


def check(program, command, gpus, options):
    done_file = options.done and pathlib.Path(options.done)
    done = set(done_file.read_text().split()) if done_file and done_file.exists() else set()
    tests = listed_tests(program, options.filter)
    to_do = [test for test in tests if test not in done]
    ended = []

    def on_ended(names):
        ended.extend(names)
        if done_file and names:
            with done_file.open("a") as file:
                file.writelines(name + "\n" for name in names)

    wrong = Checker(program, command, gpus, options.seconds).run_all(to_do, options.jobs, on_ended)
    left = len(to_do) - len(ended)
    print(f"{options.tool}: {len(tests)} tests, {len(tests) - len(to_do)} done before, {len(ended)} ended well, "
          f"{len(wrong)} processes did not, {left} tests left")
    return 1 if wrong else 3 if left else 0


FAKE_TESTS = '''#!/usr/bin/env python3
import sys, time
tests = ["Cuda/One.A/x", "Cuda/One.B/x", "Cuda/Two.Races/x", "Cuda/Two.Fails/x", "Cuda/Two.Waits/x", "Cuda/Two.Skips/x"]
if "--gtest_list_tests" in sys.argv:
    chosen = sys.argv[-1].split("=")[1].split("-")[0].split(":")
    for suite in ("Cuda/One.", "Cuda/Two."):
        print(suite + "  # TypeParam =")
        for test in tests:
            if test.startswith(suite) and (chosen == ["*Cuda*"] or test in chosen):
                print("  " + test[len(suite):] + "  # GetParam() = x")
    sys.exit()
for test in sys.argv[1].split("=")[1].split(":"):
    print("[ RUN      ] " + test)
    if "Waits" in test: time.sleep(60)
    word = "  FAILED " if "Fails" in test else "  SKIPPED" if "Skips" in test else "      OK"
    print(f"[{word} ] {test}, where GetParam() = x (3 ms)" if "OK" not in word else f"[{word} ] {test} (3 ms)")
sys.exit("Fails" in sys.argv[1])
'''
FAKE_SANITIZER = '''#!/usr/bin/env python3
import subprocess, sys
at = next(k for k, word in enumerate(sys.argv) if word.endswith("test_engine"))
status = subprocess.run(sys.argv[at:]).returncode
if "Races" in sys.argv[-1]: print("========= Error: Race reported"); status = 9
sys.exit(status)
'''


def self_test():
    """What ends well, races, fails, is skipped and does not end, by a program and a sanitizer that only say so."""
    faults = []

    def expect(what, got, right):
        if got != right:
            faults.append(f"{what}: {got}, not {right}")

    with tempfile.TemporaryDirectory() as folder:
        programs = []
        for name, text in (("test_engine", FAKE_TESTS), ("sanitizer", FAKE_SANITIZER)):
            path = pathlib.Path(folder) / name
            path.write_text(text)
            path.chmod(path.stat().st_mode | stat.S_IXUSR)
            programs.append(str(path))
        done = pathlib.Path(folder) / "done"

        def status(tests, seconds=None):
            options = argparse.Namespace(done=done, filter=":".join(tests), jobs=2, seconds=seconds, tool="racecheck")
            return check(programs[0], sanitizer_command(programs[1], "racecheck"), 1, options)

        good = ["Cuda/One.A/x", "Cuda/One.B/x", "Cuda/Two.Skips/x"]
        expect("tests of all", len(listed_tests(programs[0], ALL_TESTS)), 6)
        expect("good tests", status(good), 0)
        expect("done after good tests", sorted(done.read_text().split()), sorted(good))
        expect("a race", status(["Cuda/Two.Races/x"]), 1)
        expect("a failure", status(["Cuda/Two.Fails/x"]), 1)
        expect("a test that does not end", status(["Cuda/Two.Waits/x"], seconds=1), 3)
        expect("done after bad tests", len(done.read_text().split()), len(good))
        expect("good tests again", status(good, seconds=0.001), 0)
    names = kernels_with_shared_memory(ROOT)
    expect("kernels with shared memory", {"shrink_kernel", "rotated_kernel", "filter_fused"} - set(names), set())
    expect("kernels without", {"direct_kernel", "polar_kernel"} & set(names), set())
    print("\n".join(faults) or "every outcome is told apart")
    return 1 if faults else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--tool", required=True, choices=["memcheck", "racecheck", "initcheck", "synccheck"])
    parser.add_argument("--filter", default=ALL_TESTS)
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 1) // 2))
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--done")
    parser.add_argument("--sanitizer", default=shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer")
    options = parser.parse_args()
    program = options.build / "test_engine"
    for needed in (program, pathlib.Path(options.sanitizer)):
        if not needed.exists():
            sys.exit(f"there is no {needed}")
    gpus = gpu_count()
    if gpus == 0:
        print("no CUDA here: nvidia-smi lists no GPU")
        return 77
    return check(str(program), sanitizer_command(options.sanitizer, options.tool), gpus, options)


if __name__ == "__main__":
    sys.exit(main())
