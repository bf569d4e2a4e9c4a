# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Cases of a campaign against the plain product, samples against what a Latin hypercube is, and keys of runs."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapeze.campaigns import keys, plan
from trapeze.campaigns.plan import Line, Plan, Wait
from trapeze.campaigns.store import Row
from trapeze.campaigns.summary import Group
from trapeze.platform import configurations
from trapeze.simulation import building

CONFIGS = tuple(map(configurations.load, ("mcu-clint", "mcu-clic", "mcu-fastirq")))
FLAGS = (("-O2",), ("-Os",), ("-O1", "-g"))
WAITS = (Wait(), Wait(1, 2), Wait(2, 1), Wait(0, 255))


def made(sizes: tuple[int, ...] = (1, 1, 1, 1, 1), line: Line | None = None, elf: Path = Path("x.elf")) -> Plan:
    """A plan with lists of these sizes."""
    configs, flags, waits, seeds, phases = sizes
    lists = CONFIGS[:configs], FLAGS[:flags], WAITS[:waits], tuple(range(7, 7 + seeds)), line
    raw = {"name": "x", "program": {"elf": str(elf)}}
    return Plan(Path("x.yaml"), raw, *lists, range(100, 100 + 3 * phases, 3), "rtl", 1000)


sizes = st.tuples(*(st.integers(1, most) for most in (3, 3, 4, 5, 6)))


@given(sizes)
def test_cases_are_the_product(lengths: tuple[int, ...]) -> None:
    found = made(lengths, Line(3, 1, 4))
    product = itertools.product(found.configs, found.flags, found.waits, found.seeds, found.phases)
    every = [one for one in product if one[2] != Wait() or one[3] == found.seeds[0]]
    assert found.count == len(every)
    for number, wanted in zip(found.numbers(None), every, strict=True):
        case = found.case(number)
        assert case.edge is not None
        assert (case.config, case.flags, case.wait, case.edge.cycle) == (*wanted[:3], wanted[4])
        assert case.seed == (0 if case.wait == Wait() else wanted[3])
        assert str(case.edge) == f"1:3@{wanted[-1]}:pulse=4"
        options = found.options(case)
        assert (options.wait_instr, options.wait_data) == (case.wait.instr, case.wait.data)
        assert (options.seed, options.irq, options.max_cycles) == (case.seed, (case.edge,), 1000)


@given(st.lists(st.integers(1, 9), max_size=4), st.integers(1, 200), st.integers(0, 9))
def test_a_sample_draws_from_each_part_of_each_list(short: list[int], count: int, seed: int) -> None:
    """With one list that has a value for each draw, no two draws are the same case."""
    lengths = [*short, count * 3]
    found = plan._latin_hypercube(lengths, count, seed)
    assert found == sorted(set(found))
    assert len(found) == count
    for place, size in enumerate(lengths):
        drawn = [number // math.prod(lengths[place + 1 :]) % size for number in found]
        for value in range(size):
            # The draws whose part of the list is all of this value, and those whose part touches it.
            whole = (value + 1) * count // size - -(-value * count // size)
            touched = -(-(value + 1) * count // size) - value * count // size
            assert whole <= drawn.count(value) <= touched


@given(sizes, st.integers(1, 400), st.integers(0, 9))
def test_a_sample_of_short_lists_has_its_size(lengths: tuple[int, ...], count: int, seed: int) -> None:
    """Distinct cases, that there are; all if there are not as many."""
    whole = made(lengths)
    found = list(replace(whole, raw={**whole.raw, "sample_seed": seed}).numbers(count))
    assert found == sorted(set(found))
    assert len(found) == min(count, whole.count)
    assert 0 <= found[0] <= found[-1] < whole.count


@given(st.lists(st.integers(0, 3) | st.none(), min_size=1, max_size=12))
def test_the_worst_of_a_group_is_the_first_of_the_longest(worst: list[int | None]) -> None:
    group = Group(())
    rows: list[Row] = [{"code": 0, "worst": one, "lines": [], "number": n} for n, one in enumerate(worst)]
    for row in rows:
        group.add(row)
    with_one = [row for row in rows if row["worst"] is not None]
    assert group.worst == max(with_one, key=lambda row: row["worst"], default=None)
    assert (group.runs, group.without) == (len(worst), worst.count(None))
    assert group.least == min((row["worst"] for row in with_one), default=None)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Programs, of which the first two are the same, and an engine for each configuration."""
    for name, text in {"a": "1", "b": "1", "c": "2", "bin/trapeze-sim": "s"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    for config in CONFIGS:
        for kind in ("rtl", "model", "platform"):
            (tmp_path / f"{kind}-{config.name}").write_text(f"{kind} {config.name}")
    monkeypatch.setattr(building, "BUILD", tmp_path)
    monkeypatch.setattr(building, "engine", lambda config, _waves, kind, _vcd: tmp_path / f"{kind}-{config.name}")
    monkeypatch.setattr(building, "platform_file", lambda config, _timed: tmp_path / f"platform-{config.name}")
    return tmp_path


def test_keys_differ_where_runs_do(folder: Path) -> None:
    """By everything that a run depends on, and by nothing else: not by its number, nor by the name of its program."""
    seen: dict[str, tuple[object, ...]] = {}
    lines = (None, Line(3), Line(4), Line(3, 1), Line(3, 0, 1), Line(3, 0, 2))
    for program, line, engine, most in itertools.product("abc", lines, ("rtl", "model"), (1000, 1001)):
        whole = replace(made((2, 1, 4, 2, 2), line, folder / program), engine=engine, max_cycles=most)
        requests = keys.Requests(whole, folder)
        for number in whole.numbers(None):
            case = whole.case(number)
            edge = None if case.edge is None else case.edge.to_json().values()
            run = (program == "c", engine, most, case.config.name, case.wait, case.seed, edge and tuple(edge))
            assert seen.setdefault(keys.key(requests.identity(case)), run) == run
            request = requests.work(case).request
            assert request["wait"] == {"instr": case.wait.instr, "data": case.wait.data, "seed": case.seed}
            assert request["programs"] == [str(folder / program)]
    assert len(seen) == len(set(seen.values())) == 2 * 2 * 2 * 2 * (1 + 3 * 2) * (1 + 2 * 5)
