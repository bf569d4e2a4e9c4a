# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The AXI4-Lite bridge and decoder keep the protocol for all time, and the properties are able to fail."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import prove  # noqa: E402 (found by the line above)

CORE = "trapeze:hw:axil"
CHECK = HERE.parent / "rtl" / "tz_axil_check.sv"
BRIDGE, DEMUX = HERE / "obi_axil_formal.sv", HERE / "axil_demux_formal.sv"
Sources = Callable[[str], list[Path]]

BUGS = {
    "the bridge asks again after the address is accepted": (
        BRIDGE,
        "tz_obi_axil.sv",
        "obi_req_i.req && !obi_req_i.we && !ar_done_q,",
        "obi_req_i.req && !obi_req_i.we,",
        "Bounded_A",
    ),
    "the bridge forgets that the data are accepted": (
        BRIDGE,
        "tz_obi_axil.sv",
        "!written && (w_done_q || ",
        "!written && (",
        "Taken_A",
    ),
    "the bridge grants before the answer": (
        BRIDGE,
        "tz_obi_axil.sv",
        "gnt: written || read,",
        "gnt: written || ar_done_q,",
        "GrantIsAnswer_A",
    ),
    "the bridge loses an error": (
        BRIDGE,
        "tz_obi_axil.sv",
        "if (written) err_q <= axil_rsp_i.bresp[1];",
        "if (written) err_q <= 1'b0;",
        "Error_A",
    ),
    "the decoder forgets who was asked": (
        DEMUX,
        "tz_axil_demux.sv",
        "rsel    = ar_done_q ? rsel_q : decode",
        "rsel    = decode",
        "ReadAnswer_A",
    ),
    "the decoder lets a second address by": (
        DEMUX,
        "tz_axil_demux.sv",
        "ar_show = mgr_req_i.arvalid && !ar_done_q;",
        "ar_show = mgr_req_i.arvalid;",
        "Bounded_A",
    ),
    "the decoder sends data without an address": (
        DEMUX,
        "tz_axil_demux.sv",
        "!w_done_q && (mgr_req_i.awvalid || aw_done_q);",
        "!w_done_q;",
        "WStable_A",
    ),
    "nobody answers where nobody is": (
        DEMUX,
        "tz_axil_demux.sv",
        "ar_done_q && (rsel_q == '0 || ",
        "ar_done_q && (",
        "Nobody_A",
    ),
}


@pytest.mark.parametrize("top", [BRIDGE, DEMUX])
def test_properties_are_proven(sources: Sources, tmp_path: Path, top: Path) -> None:
    """The properties hold in every reachable cycle, and the covers are reached."""
    verdict = prove.always(tmp_path, [*sources(CORE), CHECK, top], top.stem, {}, base=8, step=4)
    assert verdict.passed, verdict.log


@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_is_found(sources: Sources, tmp_path: Path, bug: str) -> None:
    """The property about the seeded defect fails, with a run that shows it."""
    top, file, right, wrong, property_name = BUGS[bug]
    prove.seed(tmp_path, sources(CORE), file, right, wrong)
    prove.translate(tmp_path, [*sources(CORE), CHECK, top], top.stem, {}, only=property_name)
    verdict = prove.base_case(tmp_path, 12)
    assert not verdict.passed
    assert all(name.endswith(property_name) for name in verdict.failed), verdict.log
