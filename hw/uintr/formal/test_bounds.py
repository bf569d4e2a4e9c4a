# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""How long posts and notifications take at most is proven, for all time, whatever else the hart does."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "common" / "formal"))
import prove  # noqa: E402 (found by the line above)

TOP = HERE / "bounds_formal.sv"
NEEDED = ("tz_post.sv", "tz_receive.sv", "tz_word_port.sv", "tz_obi_share.sv")
"""Files that the proof reads, beside all packages."""
WINDOW = 13
"""Steps of the induction: more than the longest wait of an access, so that the wait is seen from its first cycle."""
REACHED = 24
"""Steps within which the longest waits occur."""

Sources = Callable[[str], list[Path]]

BOUNDS = {"PostWait": (7, "PostWait_A"), "ReceiveWait": (9, "ReceiveWait_A"), "Judging": (7, "OfferedPlace_A")}
"""Each elementary bound, and the property that proves it. The other bounds are sums of these."""

BUGS = {
    "loads go before notifications": (
        "tz_obi_share.sv",
        "(!firm_q && !first_req_i.req)",
        "(!firm_q && (second_req_i.req || !first_req_i.req))",
        "ReceiveWait_A",
    ),
    "a post does not have the port in the cycle of an answer": (
        "tz_word_port.sv",
        "(pass && (!open_q || bus_rsp.rvalid))",
        "(pass && !open_q)",
        "PostWait_A",
    ),
    "an instruction that waits stops judging": (
        "tz_receive.sv",
        "!known && judge_free_i",
        "!known && judge_free_i && !access_i",
        "OfferedPlace_A",
    ),
    "a notification clears ON again and again": (
        "tz_receive.sv",
        "StClear:  if (answer) state_d = rsp_i.err ? StEdge : StFirst;",
        "StClear:  if (answer) state_d = rsp_i.err ? StClear : StFirst;",
        "OfferedPlace_A",
    ),
}


def needed(sources: Sources) -> list[Path]:
    """Sources of the proof, and its top."""
    found = sources("trapeze:hw:uintr")
    return [path for path in found if path.name in NEEDED or path.name.endswith("_pkg.sv")] + [TOP]


def test_bounds(sources: Sources, tmp_path: Path) -> None:
    """The bounds hold in every reachable cycle, and posts and notifications do end."""
    verdict = prove.always(tmp_path, needed(sources), TOP.stem, {}, base=WINDOW, step=WINDOW, cover=12)
    assert verdict.passed, verdict.log


@pytest.mark.parametrize("bound", BOUNDS)
def test_a_bound_is_reached(sources: Sources, tmp_path: Path, bound: str) -> None:
    """No bound is too large: with one cycle less, the property fails."""
    cycles, name = BOUNDS[bound]
    prove.translate(tmp_path, needed(sources), TOP.stem, {bound: cycles - 1}, only=name)
    assert prove.base_case(tmp_path, REACHED).failed


@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_is_found(sources: Sources, tmp_path: Path, bug: str) -> None:
    """The property about the seeded defect fails."""
    file, right, wrong, name = BUGS[bug]
    files = needed(sources)
    prove.seed(tmp_path, files, file, right, wrong)
    prove.translate(tmp_path, files, TOP.stem, {}, only=name)
    assert prove.base_case(tmp_path, REACHED).failed
