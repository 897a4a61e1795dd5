#!/usr/bin/env python3
"""Checks which folders include which.

    check_includes.py ROOT         every source below ROOT/gpu and ROOT/app; status 1 and one line for each violation
    check_includes.py --self-test  plants violations in a scratch tree and demands that each one is found

The rules (a folder may include itself and what is to its right):
    app → gpu/interop → gpu/backend → gpu/methods, gpu/prefilter → gpu/method → gpu/weights → gpu/core
    app → gpu/tiles → gpu/backend
    gpu/c → gpu/tiles, gpu/backend
    gpu/backend → gpu/recipes, gpu/reference → gpu/prefilter, gpu/backend → gpu/compare → gpu/display → gpu/method
    Below app/ each room has a list of the rooms it may include (ROOMS), and third-party headers belong to rooms (OWNERS).
    Only main.cpp is directly in app/.
    Dear ImGui, GLFW and app headers: only in app. OpenGL headers: only in gpu/interop and app.
    CUDA headers: never in app, and not through one of our own headers either, unless only nvcc sees them there.
"""

import re

from checking import Planted, main, planted_files

MAY_INCLUDE = {
    "gpu/core": [],
    "gpu/weights": ["gpu/core"],
    "gpu/kernels": ["gpu/weights", "gpu/core"],
    "gpu/method": ["gpu/kernels", "gpu/weights", "gpu/core"],
    "gpu/methods": ["gpu/method", "gpu/core"],
    "gpu/prefilter": ["gpu/method", "gpu/weights", "gpu/core"],
    "gpu/recipes": ["gpu/prefilter", "gpu/method", "gpu/weights", "gpu/core"],
    "gpu/reference": ["gpu/prefilter", "gpu/method", "gpu/weights", "gpu/core"],
    "gpu/display": ["gpu/method", "gpu/core"],
    "gpu/compare": ["gpu/display", "gpu/method", "gpu/core"],
}
COMPUTING = ["gpu/recipes", "gpu/reference", "gpu/compare", "gpu/display", "gpu/methods", "gpu/prefilter", "gpu/method", "gpu/kernels", "gpu/weights", "gpu/core"]
MAY_INCLUDE |= {
    "gpu/backend": COMPUTING,
    "gpu/tiles": ["gpu/backend", *COMPUTING],
    "gpu": ["gpu/tiles", "gpu/backend", "gpu/compare", "gpu/display", "gpu/method", "gpu/core"],
    "gpu/interop": ["gpu/backend", *COMPUTING],
    "gpu/c": ["gpu/tiles", "gpu/backend", *COMPUTING],
}
GPU = ["gpu/interop", "gpu/tiles", "gpu/backend", *COMPUTING]  # all of app/ may use it

FILE_FLOORS = [["decoding"], ["bytes"], ["colour"], ["codecs"], ["metadata", "tables", "test_images"], ["reading"],
               ["writing", "desktop"], ["tiles"]]  # lowest first


def file_rooms():
    """Each room of app/files with those below it."""
    below = []
    for floor in FILE_FLOORS:
        names = [f"app/files/{name}" for name in floor]
        yield from ((name, list(below)) for name in names)
        below += names


CODEC_MODULES = [f"app/files/codecs/{name}" for name in ("oiio", "jxl", "tiff", "openslide", "openjpeg", "openexr", "heif")]
FILES = [name for name, _ in file_rooms() if name not in ("app/files/test_images", "app/files/tiles")]
TEXT_FILES = ["app/text", *FILES, "app/files/test_images"]
STATE = ["app/state", "app/state/session"]
PICTURE = ["app/picture", "app/picture/inspect", "app/picture/frame", "app/work", "app/drawing", *STATE, *TEXT_FILES]
WINDOW = ["app/window", "app/window/gl"]
STUDIES = ["app/studies/experiments", "app/studies/bench", "app/studies/restoring", "app/studies/recipes"]
ROOMS = {
    **dict(file_rooms()),
    **{name: ["app/files/codecs", "app/files/colour", "app/files/bytes", "app/files/decoding"] for name in CODEC_MODULES},
    "app/text": [],
    "app/window/gl": FILES,
    "app/window": ["app/window/gl", *FILES],
    "app/drawing": TEXT_FILES,
    "app/state": ["app/text", *FILES],
    "app/state/session": ["app/state", "app/text", *FILES, "app/files/test_images"],
    "app/work": ["app/state"],
    "app/picture": ["app/work", "app/state", "app/drawing", "app/text", *FILES, "app/files/test_images", "app/files/tiles"],
    "app/picture/inspect": ["app/picture", "app/work", "app/state", "app/drawing", "app/text", "app/files/test_images"],
    "app/picture/frame": ["app/picture", "app/picture/inspect", "app/work", "app/state", "app/window/gl"],
    "app/studies/bench": [*PICTURE, *WINDOW],
    "app/studies/experiments": ["app/studies/bench", *PICTURE],
    "app/studies/restoring": ["app/studies/experiments", *PICTURE],
    "app/studies/recipes": ["app/studies/experiments", *PICTURE],
    "app/studies/methods_page": ["app/studies/recipes", *PICTURE],
    "app/viewer/pushing": FILES,
    "app/viewer/recording": ["app/work", "app/state", "app/window/gl", *FILES],
    "app/viewer/lessons": ["app/text", *STATE, *FILES],
    "app/viewer/editing": ["app/viewer/lessons", "app/picture", "app/picture/inspect", "app/window", *TEXT_FILES, *STATE],
    "app/viewer/widgets": ["app/viewer/lessons", "app/window", "app/drawing", "app/state"],
    "app/viewer/panels": ["app/viewer/widgets", "app/viewer/editing", "app/viewer/lessons", *STUDIES, "app/picture",
                          "app/picture/inspect", "app/drawing", "app/state", *TEXT_FILES],
}
ROOMS["app/viewer/loop"] = list(ROOMS)
ROOMS["app/cli"] = list(ROOMS)
ROOMS["app"] = ["app/cli", *FILES]  # only main.cpp
# Which rooms may include a third-party library, by the beginning of its headers' names.
OWNERS = {
    "Dear ImGui": (r"imgui|imstb|backends/imgui", ["app/viewer/widgets", "app/viewer/panels", "app/viewer/loop"]),
    "GLFW": (r"GLFW/", ["app/window", "app/viewer/widgets", "app/viewer/loop"]),
    "Xlib": (r"X11/", ["app/window"]),
    "OpenGL": (r"glad/|GL/|GLES|KHR/", [*WINDOW, "app/picture/frame", "app/studies/bench"]),
    "FreeType": (r"ft2build|freetype", ["app/drawing", "app/viewer/widgets"]),
    "CLI11": (r"CLI/", ["app/cli"]),
    "OpenImageIO": (r"OpenImageIO", ["app/files/codecs/oiio"]),
    "stb": (r"stb_", ["app/files/codecs"]),
    "libwebp": (r"webp/", ["app/files/codecs"]),
    "libjxl": (r"jxl/", ["app/files/codecs/jxl"]),
    "OpenSlide": (r"openslide/", ["app/files/codecs/openslide"]),
    "libtiff": (r"tiff(io|vers)?\.h", ["app/files/codecs/tiff", "app/files/codecs/openslide"]),
    "OpenJPEG": (r"openjpeg\.h", ["app/files/codecs/openjpeg"]),
    "OpenEXR": (r"Imf|Imath|Iex", ["app/files/codecs/openexr"]),
    "libheif": (r"libheif/", ["app/files/codecs/heif"]),
    "libpng": (r"png\.h", ["app/files/codecs"]),
    "libjpeg-turbo": (r"jpeglib|jerror", ["app/files/codecs"]),
    "Little CMS": (r"lcms2", ["app/files/colour"]),
    "zlib": (r"zlib\.h", ["app/files/bytes", "app/files/colour", "app/files/codecs", "app/files/codecs/tiff", "app/files/metadata",
                          "app/files/tiles"]),
    "libseccomp": (r"seccomp\.h", ["app/files/decoding"]),
    "KISS FFT": (r"kissfft", ["app/picture"]),
    "JSON": (r"nlohmann/", ["app/files/bytes", "app/state/session", *STUDIES, "app/viewer/loop", "app/viewer/pushing", "app/cli"]),
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
# cuda_gl_interop.h and similar are both CUDA and OpenGL.
CUDA_GL = re.compile(r"^cuda(_gl_interop|GL)")


def includes(path):
    """(line, header, is it seen only by nvcc) for every #include of a file."""
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
    """'gpu/core' for 'gpu/core/image.h', the innermost room for a file below app/ ('app' for app/main.cpp), 'gpu' for the
    library's front door gpu/texelscope.h, None for others."""
    parts = name.split("/")
    if parts[0] == "app":
        rooms = [room for room in ROOMS if room != "app" and name.startswith(room + "/")]
        return max(rooms, key=len) if rooms else "app" if name == "app/main.cpp" else None
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
        in_app = module in ROOMS
        if module not in MAY_INCLUDE and not in_app:
            violations.append(f"{name}: no rule for this folder; add it to MAY_INCLUDE or ROOMS")
            continue
        allowed = [*GPU, *ROOMS[module]] if in_app else MAY_INCLUDE[module]
        for number, header, _ in lines:
            def violation(why):
                violations.append(f"{name}:{number}: includes {header}: {why}")

            ours = resolve(root, root / name, header)
            if ours is not None:
                target = module_of(ours)
                if target != module and target not in allowed:
                    violation(f"{module} must not depend on {target or 'what is outside gpu/ and the rooms of app/'}")
            elif GUI.match(header) and not in_app:
                violation("Dear ImGui and GLFW belong to app")
            elif (OPENGL.match(header) or CUDA_GL.match(header)) and module != "gpu/interop" and not in_app:
                violation("OpenGL belongs to gpu/interop and app")
            elif CUDA.match(header) and in_app:
                violation("app must not see CUDA")
            elif in_app:
                for library, (beginning, rooms) in OWNERS.items():
                    if re.match(beginning, header) and module not in rooms:
                        violation(f"{library} belongs to {', '.join(rooms)}")

    # CUDA in app through headers of ours.
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
        if module_of(name) in ROOMS:
            chain = chain_to_cuda(name, set())
            if chain and len(chain) > 1:
                violations.append(f"{name}: app must not see CUDA, but does through {' → '.join(chain)}")
    for room, below in ROOMS.items():
        for other in below:
            if room in ROOMS.get(other, []):
                violations.append(f"ROOMS: {room} and {other} may include each other")
    return violations


CLEAN = {
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
    "app/main.cpp": '#include "app/cli/command_line.h"\n',
    "app/cli/command_line.h": '#include <CLI/CLI.hpp>\n#include "app/viewer/loop/viewer_window.h"\n',
    "app/viewer/loop/viewer_window.h": '#include <GLFW/glfw3.h>\n#include "app/viewer/panels/panels.h"\n',
    "app/viewer/panels/panels.h": '#include <imgui.h>\n#include "app/viewer/editing/edits.h"\n#include "gpu/backend/backend.h"\n',
    "app/viewer/editing/edits.h": '#include "app/state/app_state.h"\n#include "app/picture/rendition.h"\n',
    "app/picture/rendition.h": '#include "gpu/backend/backend.h"\n#include "app/state/app_state.h"\n',
    "app/picture/frame/plan.h": '#include <glad/gl.h>\n#include "app/picture/rendition.h"\n',
    "app/state/app_state.h": '#include "gpu/core/image.h"\n',
    "app/state/session/session.h": '#include <nlohmann/json.hpp>\n#include "app/state/app_state.h"\n',
}
PLANTED = {
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
    "app/cli/a.cpp": '#include <cuda_runtime.h>\n',
    "app/cli/b.cpp": '#ifdef __CUDACC__\n#include <cuda_runtime.h>\n#endif\n',
    "app/picture/c.cpp": '#include <cuda_gl_interop.h>\n',
    "app/picture/d.cpp": '#include "gpu/backend/handles.h"\n',
        "app/settings.cpp": '#include <vector>\n',
    "app/new_room/a.h": '#include <vector>\n',
    "app/text/a.cpp": '#include "app/state/app_state.h"\n',
    "app/state/a.h": '#include "app/state/session/session.h"\n',
    "app/state/b.h": '#include "app/work/work.h"\n',
    "app/work/a.h": '#include "app/picture/rendition.h"\n',
    "app/state/session/a.cpp": '#include "app/picture/rendition.h"\n',
    "app/picture/a.h": '#include "app/picture/frame/plan.h"\n',
    "app/picture/b.h": '#include "app/viewer/editing/edits.h"\n',
    "app/viewer/editing/a.cpp": '#include "app/viewer/panels/panels.h"\n',
    "app/viewer/widgets/a.cpp": '#include "../editing/edits.h"\n',
    "app/viewer/panels/a.cpp": '#include "app/viewer/loop/viewer_window.h"\n',
    "app/viewer/loop/a.cpp": '#include "app/cli/command_line.h"\n',
    "app/viewer/editing/b.cpp": '#include <imgui.h>\n',
    "app/viewer/panels/b.cpp": '#include <GLFW/glfw3.h>\n',
    "app/picture/f.cpp": '#include <glad/gl.h>\n',
    "app/picture/g.cpp": '#include <ft2build.h>\n',
    "app/viewer/loop/b.cpp": '#include <CLI/CLI.hpp>\n',
    "app/drawing/a.cpp": '#include <OpenImageIO/imageio.h>\n',
    "app/drawing/b.cpp": '#include <stb_image.h>\n',
    "app/viewer/panels/c.cpp": '#include <nlohmann/json.hpp>\n',
    "gpu/new_folder/a.h": '#include <vector>\n',
}
VIOLATIONS = planted_files(PLANTED) + [
    Planted("CUDA through a header of ours",
            {"app/picture/e.cpp": '#include "gpu/backend/f.h"\n', "gpu/backend/f.h": '#include "gpu/backend/handles.h"\n'},
            "app/picture/e.cpp:")]

if __name__ == "__main__":
    main(__doc__, check, "no include goes against the direction", CLEAN, VIOLATIONS)
