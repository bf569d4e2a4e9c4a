# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The properties of probe, generator and timer hold for all time, and are able to fail."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
COMMON = HERE.parents[1] / "common"
sys.path.insert(0, str(COMMON / "formal"))
import prove  # noqa: E402 (found by the line above)

CORE = "trapeze:hw:probe"
CHECK = COMMON / "rtl" / "tz_axil_check.sv"
MEMORY = HERE / "tz_probe_ram.sv"
PROBE, DEVICES = HERE / "probe_formal.sv", HERE / "devices_formal.sv"
Sources = Callable[[str], list[Path]]

INDUCTION = 18
"""Steps of the induction. A recording takes fewer cycles, so states in the middle of one need no description."""
STEPS = 64
"""Steps within which a seeded defect shows. The memory of the proof is full after 60."""

PROBE_BUGS = {
    "the acknowledge's own clock is lost": (
        "tz_latency_probe.sv",
        "else if (run_q && !saturated) count_q",
        "else if (run_q && !done && !saturated) count_q",
        "Latency_A",
    ),
    "the counter wraps": (
        "tz_latency_probe.sv",
        "else if (run_q && !saturated) count_q",
        "else if (run_q) count_q",
        "Counter_A",
    ),
    "an acknowledge of nothing is recorded": (
        "tz_latency_probe.sv",
        "done      = run_q && ack_i",
        "done      = !busy && ack_i",
        "Status_A",
    ),
    "a full memory goes on storing": ("tz_latency_probe.sv", "may_write && !full", "may_write", "Sample_A"),
    "a clear keeps the maximum": ("tz_latency_probe.sv", "(greater || first_q)", "greater", "Max_A"),
    "a smaller latency is no minimum": ("tz_latency_probe.sv", "(!greater || first_q)", "first_q", "Min_A"),
    "the last latency that fits overflows": (
        "tz_latency_probe.sv",
        "if (run_q && saturated) overflow_q",
        "if (run_q && count_inc == '1) overflow_q",
        "Overflow_A",
    ),
    "registers change while their read waits": (
        "tz_latency_probe.sv",
        "if (s01_read) s01_rdata_q",
        "s01_rdata_q",
        "u_s01.gen_check_subordinate.RStable_A",
    ),
    "samples change while their read waits": (
        "tz_latency_probe.sv",
        ".a_re_i   (s00_read)",
        ".a_re_i   (1'b1)",
        "u_s00.gen_check_subordinate.RStable_A",
    ),
    "a write of the limit diverts the read of a sample": (
        "tz_latency_probe.sv",
        ".read_ready_i (!s01_write_begin)",
        ".read_ready_i (1'b1)",
        "SampleRead_A",
    ),
    "the limit is read while it is written": (
        "tz_latency_probe.sv",
        ".read_ready_i (!busy && !option_busy && !s01_write)",
        ".read_ready_i (!busy && !option_busy)",
        "RegisterRead_A",
    ),
    "writes wait for ever": (
        "tz_latency_probe.sv",
        ".write_ready_i(!busy && ",
        ".write_ready_i(busy && ",
        "u_s01.gen_wait.WriteAccepted_A",
    ),
    "a read is answered before it is accepted": (
        "tz_axil_port.sv",
        "rvalid_q <= read_q ||",
        "rvalid_q <= read_begin_o ||",
        "RExpected_A",
    ),
    "a write is answered before it is accepted": (
        "tz_axil_port.sv",
        "bvalid_q <= write_q ||",
        "bvalid_q <= write_begin_o ||",
        "BExpected_A",
    ),
    "an answer is withdrawn": (
        "tz_axil_port.sv",
        "bvalid_q <= write_q || (bvalid_q && !req_i.bready);",
        "bvalid_q <= write_q;",
        "BStable_A",
    ),
}

DEVICE_BUGS = {
    "data are ready a clock late": (
        "tz_random_generator.sv",
        "if (cycle_q == CycleW'(Cycles - 1)) begin",
        "if (cycle_q == CycleW'(Cycles)) begin",
        "Ready_A",
    ),
    "a word is missing": (
        "tz_random_generator.sv",
        "if (cycle_q == CycleW'(Words)) make_q",
        "if (cycle_q == CycleW'(Words - 1)) make_q",
        "WordsThere_A",
    ),
    "every read ends the block": (
        "tz_random_generator.sv",
        "last_q  <= last_pop;",
        "last_q  <= pop;",
        "ReadDone_A",
    ),
    "the timer's answer follows its count": (
        "tz_triple_timer.sv",
        "else if (read) rdata_q",
        "else rdata_q",
        "u_timer_check.gen_check_subordinate.RStable_A",
    ),
}


def needed(sources: Sources, folder: Path, top: Path) -> list[Path]:
    """Sources of the proof of a top, with the memory whose words properties can name."""
    if top == PROBE:
        shutil.copy(MEMORY, folder)
    return [*sources(CORE), CHECK, top]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("top", "parameters", "covers"),
    [
        (PROBE, {}, 34),
        (PROBE, {"Width": 4, "Depth": 8, "MissedWidth": 1}, 34),
        (PROBE, {"Width": 2, "HistogramBins": 2, "Moments": 1, "Break": 1}, 34),
        (DEVICES, {}, 16),
        (DEVICES, {"Words": 1, "Cycles": 2}, 16),
    ],
)
def test_properties_are_proven(
    sources: Sources, tmp_path: Path, top: Path, parameters: dict[str, int], covers: int
) -> None:
    """The properties hold in every reachable cycle, and the covers are reached."""
    files = needed(sources, tmp_path, top)
    verdict = prove.always(tmp_path, files, top.stem, parameters, base=INDUCTION + 2, step=INDUCTION, cover=covers)
    assert verdict.passed, verdict.log


@pytest.mark.slow
@pytest.mark.parametrize(
    ("top", "bug"), [*((PROBE, bug) for bug in PROBE_BUGS), *((DEVICES, bug) for bug in DEVICE_BUGS)]
)
def test_a_seeded_bug_is_found(sources: Sources, tmp_path: Path, top: Path, bug: str) -> None:
    """The property about the seeded defect fails, with a run that shows it."""
    file, right, wrong, property_name = (PROBE_BUGS if top == PROBE else DEVICE_BUGS)[bug]
    files = needed(sources, tmp_path, top)
    prove.seed(tmp_path, files, file, right, wrong)
    prove.translate(tmp_path, files, top.stem, {}, only=property_name)
    verdict = prove.base_case(tmp_path, STEPS)
    assert not verdict.passed
    assert all(name.endswith(property_name) for name in verdict.failed), verdict.log
