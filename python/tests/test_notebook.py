"""The notebook of examples/ is executed, and says what is true."""

import json
import os
import subprocess
import sys

from conftest import ROOT, need
import texelscope as ts


def test_the_notebook_names_every_library(program, tmp_path):
    need("nbconvert"), need("ipykernel")
    path = os.pathsep.join([str(ROOT / "python"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run([sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir", str(tmp_path),
                           str(ROOT / "examples/which_library.ipynb")], capture_output=True, text=True, timeout=240,
                          env={**os.environ, "PYTHONPATH": path, "TEXELSCOPE_LIBRARY": str(ts.library_path),
                               "TEXELSCOPE_PROGRAM": program, "MPLBACKEND": "Agg", "JUPYTER_PLATFORM_DIRS": "1"})
    assert done.returncode == 0, done.stderr[-2000:]
    cells = json.loads((tmp_path / "which_library.ipynb").read_text())["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    page = "".join("".join(output.get("data", {}).get("text/html", "")) for output in outputs)
    assert page.count("<img") >= 4 and page.count("bit-exact") >= 2
    for truth, guess in (("OpenCV cubic", "like:opencv/cubic"), ("Pillow bicubic", "like:pillow/bicubic")):
        row = next(r for r in page.split("<tr>") if truth in r)
        assert guess in row
    said = "".join("".join(output.get("text", "")) for output in outputs)
    assert said.count("made again") >= 4
