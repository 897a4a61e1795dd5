#!/usr/bin/env python3
"""Runs a file of tests for CTest: with pytest, warnings being errors. Status 77 (a skip) without it, or if all were skipped.

With CI=true in the environment a tool that is missing is a failure.
"""

import os
import sys


def main(script):
    try:
        import numpy  # noqa: F401
        import pytest
    except ImportError as error:
        print(f"not installed: {error.name}")
        return 1 if os.environ.get("CI", "").lower() in ("1", "true", "yes") else 77
    passed = []

    class Counter:
        def pytest_runtest_logreport(self, report):
            if report.when == "call" and report.passed:
                passed.append(report.nodeid)

    status = pytest.main(["-q", "-rs", "-p", "no:cacheprovider", "-W", "error", script], plugins=[Counter()])
    return 77 if status == 0 and not passed else int(status)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1]))
