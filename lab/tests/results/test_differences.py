# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What `trapeze compare` says of two results that were not measured under the same conditions."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trapeze.commandline import compare
from trapeze.common.edges import Edge, EdgeRange
from trapeze.platform import configurations as config
from trapeze.results import store
from trapeze.results.differences import differences
from trapeze.results.rows import Row
from trapeze.simulation.conditions import Conditions
from trapeze.simulation.options import Options
from verify.dev.testing import Trapeze

BUSY = """
int main(void) {
  volatile unsigned sum = 0;
  for (unsigned n = 0; n < 200; ++n) sum += n;
  return 0;
}
"""


def made(folder: Path, experiment: str = "run", elf: bytes = b"x", **options: Any) -> dict[str, Any]:
    """A result of two rows under one set of conditions."""
    path = folder / "x.elf"
    path.write_bytes(elf)
    common = {"config": "mcu-fastirq", "engine": "rtl", "unit": "cycles"}
    rows = [Row.of([4, 5], id=name, metric="latency", **common) for name in ("x/line1", "x/line2")]
    under = Conditions.of(path, "mcu-fastirq", Options(**options))
    return store.build(experiment, rows, command=["trapeze", experiment], runs={under: rows})


def said(before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, str, str, str, bool]]:
    return [(one.what, one.before, one.after, one.where, one.apart) for one in differences(before, after)]


def test_the_same(tmp_path: Path) -> None:
    assert said(made(tmp_path, seed=1), made(tmp_path, seed=1)) == []


@pytest.mark.parametrize(
    ("options", "what", "before", "after"),
    [
        ({"wait_instr": 64}, "fetch wait states (--wait-instr)", "0", "64"),
        ({"wait_data": 255}, "data wait states (--wait-data)", "0", "255"),
        ({"seed": 7}, "seed of the wait states", "0", "7"),
        ({"irq": (Edge(3, 100, ":pulse"),)}, "edges (--irq)", "none", "3@100:pulse"),
        ({"sweep": EdgeRange(3, 1, 9)}, "sweep", "none", "3@1..9"),
        ({"budget": 10}, "--budget", "none", "10"),
    ],
)
def test_of_a_run(options: dict[str, Any], what: str, before: str, after: str, tmp_path: Path) -> None:
    assert said(made(tmp_path), made(tmp_path, **options)) == [(what, before, after, "all", True)]


def test_what_one_compares_for(tmp_path: Path) -> None:
    """Another firmware and another commit are named, and figures are better or worse as ever."""
    before, after = made(tmp_path), made(tmp_path, elf=b"y")
    before["commit"], after["commit"] = "a" * 40, "b" * 40
    after["tools"]["riscv-gcc"] = "99.1"
    found = {what: apart for what, *_, apart in said(before, after)}
    assert found == {"firmware": False, "commit": False, "tools: riscv-gcc": False}
    after["rows"][0].update(max=9)
    assert [one.verdict for one in compare.compare(before, after).changes] == ["worse"]


def test_configuration(tmp_path: Path) -> None:
    """Every key of it, and every parameter of the RTL; of the rows that have it."""
    before = made(tmp_path)
    after = copy.deepcopy(before)
    after["configurations"]["mcu-fastirq"]["banks"] = 1
    after["configurations"]["mcu-fastirq"]["parameters"]["NumBanks"] = 1
    banks = str(config.load("mcu-fastirq").first.banks)
    for key in ("banks", "parameters.NumBanks"):
        assert (f"mcu-fastirq: {key}", banks, "1", "all", True) in said(before, after)
    for one in (before, after):
        one["rows"][1]["config"] = "mcu-clint"
    assert {where for *_, where, _ in said(before, after)} == {"x/line1"}
    after["rows"][0].update(max=9)
    after["rows"][1].update(max=9)
    found = compare.compare(before, after)
    assert [one.verdict for one in found.changes] == ["other conditions", "worse"]
    assert "1 worse, 1 other conditions" in found.summary


def test_edges_that_an_experiment_finds_are_no_condition(tmp_path: Path) -> None:
    """They follow from where the firmware has its loop; wait states do not, and --quick does not."""
    before = made(tmp_path, "irq-latency", sweep=EdgeRange(3, 10, 20), max_cycles=9)
    after = made(tmp_path, "irq-latency", sweep=EdgeRange(3, 11, 21), max_cycles=8, wait_instr=1)
    assert [what for what, *_ in said(before, after)] == ["fetch wait states (--wait-instr)"]
    before["command"] = "trapeze bench irq-latency --quick"
    assert ("--quick", "yes", "no", "all", True) in said(before, after)


def test_old_files(tmp_path: Path) -> None:
    """A file from before conditions were kept is still read, and it is said that they are not there."""
    before, after = made(tmp_path), made(tmp_path, seed=3)
    for key in ("command", "configurations", "runs", "failed"):
        del before[key]
    for name, value in {"a": before, "b": after}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(value))
    compare.run(tmp_path / "a.json", tmp_path / "b.json", tmp_path / "c.html")
    assert ("firmware, edges, wait states", "not in the file", "in the file", "all", False) in said(before, after)
    assert "not in the file" in (tmp_path / "c.html").read_text()


def test_wait_states_are_no_regression(trapeze: Trapeze, firmware: Callable[[str], Path], tmp_path: Path) -> None:
    """The same program with wait states takes more cycles, and nothing has become worse."""
    elf, a, b, page = firmware(BUSY), *(tmp_path / name for name in ("a.json", "b.json", "c.html"))
    assert trapeze("run", elf, "--config", "mcu-clint", "--json", a).code == 0
    waits = ["--wait-instr", 64, "--wait-data", 255, "--seed", 5]
    assert trapeze("run", elf, "--config", "mcu-clint", *waits, "--json", b).code == 0
    found = trapeze("compare", a, b, "--html", page)
    assert found.code == 0
    heading, table = found.out.split("Not the same conditions")[1].split("median")
    assert [line.split()[-3:] for line in heading.splitlines()[2:5]] == [
        ["0", "64", "all"],
        ["0", "255", "all"],
        ["0", "5", "all"],
    ]
    assert "other conditions" in table
    assert "worse" not in found.out
    assert "Not the same conditions" in page.read_text()
    assert "Not the same conditions" not in trapeze("compare", a, a).out
