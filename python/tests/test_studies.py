"""compare, restore, identify, and the window, which the program does."""

import json
import shutil
import subprocess

import numpy as np
import pytest
import texelscope as ts
from conftest import missing, need


@pytest.fixture
def photo():
    y, x = np.mgrid[0:160, 0:160].astype(float)
    picture = 0.5 + 0.25 * np.sin(x / 3 + 0.002 * y * y) + 0.2 * np.cos(y / 4 + 0.01 * x)
    return (np.stack([picture, picture**2, 1 - picture], -1) * 255).clip(0, 255).astype(np.uint8)


def test_compare_gives_the_figures_of_the_program(photo, program, tmp_path):
    table = ts.compare(photo, ["bicubic", "bspline", "nearest"], zoom=4)
    assert table["method"] == ["bspline", "bicubic", "nearest"] and len(table) == 3 and table.columns[1] == "rmse"
    np.save(tmp_path / "photo.npy", photo)
    done = subprocess.run([program, "compare", str(tmp_path / "photo.npy"), "--panes", "bspline; bicubic; nearest", "--zoom", "4", "--json",
                           "-"], capture_output=True, text=True, check=True)
    for row, pane in zip(table, json.loads(done.stdout)["panes"]):
        assert abs(row["rmse"] / 255 - pane["rmse"]) < 1e-6 and abs(row["psnr"] - pane["psnr"]) < 0.01 and abs(row["ssim"] - pane["ssim"]) < 1e-4
    assert "bspline" in repr(table) and repr(table).count("\n") == 4
    page = table._repr_html_()
    assert page.count("<img") == 3 and page.count("<tr>") == 4
    frame = need("pandas") and table.to_dataframe()
    assert list(frame.method) == table["method"]


def test_restore_ranks_methods(photo, program, tmp_path):
    folder = tmp_path / "pictures"
    folder.mkdir()
    np.save(folder / "a.npy", photo)
    np.save(folder / "b.npy", photo[::-1])
    table = ts.restore(folder, 4, methods=["nearest", "bspline", "bilinear"])
    assert table[0]["method"] == "bspline" and table[0]["wins"] == 2 and table[2]["method"] == "nearest"
    assert table["psnr"] == sorted(table["psnr"], reverse=True) and "2 pictures" in table.title
    alone = ts.restore(photo, 4, methods=["bspline"])
    assert abs(alone[0]["psnr"] - table[0]["psnr"]) < 1
    with pytest.raises(ValueError, match="unknown method"):
        ts.restore(photo, 4, methods=["nothing"])
    with pytest.raises(ts.Error, match="too small"):
        ts.restore(photo[:20, :20], 4)
    with pytest.raises(ValueError, match="no pictures"):
        ts.restore(tmp_path, 4)


def test_identify_names_the_library(photo, program):
    small = ts.resize(photo, (61, 53), like="pillow/bicubic")
    guesses = ts.identify(photo, small)
    assert guesses[0].recipe == "like:pillow/bicubic" and guesses[0].verdict == "bit-exact" and guesses[0].largest == 0
    for guess in guesses[:3]:
        assert "%" in str(guess)
    assert np.array_equal(ts.resize(photo, (61, 53), like=guesses[0].recipe), small)


def test_arrays_are_shown_in_the_window(photo, program, tmp_path, monkeypatch):
    if not shutil.which("Xvfb"):
        missing("Xvfb")
    server = subprocess.Popen(["Xvfb", "-noreset", "-displayfd", "1", "-screen", "0", "1280x900x24"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    display = f":{server.stdout.readline().decode().strip()}"  # which it says once it is there
    runtime = tmp_path / "run"
    runtime.mkdir(mode=0o700)
    for name, value in (("DISPLAY", display), ("XDG_RUNTIME_DIR", str(runtime)), ("XDG_CONFIG_HOME", str(tmp_path)),
                        ("XDG_CACHE_HOME", str(tmp_path)), ("LIBGL_ALWAYS_SOFTWARE", "1"), ("TEXELSCOPE_PROGRAM", program)):
        monkeypatch.setenv(name, value)
    window = None
    try:
        window = ts.window(wait=60)
        theirs = ts.resize(photo, (80, 80), "nearest")
        ours = ts.resize(photo, (80, 80), "lanczos3")
        window.show("ours", ours)
        window.show("theirs", theirs)
        window.show("signal", np.sin(np.arange(100.0)))
        window.panes(["ours", "theirs"], difference="signed", gain=16)
        window.screenshot(tmp_path / "figure.png", size=(640, 480))
        picture = np.asarray(need("PIL.Image").open(tmp_path / "figure.png"))
        assert picture.shape[:2] == (480, 640) and picture.std() > 10
        window.close("theirs")
        with pytest.raises(ts.Error, match="theirs"):
            window.close("theirs")
        window.show("theirs", theirs)  # the window hangs up after an error: this is another connection
        window.close("theirs")
        for wrong in (lambda: window.panes([]), lambda: window.panes("ours", methods=["nearest", "bspline"]),
                      lambda: window.panes(["ours"], difference="signed", reference="theirs")):
            with pytest.raises(ValueError):
                wrong()
        with pytest.raises(ValueError, match="was not shown"):
            window.panes(["ours", "theirs"])
        with pytest.raises(ValueError, match="one picture at a time"):
            window.show("many", np.zeros((2, 5, 50, 60, 3)), channels="last")
        same = ts.window()
        same.show("ours", theirs)
        same.disconnect()
    finally:
        if window is not None:
            window.disconnect()
            if window.process is not None:
                window.process.terminate()
                window.process.wait()
                window.process.stderr.close()
        server.terminate()
        server.wait()
        server.stdout.close()


def test_without_a_window_it_is_said(monkeypatch):
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    with pytest.raises(ts.Unavailable, match="XDG_RUNTIME_DIR"):
        ts.window()
