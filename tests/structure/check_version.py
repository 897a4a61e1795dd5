#!/usr/bin/env python3
"""Checks that files which repeat the version state that of project() in CMakeLists.txt.

    check_version.py ROOT         status 1 and one line for each file that differs
    check_version.py --self-test  plants violations in a scratch tree and demands that each one is found

RELEASING.md lists the files. In CHANGELOG.md and the AppStream data the first, newest version counts.
"""

import re

from checking import main, planted_files

PROJECT = ("CMakeLists.txt", r"^project\(texelscope VERSION (\S+)")
REPEATED = [("CITATION.cff", r"^version: *(\S+)"),
            ("CHANGELOG.md", r"^## (\S+)"),
            ("python/texelscope/_version.py", r'^__version__ = "([^"]*)"'),
            ("assets/desktop/org.texelscope.texelscope.metainfo.xml", r'<release version="([^"]*)"')]


def version_in(root, name, pattern):
    """None if the file is not there or states none."""
    path = root / name
    found = re.search(pattern, path.read_text(encoding="utf-8"), re.M) if path.is_file() else None
    return found and found.group(1)


def check(root):
    version = version_in(root, *PROJECT)
    if not version:
        return ["CMakeLists.txt: project() states no version"]
    stated = [(name, version_in(root, name, pattern)) for name, pattern in REPEATED]
    return [f"{name}: states {other or 'no version'}, CMakeLists.txt {version}" for name, other in stated
            if other != version]


CLEAN = {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.25)\n\nproject(texelscope VERSION 1.2.3 LANGUAGES CXX)\n",
         "CITATION.cff": "cff-version: 1.2.0\nversion: 1.2.3\n",
         "CHANGELOG.md": "# Changelog\n\n## 1.2.3 – unreleased\n\n## 1.2.2 – 2026-01-01\n",
         "python/texelscope/_version.py": '__version__ = "1.2.3"\n',
         REPEATED[3][0]: '<releases>\n<release version="1.2.3" date="2026-02-01"/>\n<release version="1.2.2"/>\n'}
PLANTED = {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.25)\n",
           "CITATION.cff": "cff-version: 1.2.3\nversion: 1.2.0\n",
           "CHANGELOG.md": "# Changelog\n\n## 1.3.0 – unreleased\n\n## 1.2.3 – 2026-01-01\n",
           "python/texelscope/_version.py": '__version__ = "1.2.2"\n',
           REPEATED[3][0]: "<releases>\n</releases>\n"}

if __name__ == "__main__":
    main(__doc__, check, "every file states the version of CMakeLists.txt", CLEAN, planted_files(PLANTED))
