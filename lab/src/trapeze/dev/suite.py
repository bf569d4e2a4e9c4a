# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`make test`: lint, C++ unit tests and pytest suites; ends with one line that counts all of them."""

from __future__ import annotations

import os
import sys
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

from trapeze.common import paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.dev import lint
from trapeze.platform import configurations, corners
from trapeze.random.clic import program as clic
from trapeze.random.fastirq import program as fast
from trapeze.simulation import simulator

REPORTS = paths.BUILD / "test"
WORKERS = max(2, min(4, os.cpu_count() or 2))


@dataclass
class Count:
    """Tests that passed, failed and were skipped."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def add(self, other: Count) -> None:
        """Add another count."""
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped


def junit(path: Path, exit_code: int) -> Count:
    """Count a JUnit report; a failing process whose report shows no failure, or has none, counts as one."""
    count = Count()
    if path.exists():
        for case in ElementTree.parse(path).iter("testcase"):  # noqa: S314 (our own file)
            if case.find("failure") is not None or case.find("error") is not None:
                count.failed += 1
            elif case.find("skipped") is not None or case.get("status") in ("disabled", "notrun"):
                count.skipped += 1
            else:
                count.passed += 1
    if exit_code and not count.failed:
        count.failed = 1
    return count


def _report(name: str) -> Path:
    REPORTS.mkdir(parents=True, exist_ok=True)
    path = REPORTS / f"{name}.xml"
    path.unlink(missing_ok=True)
    return path


def build() -> Count:
    """The simulator with all engines and unit tests; counts nothing unless it fails."""
    today = corners.turn()
    engines = [f"rtl-{name}" for name in (*configurations.names(corners=False), *today)]
    engines += [f"rtl-{name}-wave" for name in configurations.names(variants=False)]
    engines += [f"model-{name}" for name in (*clic.VARIANTS, *fast.VARIANTS, *today)]
    try:
        simulator.ensure([simulator.EVERYTHING, "trapeze-sim", *engines])
    except TrapezeError as error:
        print(f"FAILED  build: {error}", flush=True)
        return Count(failed=1)
    return Count()


def unit() -> Count:
    """C++ unit tests."""
    path = _report("ctest")
    where = ["--test-dir", str(simulator.BUILD), "--output-junit", str(path)]
    options = ["--output-on-failure", "--no-tests=error", "--timeout", "120", "-j", str(WORKERS)]
    done = processes.run(["ctest", *where, *options], cwd=paths.ROOT)
    return junit(path, done.returncode)


def suites(arguments: list[str]) -> Count:
    """All pytest suites, or those of `arguments`."""
    path = _report("pytest")
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(WORKERS), "--dist", "worksteal", f"--junitxml={path}"]
    # Verilator's makefiles call `python`, which a bare machine has only in the virtual environment.
    path_list = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PATH": path_list}
    done = processes.run([*command, "-p", "no:cacheprovider", *arguments], cwd=paths.ROOT, env=environment)
    return junit(path, done.returncode)


def main() -> int:
    """Run everything, or with arguments only pytest on them.

    Returns:
        0 if nothing failed.
    """
    started = time.monotonic()
    total = build()
    if not sys.argv[1:]:
        for check in lint.CHECKS:
            content = lint.run(check)
            total.add(Count(passed=int(content), failed=int(not content)))
        total.add(unit())
    total.add(suites(sys.argv[1:]))
    skipped = f", {total.skipped} skipped" if total.skipped else ""
    print(f"{time.monotonic() - started:.0f} s")
    print(f"{total.passed} passed, {total.failed} failed{skipped}")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
