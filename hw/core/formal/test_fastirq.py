# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""fastirq saves and restores every context, for all time, and the properties that say so are able to fail."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "common" / "formal")]
import prove  # noqa: E402 (found by the line above)
from fastirq_bugs import AHEAD, BUGS, LONG, LONG_AHEAD, LONG_LOST, LOST, ONE_WAY  # noqa: E402
from pipeline_bugs import CORE_BUGS  # noqa: E402

CORE = "trapeze:hw:core"
PIPELINE = [HERE / "fastirq_choice_pkg.sv", HERE / "fastirq_pipeline.sv"]
TOP = HERE / "fastirq_formal.sv"
INSIDE = [
    HERE / f"{name}.sv"
    for name in ("fastirq_drain_time", "fastirq_faults", "fastirq_ways", "banks_lemmas", "in_place_lemmas")
]
"""Files with parts of `TOP`. They name signals of `TOP`."""

BESIDE = HERE / "pipeline_formal.sv"
DIVIDER = HERE / "div_formal.sv"
Sources = Callable[[str], list[Path]]

INDUCTION = 3
"""States in which the properties are assumed. They are sampled values, so the first state may be one in reset."""
BASE = INDUCTION + 1
"""Steps of the base case: the states from reset on that the induction step does not cover."""

PARTS = 4
"""Number of parts of the induction step. Each part is a test of its own, so that they run in parallel."""
DESIGNS = [(1, 1, 0), (1, 2, 0), (0, 2, 0), (1, 0, 0), (0, 0, 0), (1, 2, 1)]
"""Designs: 1 for RV32E, the number of spare banks (0 is fastirq in place), and 1 for frames of all registers."""
MORE_BANKS = [(1, 3, 0)]
"""Designs that are proven only with `-m prove`, since they take minutes."""
BY_NAME = [pytest.param(*design, marks=pytest.mark.prove) for design in MORE_BANKS]
AT_THE_END = "DivIsTaken_A_C"
"""Cover whose run has the length of a division. It is reached in the proof of `DIVIDER` (`Divides_C`) instead."""
PROMPT = 7
"""States of the induction that bounds how soon an exception 24 comes."""


def _design(sources: Sources, top: Path) -> list[Path]:
    return [*sources(CORE), *PIPELINE, *(INSIDE if top == TOP else []), top]


@pytest.mark.slow
@pytest.mark.parametrize(("rv32e", "banks", "whole"), [*DESIGNS, *BY_NAME])
def test_properties_hold_from_reset(sources: Sources, tmp_path: Path, rv32e: int, banks: int, whole: int) -> None:
    """The base case holds, and the covers are reached."""
    prove.translate(tmp_path, _design(sources, TOP), TOP.stem, {"RV32E": rv32e, "NumBanks": banks, "Whole": whole})
    assert (verdict := prove.base_case(tmp_path, BASE)).passed, verdict.log
    assert (verdict := prove.covers(tmp_path, 10)).passed, verdict.log


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize(("rv32e", "banks", "whole"), [*DESIGNS, *BY_NAME])
def test_properties_stay_true(sources: Sources, tmp_path: Path, rv32e: int, banks: int, whole: int, part: int) -> None:
    """The induction step holds. With the base case, so do the properties in every reachable cycle."""
    prove.translate(tmp_path, _design(sources, TOP), TOP.stem, {"RV32E": rv32e, "NumBanks": banks, "Whole": whole})
    verdict = prove.each_step(tmp_path, INDUCTION, part, PARTS)
    assert verdict.passed, verdict.log


@pytest.mark.slow
def test_a_frame_that_has_left_its_bank_comes_back(sources: Sources, tmp_path: Path) -> None:
    """A run reaches it, in many steps: a frame leaves, its bank is used again, and emret loads it."""
    prove.translate(tmp_path, _design(sources, TOP), TOP.stem, ONE_WAY, registers=True)
    verdict = prove.covers(tmp_path, LONG, only=["Reloads_C"])
    assert verdict.passed, verdict.log


@pytest.mark.slow
def test_a_frame_that_was_loaded_ahead_is_switched_to(sources: Sources, tmp_path: Path) -> None:
    """A run reaches it: software makes a frame and writes mframe, and the emret comes while the frame is loaded."""
    prove.translate(tmp_path, _design(sources, TOP), TOP.stem, AHEAD, registers=True)
    verdict = prove.covers(tmp_path, LONG_AHEAD, only=["Fills_C", "FillChains_C"])
    assert verdict.passed, verdict.log


@pytest.mark.slow
def test_two_frames_that_are_lost_raise_two_exceptions(sources: Sources, tmp_path: Path) -> None:
    """A run reaches it: both handlers are entered before an instruction can take the first frame's exception."""
    prove.translate(tmp_path, _design(sources, TOP), TOP.stem, LOST, registers=True)
    verdict = prove.covers(tmp_path, LONG_LOST, only=["LosesTwo_C"])
    assert verdict.passed, verdict.log


CORES = [(0, 2, "MA"), (0, 2, ""), (1, 2, "M"), (0, 0, "MA"), (0, 0, "A")]
"""Cores: 1 for RV32E, the number of spare banks, and extensions."""


@pytest.mark.slow
@pytest.mark.parametrize(("rv32e", "banks", "extensions"), CORES)
def test_the_core_is_such_a_pipeline(sources: Sources, tmp_path: Path, rv32e: int, banks: int, extensions: str) -> None:
    """The core does only what the abstract pipeline can do, in every reachable cycle."""
    parameters = {"RV32E": rv32e, "NumBanks": banks, "ExtM": int("M" in extensions), "ExtA": int("A" in extensions)}
    prove.translate(tmp_path, _design(sources, BESIDE), BESIDE.stem, parameters)
    assert (verdict := prove.base_case(tmp_path, BASE)).passed, verdict.log
    assert (verdict := prove.each_step(tmp_path, INDUCTION)).passed, verdict.log


@pytest.mark.prove
def test_the_core_does_all_of_it(sources: Sources, tmp_path: Path) -> None:
    """No property of the core is empty: each antecedent is true in a run from reset."""
    prove.translate(tmp_path, _design(sources, BESIDE), BESIDE.stem, {})
    assert (verdict := prove.covers(tmp_path, 10, without=[AT_THE_END])).passed, verdict.log


@pytest.mark.prove
def test_an_exception_for_a_frame_comes_soon(sources: Sources, tmp_path: Path) -> None:
    """The bound holds, and so do the lemmas about the cycles that are counted."""
    parameters = {"RV32E": 1, "NumBanks": 2, "Times": 1}
    prove.translate(tmp_path, _design(sources, BESIDE), BESIDE.stem, parameters)
    assert (verdict := prove.base_case(tmp_path, PROMPT + 1)).passed, verdict.log
    for name, steps in (("LemmaOpen_A", INDUCTION), ("LemmaFetch_A", INDUCTION), ("Prompt_A", PROMPT)):
        assert (verdict := prove.each_step(tmp_path, steps, only=f"gen_times.{name}")).passed, verdict.log


@pytest.mark.parametrize("bits", [1, 2, 4])
def test_the_divider_is_ready_in_time(sources: Sources, tmp_path: Path, bits: int) -> None:
    """The divider ends in time, whatever the core does at its ports, and is ready only for a requested division."""
    files = [next(path for path in sources(CORE) if path.name == "tz_div.sv"), DIVIDER]
    prove.translate(tmp_path, files, DIVIDER.stem, {"BitsPerCycle": bits})
    assert (verdict := prove.base_case(tmp_path, BASE)).passed, verdict.log
    assert (verdict := prove.each_step(tmp_path, INDUCTION)).passed, verdict.log
    assert (verdict := prove.covers(tmp_path, 32 // bits + 6)).passed, verdict.log


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_is_found(sources: Sources, tmp_path: Path, bug: str) -> None:
    """The property about the seeded defect fails, with a run from reset that shows it."""
    file, right, wrong, parameters, property_name, steps = BUGS[bug]
    files = _design(sources, TOP)
    prove.seed(tmp_path, files, file, right, wrong)
    prove.translate(tmp_path, files, TOP.stem, parameters, only=property_name, registers=True)
    verdict = prove.base_case(tmp_path, steps)
    assert not verdict.passed
    # The solver prints the instance's name in front of a property of an instantiated part.
    assert [name.rpartition(".")[2] for name in verdict.failed] == [property_name], verdict.log


@pytest.mark.slow
@pytest.mark.parametrize("bug", CORE_BUGS)
def test_a_core_that_is_no_such_pipeline_is_found(sources: Sources, tmp_path: Path, bug: str) -> None:
    """A defect of the core around fastirq makes the right property fail."""
    file, right, wrong, property_name = CORE_BUGS[bug]
    files = _design(sources, BESIDE)
    prove.seed(tmp_path, files, file, right, wrong)
    prove.translate(tmp_path, files, BESIDE.stem, {})
    verdict = prove.each_step(tmp_path, INDUCTION, only=property_name)
    assert not verdict.passed
    assert property_name in verdict.failed, verdict.log
