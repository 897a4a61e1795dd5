"""The code of docs/python.md and of the docstrings runs."""

import doctest
import importlib
import re
import sys

import pytest
import texelscope as ts
from conftest import ROOT


def blocks():
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)


def test_the_code_of_the_page_runs(program, capsys):
    names = {}
    left_out = 0
    for number, block in enumerate(blocks(), 1):
        if "import torch" in block:
            try:
                importlib.import_module("torch")
            except ImportError:
                left_out += 1
                continue
        exec(compile(block, f"docs/python.md, block {number}", "exec"), names)
    said = capsys.readouterr().out
    assert "channels='first'" in said and "like:pillow/bicubic: bit-exact" in said
    assert len(blocks()) - left_out >= 8 and callable(names["show"])


@pytest.mark.parametrize("module", ["_functions", "_methods"])
def test_examples_of_docstrings_are_right(module):
    outcome = doctest.testmod(sys.modules[f"texelscope.{module}"])
    assert outcome.attempted > 0 and outcome.failed == 0
    assert ts.__version__
