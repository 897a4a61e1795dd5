#!/usr/bin/env python3
"""Checks who may include whom.

    check_includes.py ROOT         every source below ROOT/gpu and ROOT/app; status 1 and one line for each violation
    check_includes.py --self-test  plants violations in a scratch tree and demands that each one is found

The rules (a folder may include itself and what stands to its right):
    app → gpu/interop → gpu/backend → gpu/methods, gpu/prefilter → gpu/method → gpu/core
    gpu/backend → gpu/reference → gpu/prefilter, gpu/backend → gpu/compare → gpu/display → gpu/method
    Dear ImGui, GLFW and app headers: only in app. OpenGL headers: only in gpu/interop and app.
    CUDA headers: never in app, and not through one of our own headers either, unless only nvcc sees them there.
"""

import pathlib
import re
import sys
import tempfile

MAY_INCLUDE = {
    "gpu/core": [],
    "gpu/method": ["gpu/core"],
    "gpu/methods": ["gpu/method", "gpu/core"],
    "gpu/prefilter": ["gpu/method", "gpu/core"],
    "gpu/reference": ["gpu/prefilter", "gpu/method", "gpu/core"],
    "gpu/display": ["gpu/method", "gpu/core"],
    "gpu/compare": ["gpu/display", "gpu/method", "gpu/core"],
}
COMPUTING = ["gpu/reference", "gpu/compare", "gpu/display", "gpu/methods", "gpu/prefilter", "gpu/method", "gpu/core"]
MAY_INCLUDE |= {
    "gpu/backend": COMPUTING,
    "gpu": ["gpu/backend", "gpu/compare", "gpu/display", "gpu/method", "gpu/core"],
    "gpu/interop": ["gpu/backend", *COMPUTING],
    "app": ["gpu/interop", "gpu/backend", *COMPUTING],
}
SUFFIXES = {".h", ".hpp", ".inl", ".cuh", ".cpp", ".cc", ".cu", ".c"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
CONDITION = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b(.*)")
ONLY_NVCC = re.compile(r"(^|[^!])(defined\s*\(?\s*|^\s*)(__CUDACC__|__CUDA_ARCH__)")

GUI = re.compile(r"^(imgui|imstb|backends/imgui|GLFW/)")
OPENGL = re.compile(r"^(glad/|GL/|GLES|KHR/)")
CUDA = re.compile(r"^(cuda|cu(blas|fft|rand|sparse|solver)|cub/|thrust/|npp|nv(tx|rtc|ml)|device_launch_parameters"
                  r"|vector_(types|functions)|driver_types|texture_(types|indirect_functions)|surface_|channel_descriptor"
                  r"|cooperative_groups)")
# cuda_gl_interop.h and its like are CUDA and OpenGL in one.
CUDA_GL = re.compile(r"^cuda(_gl_interop|GL)")


def includes(path):
    """(line, header, is it seen by nvcc alone) for every #include of a file."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), path.read_text(), flags=re.S)
    nvcc_only = []  # one entry for each open #if
    for number, line in enumerate(text.split("\n"), 1):
        if match := CONDITION.match(line):
            word, rest = match.groups()
            if word in ("if", "ifdef"):
                nvcc_only.append("||" not in rest and bool(ONLY_NVCC.search(rest)))
            elif word == "ifndef":
                nvcc_only.append(False)
            elif word in ("else", "elif") and nvcc_only:
                nvcc_only[-1] = False
            elif word == "endif" and nvcc_only:
                nvcc_only.pop()
        elif match := INCLUDE.match(line):
            yield number, match.group(2), any(nvcc_only)


def module_of(name):
    """'gpu/core' for 'gpu/core/image.h', 'app' for anything below app/, 'gpu' for the library's front door
    gpu/texelscope.h, None for what is not ours."""
    parts = name.split("/")
    if parts[0] == "app":
        return "app"
    if name == "gpu/texelscope.h":
        return "gpu"
    return "/".join(parts[:2]) if parts[0] == "gpu" and len(parts) > 2 else None


def resolve(root, file, header):
    """The file of ours that a header names, relative to the root; None for system headers."""
    for candidate in (root / header, file.parent / header):
        if candidate.is_file():
            return candidate.resolve().relative_to(root).as_posix()
    return header if header.startswith(("gpu/", "app/")) else None


def check(root):
    root = root.resolve()
    files = sorted(p for top in ("gpu", "app") for p in (root / top).rglob("*") if p.suffix in SUFFIXES)
    found = {file.relative_to(root).as_posix(): list(includes(file)) for file in files}
    violations = []

    for name, lines in found.items():
        module = module_of(name)
        if module not in MAY_INCLUDE:
            violations.append(f"{name}: no rule for this folder; add it to MAY_INCLUDE")
            continue
        for number, header, _ in lines:
            def violation(why):
                violations.append(f"{name}:{number}: includes {header}: {why}")

            ours = resolve(root, root / name, header)
            if ours is not None:
                target = module_of(ours)
                if target != module and target not in MAY_INCLUDE[module]:
                    violation(f"{module} must not depend on {target or 'what lies outside gpu/ and app/'}")
            elif GUI.match(header) and module != "app":
                violation("Dear ImGui and GLFW belong to app")
            elif (OPENGL.match(header) or CUDA_GL.match(header)) and module not in ("gpu/interop", "app"):
                violation("OpenGL belongs to gpu/interop and app")
            elif CUDA.match(header) and module == "app":
                violation("app must not see CUDA")

    # CUDA reaching app through headers of ours.
    def chain_to_cuda(name, seen):
        for _, header, nvcc_only in found.get(name, []):
            if nvcc_only:
                continue
            ours = resolve(root, root / name, header)
            if ours is None and CUDA.match(header):
                return [header]
            if ours is not None and ours not in seen:
                seen.add(ours)
                if chain := chain_to_cuda(ours, seen):
                    return [ours] + chain
        return None

    for name in found:
        if module_of(name) == "app":
            chain = chain_to_cuda(name, set())
            if chain and len(chain) > 1:
                violations.append(f"{name}: app must not see CUDA, but does through {' → '.join(chain)}")
    return violations


def self_test():
    """Each planted file must be found, alone; the clean tree must pass."""
    clean = {
        "gpu/core/image.h": '#if defined(__CUDA_ARCH__)\n#include <cuda_fp16.h>\n#endif\n#include <vector>\n',
        "gpu/method/info.h": '#include "gpu/core/image.h"\n',
        "gpu/methods/nearest.cpp": '#include "gpu/method/info.h"\n',
        "gpu/display/display.h": '#include "gpu/method/info.h"\n',
        "gpu/compare/metrics.h": '#include "gpu/display/display.h"\n',
        "gpu/reference/reference.h": '#include "gpu/prefilter/iir.h"\n',
        "gpu/prefilter/iir.cu": '#include <cuda_runtime.h>\n#include "gpu/method/info.h"\n',
        "gpu/backend/backend.h": '#include "gpu/compare/metrics.h"\n// #include <cuda_runtime.h>\n',
        "gpu/backend/handles.h": '#include <cuda_runtime.h>\n',
        "gpu/backend/cuda.cu": '#include "gpu/prefilter/iir.h"\n#include "gpu/backend/handles.h"\n',
        "gpu/interop/pbo.cpp": '#include <glad/gl.h>\n#include <cuda_gl_interop.h>\n#include "gpu/backend/backend.h"\n',
        "app/panels/view.cpp": '#include <imgui.h>\n#include <GLFW/glfw3.h>\n#include "gpu/backend/backend.h"\n',
    }
    planted = {
        "gpu/core/a.h": '#include "gpu/method/info.h"\n',
        "gpu/core/b.cpp": '#include "../method/info.h"\n',
        "gpu/core/c.h": '#include "tests/helpers.h"\n#include "app/state.h"\n',
        "gpu/core/view.h": '#include <GL/gl.h>\n',
        "gpu/method/a.h": '#include "gpu/methods/nearest.h"\n',
        "gpu/methods/a.cpp": '#include "gpu/prefilter/iir.h"\n',
        "gpu/prefilter/a.h": '#  include  "gpu/backend/backend.h"\n',
        "gpu/prefilter/b.h": '#include "gpu/reference/reference.h"\n',
        "gpu/display/a.h": '#include "gpu/compare/metrics.h"\n',
        "gpu/compare/a.h": '#include "gpu/reference/reference.h"\n',
        "gpu/reference/a.h": '#include "gpu/backend/backend.h"\n',
        "gpu/backend/a.cpp": '#include "gpu/interop/pbo.h"\n',
        "gpu/backend/b.cpp": '#include <glad/gl.h>\n',
        "gpu/backend/c.cu": '#include <cuda_gl_interop.h>\n',
        "gpu/interop/a.cpp": '#include "app/state.h"\n',
        "gpu/interop/b.cpp": '#include <GLFW/glfw3.h>\n',
        "gpu/method/b.cpp": '#include <imgui.h>\n',
        "app/a.cpp": '#include <cuda_runtime.h>\n',
        "app/b.cpp": '#ifdef __CUDACC__\n#include <cuda_runtime.h>\n#endif\n',
        "app/c.cpp": '#include <cuda_gl_interop.h>\n',
        "app/d.cpp": '#include "gpu/backend/handles.h"\n',
        "app/e.cpp": '#include "gpu/backend/f.h"\n',
        "gpu/new_folder/a.h": '#include <vector>\n',
    }

    def write(root, files):
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)

    missed = []
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        write(root, clean)
        missed += [f"clean tree: {line}" for line in check(root)]
        for name, text in planted.items():
            helper = {"gpu/backend/f.h": '#include "gpu/backend/handles.h"\n'} if name == "app/e.cpp" else {}
            write(root, {name: text} | helper)
            if not any(line.startswith(name + ":") for line in check(root)):
                missed.append(f"not found: {name}: {text.strip()}")
            (root / name).unlink()
    print("\n".join(missed) or f"all {len(planted)} planted violations found, none in the clean tree")
    return 1 if missed else 0


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--self-test":
        sys.exit(self_test())
    violations = check(pathlib.Path(sys.argv[1]))
    print("\n".join(violations) or "no include goes against the direction")
    sys.exit(1 if violations else 0)


if __name__ == "__main__":
    main()
