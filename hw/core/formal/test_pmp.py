# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Memory protection decides as the specification says, and a request that it refuses is not seen on the bus."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "common" / "formal"))
import prove  # noqa: E402 (found by the line above)

CORE = "trapeze:hw:core"
DECISION, GUARD, FRAMES = (HERE / f"{name}_formal.sv" for name in ("pmp", "pmp_guard", "frame_judge"))
NEEDED = ("tz_pmp.sv", "tz_pmp_csr.sv", "tz_pmp_guard.sv", "tz_frame_judge.sv")
"""Files of the core that the proofs read, beside all packages."""

Sources = Callable[[str], list[Path]]

PORTS: dict[str, dict[str, int]] = {
    "frames": {"Two": 0, "Many": 0},
    "loads and stores": {"Two": 1, "Many": 0},
    "fetches": {"Two": 0, "Many": 1},
}

DECISION_BUGS = {
    "NAPOT is half as large": ("tz_pmp_csr.sv", "ones = napot ^ (napot + 32'd1);", "ones = napot & ~(napot + 32'd1);"),
    "NA4 is taken for NAPOT": ("tz_pmp_csr.sv", "(cfg_q[i].mode == PmpcfgANa4) ? 32'hffff_ffff :", ""),
    "the highest row decides": (
        "tz_pmp.sv",
        "hit[2*n] ? good[2*n] : good[2*n+1]",
        "hit[2*n+1] ? good[2*n+1] : good[2*n]",
    ),
    "the bounds of TOR are swapped": ("tz_pmp.sv", "(row.tor && below && !behind)", "(row.tor && !below && behind)"),
    "an access in part in a row is allowed": ("tz_pmp.sv", "here[i] && (!Two || !next_i || there[i]) &&", ""),
    "execution is checked as reading": (
        "tz_pmp.sv",
        "((kind_i & ~may) == '0)",
        "(({1'b0, kind_i[1], kind_i[0] || kind_i[2]} & ~may) == '0)",
    ),
    "the second word is not judged": ("tz_pmp.sv", "here[i] || (Two && next_i && there[i])", "here[i]"),
    "MMWP is ignored": ("tz_pmp_csr.sv", "mmwp_q ? None :", ""),
    "shared data is writable by a user": (
        "tz_pmp_csr.sv",
        "4'b0010: '{machine: RW,   user: R}",
        "4'b0010: '{machine: RW,   user: RW}",
    ),
    "a block above all addresses wraps": ("tz_pmp_csr.sv", " && ((addr_q[i][31:30] & care[31:30]) == '0)", ""),
}

GUARD_BUGS = {
    "what is refused goes out": ("open_q || ((allowed || judged_i) && !wait_i)", "!wait_i", "Refused_A"),
    "the answer overtakes older ones": ("&& !wait_i && !older;", "&& !wait_i;", "Order_A"),
    "it is granted without asking": ("refuse && req_i.req;", "refuse;", "Unasked_A"),
    "what is asked is judged as the access of a user": (
        "ask_i.valid ? isa_pkg::PrivM : req_i.prv",
        "req_i.prv",
        "Asked_A",
    ),
    "a request is withdrawn when rows change": ("assign pass   = open_q || (", "assign pass   = (", "Same_A"),
}

FRAME_BUGS = {
    "the frame's last word is not judged": ("31'(Below - Words);", "31'(Below - Words + 1);", "Allowed_A"),
    "a lower row in the middle is not seen": ("if (rises < to_q) to_d = rises;", ";", "Unmatched_A"),
    "the row's own end is not seen": ("if (ends < to_q) to_d = ends;", ";", "Found_A"),
    "rows are written and the range stays": ("      valid_d  = 1'b0;\n", "", "Range_A"),
    "rows are written and the search goes on": ("      state_d  = Idle;\n      missed_d", "      missed_d", "Row_A"),
    "a frame below address 0 is looked for": ("assign low       = (", "assign low       = 1'b0 && (", "Low_A"),
    "a wall stays when the range moves": ("wall_d = beyond_q && !may_q;", "wall_d = wall_q || !may_q;", "Behind_A"),
}


def needed(sources: Sources, top: Path) -> list[Path]:
    """Sources of the proof: files of the core, and the top."""
    return [path for path in sources(CORE) if path.name in NEEDED or path.name.endswith("_pkg.sv")] + [top]


@pytest.mark.parametrize("smepmp", [0, 1])
@pytest.mark.parametrize("two", [0, 1])
@pytest.mark.parametrize("regions", [4, 16])
def test_decision(sources: Sources, tmp_path: Path, regions: int, two: int, smepmp: int) -> None:
    """The decision is right for any registers, any address and every kind of access."""
    prove.translate(
        tmp_path, needed(sources, DECISION), DECISION.stem, {"Regions": regions, "Two": two, "Smepmp": smepmp}
    )
    assert (verdict := prove.each_step(tmp_path, 1)).passed, verdict.log


@pytest.mark.parametrize("bug", DECISION_BUGS)
def test_a_seeded_bug_of_the_decision_is_found(sources: Sources, tmp_path: Path, bug: str) -> None:
    """The proof fails for each seeded defect."""
    file, right, wrong = DECISION_BUGS[bug]
    files = needed(sources, DECISION)
    prove.seed(tmp_path, files, file, right, wrong)
    prove.translate(tmp_path, files, DECISION.stem, {})
    assert prove.each_step(tmp_path, 1).failed


@pytest.mark.parametrize("port", PORTS)
def test_guard(sources: Sources, tmp_path: Path, port: str) -> None:
    """The properties hold in every reachable cycle, and the covers are reached."""
    verdict = prove.always(tmp_path, needed(sources, GUARD), GUARD.stem, PORTS[port], base=5, step=2, cover=6)
    assert verdict.passed, verdict.log


@pytest.mark.parametrize("bug", GUARD_BUGS)
def test_a_seeded_bug_of_the_guard_is_found(sources: Sources, tmp_path: Path, bug: str) -> None:
    """The property about the seeded defect fails."""
    right, wrong, name = GUARD_BUGS[bug]
    files = needed(sources, GUARD)
    prove.seed(tmp_path, files, "tz_pmp_guard.sv", right, wrong)
    prove.translate(tmp_path, files, GUARD.stem, {"Many": 1})
    assert any(found.endswith(name) for found in prove.base_case(tmp_path, 6, keep_going=True).failed)


@pytest.mark.parametrize("regions", [4, 16])
def test_frames(sources: Sources, tmp_path: Path, regions: int) -> None:
    """In every reachable cycle, one property at a time, which is faster."""
    files = needed(sources, FRAMES)
    prove.translate(tmp_path, files, FRAMES.stem, {"Regions": regions, "Lemma": 1})
    for lemma in ("gen_lemma.Matches_A", "gen_lemma.Decides_A"):
        assert (verdict := prove.each_step(tmp_path, 2, only=lemma)).passed, verdict.log
    prove.translate(tmp_path, files, FRAMES.stem, {"Regions": regions})
    assert (verdict := prove.each_step(tmp_path, 2)).passed, verdict.log


def test_frames_begin_and_are_seen(sources: Sources, tmp_path: Path) -> None:
    """The first cycles, and covers: a frame behind a wall, one across two ranges."""
    prove.translate(tmp_path, needed(sources, FRAMES), FRAMES.stem, {})
    assert (verdict := prove.base_case(tmp_path, 4)).passed, verdict.log
    assert (verdict := prove.covers(tmp_path, 24)).passed, verdict.log


@pytest.mark.parametrize("bug", FRAME_BUGS)
def test_a_seeded_bug_of_the_frames_judge_is_found(sources: Sources, tmp_path: Path, bug: str) -> None:
    """The property that speaks of it does not follow."""
    right, wrong, name = FRAME_BUGS[bug]
    files = needed(sources, FRAMES)
    prove.seed(tmp_path, files, "tz_frame_judge.sv", right, wrong)
    prove.translate(tmp_path, files, FRAMES.stem, {})
    assert any(found.endswith(name) for found in prove.each_step(tmp_path, 2).failed)
