"""Builds the Debian packages, has Debian's own tools judge them, and installs the program where there is nothing but what
it says it needs: a root folder made of the packages in its Depends (as they are on this machine) and a shell. There it
must open a picture.

    check_deb.py BUILD_FOLDER WORK_FOLDER

A tool that is missing is named; with CI=true in the environment that is a failure. Exit status 77 (a skip) where this is no Debian or not root.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

SKIP = 77


def run(*command, **options):
    done = subprocess.run([str(c) for c in command], text=True, capture_output=True, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def leave_out(what):
    """Says what is not checked here. Where all is to be checked, that is wrong."""
    if os.environ.get("CI", "").lower() in ("1", "true", "yes"):
        sys.exit(f"not checked: {what}")
    print(f"NOT CHECKED: {what}")


def judge(program, *arguments):
    if shutil.which(program):
        print(f"{program}: {run(program, *arguments).strip() or 'nothing to object'}")
    else:
        leave_out(f"what {program} says, which is not installed")


def check_icons(icons):
    """In sizes and as SVG: desktops that draw no SVG show nothing otherwise, and the window has none."""
    sizes = sorted(int(png.parts[-3].split("x")[0]) for png in icons.glob("hicolor/*/apps/*.png"))
    if not list(icons.glob("hicolor/scalable/apps/*.svg")):
        sys.exit("the package has no SVG icon")
    if sizes:
        print(f"icons: SVG and {', '.join(map(str, sizes))} pixels")
        if missing := {16, 32, 48, 256} - set(sizes):
            sys.exit(f"the package has no icon of {', '.join(map(str, sorted(missing)))} pixels")
    elif shutil.which("rsvg-convert"):
        sys.exit("the package has no PNG icons although rsvg-convert is here: configure the build again")
    else:
        leave_out("PNG icons, which need rsvg-convert (librsvg2-bin)")


def check_words(package, library, share):
    """What is said in several places agrees: synopses, version, file types."""
    synopses = [field(p, "Description").splitlines()[0] for p in (package, library)]
    if synopses[0] == synopses[1] or "library" not in synopses[1]:
        sys.exit(f"the synopsis of the library is that of another package: {synopses}")
    component = ElementTree.parse(next(share.glob("metainfo/*.xml"))).getroot()
    newest = component.find("releases/release").get("version")
    if newest != field(package, "Version"):
        sys.exit(f"the newest release in the metainfo is {newest}, the package has {field(package, 'Version')}")
    entry = next(share.glob("applications/*.desktop")).read_text()
    opened = set(next(e for e in entry.splitlines() if e.startswith("MimeType="))[9:].strip(";").split(";"))
    listed = {e.text for e in component.findall("provides/mediatype")}
    if opened - {"inode/directory"} != listed:
        sys.exit(f"menu entry and metainfo name different file types: {sorted(opened ^ listed)}")


def field(package, name):
    return run("dpkg-deb", "--field", package, name).strip()


def names_in(relations):
    """The first alternative of each: "libc6 (>= 2.34), libgl1 | libgl" → libc6, libgl1."""
    return [r.split("|")[0].split("(")[0].split(":")[0].strip() for r in relations.split(",") if r.strip()]


def status_of_all():
    """The database of installed packages: name → its paragraph; and virtual packages → who provides them."""
    paragraphs, provided = {}, {}
    for paragraph in Path("/var/lib/dpkg/status").read_text(errors="replace").split("\n\n"):
        fields = dict(line.split(": ", 1) for line in paragraph.splitlines() if ": " in line and line[0] != " ")
        if " installed" not in fields.get("Status", ""):
            continue
        paragraphs[fields["Package"]] = (paragraph, fields)
        for name in names_in(fields.get("Provides", "")):
            provided.setdefault(name, fields["Package"])
    return paragraphs, provided


def closure(wanted, paragraphs, provided):
    found, missing, rest = set(), set(), list(wanted)
    while rest:
        name = rest.pop()
        name = name if name in paragraphs else provided.get(name, name)
        if name in found:
            continue
        if name not in paragraphs:
            missing.add(name)
            continue
        found.add(name)
        fields = paragraphs[name][1]
        rest += names_in(fields.get("Depends", "")) + names_in(fields.get("Pre-Depends", ""))
    return found, missing


def make_root(root, packages, paragraphs):
    shutil.rmtree(root, ignore_errors=True)
    for folder in ("usr/bin", "usr/sbin", "usr/lib", "usr/lib64", "tmp", "proc", "dev", "etc", "var/lib/dpkg/info",
                   "var/lib/dpkg/updates", "var/lib/dpkg/triggers"):
        (root / folder).mkdir(parents=True)
    for folder in ("bin", "sbin", "lib", "lib64"):
        (root / folder).symlink_to(f"usr/{folder}")
    files = []
    for package in sorted(packages):
        files += [f[1:] for f in run("dpkg", "-L", package).splitlines()
                  if f.startswith("/") and not f.startswith(("/usr/share/doc", "/usr/share/locale", "/usr/share/man"))
                  and (os.path.islink(f) or os.path.isfile(f))]
    # Libraries under a common name, which update-alternatives made on installing: liblapack.so.3
    for link in Path("/usr/lib").glob("*-linux-gnu/*.so*"):
        if link.is_symlink() and os.readlink(link).startswith("/etc/alternatives/"):
            files += [str(link)[1:], os.readlink(link)[1:]]
    run("tar", "--create", "--file", root / "files.tar", "--directory", "/", "--no-recursion", "--verbatim-files-from",
        "--files-from", "-", input="\n".join(files))
    run("tar", "--extract", "--file", root / "files.tar", "--directory", root, "--keep-directory-symlink")
    (root / "files.tar").unlink()
    (root / "var/lib/dpkg/status").write_text("\n\n".join(paragraphs[p][0].strip() for p in sorted(packages)) + "\n\n")
    for package in packages:
        for kind in ("list", "shlibs", "triggers"):
            for name in (package, f"{package}:amd64"):
                source = Path(f"/var/lib/dpkg/info/{name}.{kind}")
                if source.exists() and kind == "list":
                    shutil.copy(source, root / "var/lib/dpkg/info")
    run("ldconfig", "-r", root)


def check_python(inside, root, packages, python_is_here):
    """Installs the library and the Python package, which must compute there."""
    if not python_is_here:
        leave_out("the Python package, whose dependencies are not installed")
        return
    for package in packages:
        shutil.copy(package, root / "tmp")
    inside("dpkg", "--install", *[f"/tmp/{package.name}" for package in packages])
    inside("ldconfig")
    print(inside("python3", "-W", "error", "-c", "import numpy, texelscope as ts; print(ts.library_path, "
                 "ts.resize(numpy.eye(6), (3, 3)).shape, ts.identify(numpy.eye(64, dtype='uint8'), "
                 "ts.resize(numpy.eye(64, dtype='uint8'), (32, 32), like='pillow/bicubic'))[0].verdict)").strip())


def main(build, work):
    if not shutil.which("dpkg-shlibdeps") or os.geteuid() != 0:
        print("skipped: needs Debian's dpkg-dev, and root for the root folder of its own")
        return SKIP
    shutil.rmtree(work, ignore_errors=True)
    run("cpack", "-G", "DEB", "-B", work, cwd=build)
    package = next(work.glob("texelscope_*.deb"))
    library = next(work.glob("libtexelscope-dev_*.deb"))
    print(f"{package.name}: {package.stat().st_size >> 10} KiB, depends on {field(package, 'Depends')}")

    python = next(work.glob("python3-texelscope_*.deb"))
    judge("lintian", "--fail-on", "error,warning", "--allow-root", package, library, python)
    unpacked = work / "unpacked"
    run("dpkg-deb", "--extract", package, unpacked)
    share = unpacked / "usr/share"
    check_words(package, library, share)
    check_icons(share / "icons")
    judge("desktop-file-validate", next(share.glob("applications/*.desktop")))
    judge("appstreamcli", "validate", "--no-net", next(share.glob("metainfo/*.xml")))
    judge("mandoc", "-T", "lint", "-W", "error", next(share.glob("man/man1/*.gz")))

    paragraphs, provided = status_of_all()
    wanted = names_in(field(package, "Depends")) + ["dpkg", "dash", "coreutils", "diffutils", "libc-bin", "libgl1-mesa-dri", "libglx-mesa0"]
    of_python = names_in(field(library, "Depends")) + names_in(field(python, "Depends"))
    packages_of_python, missing_for_python = closure(set(of_python) - {"libtexelscope-dev"}, paragraphs, provided)
    packages, missing = closure(wanted, paragraphs, provided)
    python_is_here = not missing_for_python - {"debconf-2.0"}
    if python_is_here:
        packages |= packages_of_python
    if missing - {"debconf-2.0"}:
        print(f"skipped: not installed here: {', '.join(sorted(missing))}")
        return SKIP
    root = work / "root"
    make_root(root, packages, paragraphs)
    shutil.copy(package, root / "tmp")

    def inside(*command):
        return run("chroot", root, *command, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/tmp"})

    inside("dpkg", "--install", f"/tmp/{package.name}")
    print(inside("texelscope", "--version").strip())
    check_python(inside, root, [library, python], python_is_here)
    inside("texelscope", "resize", "@basilica:64", "-o", "/tmp/photo.png", "--size", "64x64")
    inside("texelscope", "render", "/tmp/photo.png", "-o", "/tmp/shown.png", "--zoom", "4")
    if (build / "texelscope_oiio.so").exists():  # a module, which is found from the program's place, with its libraries
        inside("texelscope", "resize", "/tmp/photo.png", "-o", "/tmp/photo.tif", "--size", "64x64")
        inside("texelscope", "render", "/tmp/photo.tif", "-o", "/tmp/shown.png", "--zoom", "4")
        print(f"TIFF: {(root / 'tmp/photo.tif').stat().st_size} bytes")
    if (root / "tmp/shown.png").stat().st_size < 1000:
        sys.exit("the picture that the installed program wrote is empty")
    if not shutil.which("xvfb-run"):
        leave_out("the window, which needs xvfb-run")
        return 0
    # The screen's socket has an abstract name: it is seen from the other root as well.
    run("xvfb-run", "-a", "-f", root / "tmp/auth", "chroot", root, "env", "XAUTHORITY=/tmp/auth", "texelscope", "/tmp/photo.png", "--window", "640x480", "--screenshot",
        "/tmp/window.png", env={**os.environ, "HOME": "/tmp", "LIBGL_ALWAYS_SOFTWARE": "1"})
    print(f"window: {(root / 'tmp/window.png').stat().st_size} bytes of PNG")
    shutil.rmtree(root)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
