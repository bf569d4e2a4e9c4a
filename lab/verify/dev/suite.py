# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`make test` and `make check`: lint, C++ unit tests and pytest suites; ends with one line that counts all of them.

`make test` leaves out what has its turn another time (`verify.dev.turns`), `make check` leaves out nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from trapeze.common import paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations
from trapeze.simulation import building
from verify.dev import lint, turns
from verify.dev.cost import Cost

REPORTS = paths.BUILD / "test"
WORKERS = max(2, min(4, os.cpu_count() or 2))


@dataclass
class Count:
    """Tests that passed, failed and were skipped, with the reasons of these."""

    passed: int = 0
    failed: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def skipped(self) -> int:
        """How many were skipped."""
        return self.reasons.total()

    def add(self, other: Count) -> None:
        """Add another count."""
        self.passed += other.passed
        self.failed += other.failed
        self.reasons += other.reasons


def junit(path: Path, exit_code: int) -> Count:
    """Count a JUnit report; a failing process whose report shows no failure, or has none, counts as one."""
    count = Count()
    if path.exists():
        for case in ElementTree.parse(path).iter("testcase"):  # noqa: S314 (our own file)
            if case.find("failure") is not None or case.find("error") is not None:
                count.failed += 1
            elif (skipped := case.find("skipped")) is not None or case.get("status") in ("disabled", "notrun"):
                said = skipped.get("message") if skipped is not None else None
                count.reasons[said or "says no reason"] += 1
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


def names(turn: int | None) -> list[str]:
    """The configurations that are tested in a turn; None: in `make check`."""
    return configurations.names() if turn is None else turns.configurations_due(turn)


def waves(turn: int | None) -> list[str]:
    """Those of which the engine with waves is tested."""
    return configurations.names(variants=False) if turn is None else turns.waves_due(turn)


def build(turn: int | None) -> Count:
    """The simulator with the engines of a turn and unit tests; counts nothing unless it fails."""
    engines = [f"rtl-{name}" for name in dict.fromkeys((*names(turn), *waves(turn)))]
    engines.append(building.MODEL)
    with_waves = [target for name in waves(turn) for target in (f"rtl-{name}-wave", f"unit-tests-{name}")]
    try:
        building.ensure([building.EVERYTHING, "trapeze-sim", *engines, *with_waves])
    except TrapezeError as error:
        print(f"FAILED  build: {error}", flush=True)
        return Count(failed=1)
    return Count()


def checks(turn: int | None) -> Count:
    """Static checks."""
    total = Count()
    for name, check in lint.checks(names(turn)).items():
        content = lint.run(name, check)
        total.add(Count(passed=int(content), failed=int(not content)))
    return total


def unit(turn: int | None) -> Count:
    """C++ unit tests; of the configurations, those that have been built."""
    path = _report("ctest")
    where = ["--test-dir", str(building.BUILD), "--output-junit", str(path)]
    options = ["--output-on-failure", "--no-tests=error", "--timeout", "120", "-j", str(WORKERS)]
    if left := [name for name in configurations.names(variants=False) if name not in waves(turn)]:
        of_those = "|".join(left)
        options += ["--exclude-regex", f"^sim/({of_those})/|-test-({of_those})_NOT_BUILT$"]
    done = processes.run(["ctest", *where, *options], cwd=paths.ROOT)
    return junit(path, done.returncode)


def suites(arguments: list[str], turn: int | None) -> Count:
    """All pytest suites, or those of `arguments`, as far as they are due."""
    path = _report("pytest")
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(WORKERS), "--dist", "worksteal", f"--junitxml={path}"]
    command += [] if turn is None else ["-p", "verify.dev.turns", "--turn", str(turn)]
    # Verilator's makefiles call `python`, which a bare machine has only in the virtual environment.
    path_list = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PATH": path_list}
    done = processes.run([*command, "-p", "no:cacheprovider", *arguments], cwd=paths.ROOT, env=environment)
    return junit(path, done.returncode)


def _said(turn: int) -> str:
    """What a turn has, for people."""
    due = [name for name in names(turn) if name not in turns.STANDING]
    which = f"turn {turn % turns.PERIOD} of 0 to {turns.PERIOD - 1}"
    return f"{which}: beside {', '.join(turns.STANDING)} also {', '.join(due)}"


def main() -> int:
    """Run what is due, everything with `--all`, or only pytest on what is named.

    Returns:
        0 if nothing failed.
    """
    parser = argparse.ArgumentParser(prog="make test")
    parser.add_argument("--all", action="store_true", help="`make check`: what has its turn another time, too")
    known, chosen = parser.parse_known_args()
    turn = None if known.all or chosen else turns.number()
    if turn is not None:
        print(_said(turn), flush=True)
    started = time.monotonic()
    cost, total = Cost(), Count()
    if not chosen:
        with cost.phase("engines and lint"), ThreadPoolExecutor(1) as beside:
            built = beside.submit(build, turn)
            total.add(checks(turn))
            total.add(built.result())
        with cost.phase("unit"):
            total.add(unit(turn))
    with cost.phase("suites"):
        total.add(suites(chosen, turn))
    cost.read(REPORTS / "pytest.xml")
    cost.write(REPORTS / "cost.json")
    print(*cost.lines(), sep="\n")
    if turn is not None and turns.SELECTED.exists():
        part = json.loads(turns.SELECTED.read_text())
        print(f"{part['due']} of {part['tests']} tests had their turn; `make check` runs all")
    for reason, times in total.reasons.most_common():
        print(f"skipped {times}: {reason}")
    skipped = f", {total.skipped} skipped" if total.skipped else ""
    print(f"{time.monotonic() - started:.0f} s")
    print(f"{total.passed} passed, {total.failed} failed{skipped}")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
