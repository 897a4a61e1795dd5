#!/usr/bin/env python3
"""The resources of a multiprocessor that every CUDA kernel uses, per GPU architecture, as reported by ptxas.

    scripts/kernel_resources.py BUILD [--page docs/kernel-resources.md] [--architectures 75,80,86,89,90,120]

BUILD is a configured build folder with CUDA (its compile_commands.json names the sources and their options). Every source
is compiled for each architecture; needs nvcc, no GPU, and half an hour. Prints the table, or writes the page. Status 1 if a
kernel could not run on an architecture (registers of a block, static shared memory) or spills more than SPILLS bytes.
"""

import argparse
import collections
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

REGISTERS = 65536      # per multiprocessor, and the most that a block can have, on all these architectures
STATIC_SHARED = 49152  # bytes without opting in
SPILLS = 512           # bytes; the longest convolution takes most of it

PAGE = """# Resources of the CUDA kernels

Registers per thread, static shared memory, stack and spills of every kernel, as ptxas reports them; the largest of all
instances of a template. This page was written by `scripts/kernel_resources.py BUILD --page docs/kernel-resources.md`
with {nvcc}. The script fails if a kernel could not run on one of the architectures.

Dynamic shared memory comes on top and depends on the device's limits (`gpu/method/kernel_choice.h`,
`gpu/method/block_shapes.h`, `gpu/prefilter/prefilter.h`): `tile_kernel` takes up to 100 KiB, `shrink_kernel` up to
96 KiB, `rotated_kernel` up to 225 KiB, `rotated_any_kernel` up to 64 KiB, or as much as a block can opt into, whichever is less; `filter_fused` takes 40 KiB, with four channels 80 KiB if a
block can opt into that; `convolve_kernel` takes 22 to 98 KiB, or 57 or 62 KiB if that is too much.

{table}
"""


def sources(build):
    """(file, directory, compiler, options) of all that nvcc compiles below gpu/."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if "/gpu/" not in entry["file"]:
            continue
        words = shlex.split(entry["command"])
        compiler = next((w for w in words[:3] if w.endswith("nvcc")), None)
        if not compiler:
            continue
        options, skip = [], False
        for word in words[words.index(compiler) + 1:]:
            if skip:
                skip = False
            elif word in ("-c", "-o", "-MF", "-MT"):
                skip = True
            elif word in ("-MD", "--threads=0") or "generate-code" in word or word.startswith("-arch"):
                pass
            elif word != entry["file"]:
                options.append(word)
        yield entry["file"], entry["directory"], compiler, options


def kernel_name(signature):
    """'tile_kernel' of 'void texelscope::detail::tile_kernel<…>(…)'."""
    depth, name = 0, ""
    for character in signature.replace("(anonymous namespace)", "").replace("<unnamed>", ""):
        if character == "(" and depth == 0:
            break
        depth += (character == "<") - (character == ">")
        if depth == 0 and character != ">":
            name += character
    return name.split("::")[-1].split()[-1]


class Kernel:
    def __init__(self):
        self.instances = collections.defaultdict(set)  # by architecture: names within a file differ from one to the next
        self.threads = set()
        self.of_block = 0  # the most of any
        self.registers = collections.defaultdict(int)  # by architecture
        self.shared = self.stack = self.spills = 0


def note(kernels, file, ptx, report, architecture):
    threads = {name: int(n) for name, n in re.findall(r"\.entry\s+(\w+)\([^)]*\)\s*\.maxntid\s+(\d+)", ptx)}
    parts = re.split(r"Compiling entry function '(\w+)' for '\w+'", report)
    names = parts[1::2]
    readable = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True).stdout.split("\n")
    for mangled, signature, text in zip(names, readable, parts[2::2]):
        kernel = kernels[(pathlib.Path(file).name, kernel_name(signature))]
        kernel.instances[architecture].add(mangled)
        size = threads.get(mangled, 256)  # those without launch bounds have 256 threads, see PixelGrid
        kernel.threads.add(size)

        def number(pattern):
            match = re.search(pattern, text)
            return int(match.group(1)) if match else 0
        registers = number(r"Used (\d+) registers")
        kernel.registers[architecture] = max(kernel.registers[architecture], registers)
        kernel.of_block = max(kernel.of_block, registers * size)
        kernel.shared = max(kernel.shared, number(r"(\d+) bytes smem"))
        kernel.stack = max(kernel.stack, number(r"(\d+) bytes stack frame"))
        kernel.spills = max(kernel.spills, number(r"(\d+) bytes spill stores"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("--architectures", default="75,80,86,89,90,120")
    arguments = parser.parse_args()
    architectures = arguments.architectures.split(",")
    kernels, faults, nvcc = collections.defaultdict(Kernel), [], "nvcc"

    with tempfile.TemporaryDirectory() as folder:
        ptx = pathlib.Path(folder) / "kernels.ptx"
        for file, directory, compiler, options in sources(arguments.build):
            nvcc = compiler
            print(pathlib.Path(file).name, file=sys.stderr, flush=True)
            ptxas = str(pathlib.Path(compiler).parent / "ptxas")
            for architecture in architectures:
                subprocess.run([compiler, *options, "--ptx", f"-arch=compute_{architecture}", "-o", ptx, file], cwd=directory,
                               check=True)
                done = subprocess.run([ptxas, "-v", f"-arch=sm_{architecture}", ptx, "-o", "/dev/null"], capture_output=True,
                                      text=True)
                if done.returncode != 0:
                    faults.append(f"{file}: ptxas refuses sm_{architecture}: {done.stderr.strip()[:200]}")
                note(kernels, file, ptx.read_text(), done.stderr + done.stdout, architecture)
    if not kernels:
        sys.exit(f"{arguments.build}: no source there is compiled by nvcc; configure with CUDA")

    head = ["source", "kernel", "instances", "threads", *(f"registers {a[:-1]}.{a[-1]}" for a in architectures),
            "shared", "stack", "spills"]
    rows = []
    for (file, name), kernel in sorted(kernels.items()):
        threads = ", ".join(str(size) for size in sorted(kernel.threads))
        rows.append([file, name, max(map(len, kernel.instances.values())), threads, *(kernel.registers[a] for a in architectures),
                     kernel.shared, kernel.stack, kernel.spills])
        if kernel.of_block > REGISTERS:
            faults.append(f"{file}: {name}: {kernel.of_block} registers are more than a block can have")
        if kernel.shared > STATIC_SHARED:
            faults.append(f"{file}: {name}: {kernel.shared} bytes of static shared memory")
        if kernel.spills > SPILLS:
            faults.append(f"{file}: {name}: spills {kernel.spills} bytes")
    table = "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in [head, ["---"] * len(head), *rows])
    if arguments.page:
        version = subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout
        arguments.page.write_text(PAGE.format(table=table, nvcc="nvcc " + re.search(r"V([\d.]+)", version).group(1)))
    else:
        print(table)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
