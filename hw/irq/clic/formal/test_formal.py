# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The properties of the CLIC hold for all time, and are able to fail."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "common" / "formal"))
import prove  # noqa: E402 (found by the line above)

CORE = "trapeze:hw:clic"
TOP = HERE / "clic_formal.sv"
STEPS = 9
"""Steps within which a seeded defect shows."""
Sources = Callable[[str], list[Path]]

BLOCKS = {"NumSources": 18, "CtlBits": 2}
"""Parameters: more sources than one block has, and few bits of ctl, which is faster."""

BUGS = {
    "the lowest id wins ties": (
        "tz_clic_winner.sv",
        ".valid}\n              >= {",
        ".valid}\n              > {",
        {},
        "OfferIsMaximum_A",
    ),
    "the lower id wins ties in a pair": (
        "tz_clic_regs.sv",
        "pair_d[1].ctl >= pair_d[0].ctl",
        "pair_d[1].ctl > pair_d[0].ctl",
        {},
        "OfferIsMaximum_A",
    ),
    "a write changes the other source of its pair": (
        "tz_clic_regs.sv",
        "{source_d, pair[0]}",
        "{source_d, source_d}",
        {},
        "OfferIsMaximum_A",
    ),
    "a source that was not written is left as it was in its pair": (
        "tz_clic_block.sv",
        "select[j] && written_q[j];",
        "select[j];",
        {},
        "OfferHasItsVector_A",
    ),
    "a write to a block goes to the others": (
        "tz_clic_block.sv",
        "select_i & {NumPairs{enable_i}}",
        "select_i",
        BLOCKS,
        "OfferIsAble_A",
    ),
    "what is not pending has an order": (
        "tz_clic_winner.sv",
        "(odd_first_i[j] || !valid_i[2*j])",
        "odd_first_i[j]",
        {},
        "OfferedAtOnce_A",
    ),
    "a write to ip shows while level-triggered": (
        "tz_clic_gateway.sv",
        "arrived = edge_i & pending_q",
        "arrived = pending_q",
        {},
        "OfferIsAble_A",
    ),
    "an edge in the cycle of its claim is lost": (
        "tz_clic_gateway.sv",
        "(arrives | keep)",
        "((arrives & ~clear_i) | keep)",
        {},
        "OwedIsPending_A",
    ),
    "a claim without clear clears": (
        "tz_clic.sv",
        "claim_i.valid && claim_i.clear && offer_q.valid",
        "claim_i.valid && offer_q.valid",
        {},
        "OwedIsPending_A",
    ),
    "an edge is claimed twice": (
        "tz_clic.sv",
        "!win_valid || (claim_clear && (win_id == offer_q.id[IdWidth-1:0]))",
        "!win_valid",
        {},
        "ClaimIsOwed_A",
    ),
    "a claimed edge is offered again": (
        "tz_clic.sv",
        "!win_valid || (claim_clear && (win_id == offer_q.id[IdWidth-1:0]))",
        "!win_valid",
        {},
        "SpentNever_A",
    ),
    "the pipelined tree offers a claimed edge again": (
        "tz_clic.sv",
        "!win_valid || (claim_clear && (win_id == offer_q.id[IdWidth-1:0]))",
        "!win_valid",
        {"TreePipeline": 1},
        "SpentNever_A",
    ),
    "the pipelined tree offers a claimed edge one cycle later": (
        "tz_clic_tree.sv",
        "win_valid && (!Pipeline || win_data[DataBits-1])",
        "win_valid",
        {"TreePipeline": 1},
        "SpentNever_A",
    ),
    "a claim holds up what is more important": (
        "tz_clic.sv",
        "claim_clear && (win_id == offer_q.id[IdWidth-1:0])",
        "claim_clear",
        {},
        "OfferedAtOnce_A",
    ),
    "a claim holds up what is more important in the pipelined tree": (
        "tz_clic.sv",
        "claim_clear && (win_id == offer_q.id[IdWidth-1:0])",
        "claim_clear",
        {"TreePipeline": 1},
        "OfferedAtOnce_A",
    ),
    "a masked source is offered after the mask": (
        "tz_clic.sv",
        "valid: write_keeps && write_level != '0",
        "valid: write_level != '0",
        {},
        "OfferIsAble_A",
    ),
    "a masked source is offered after the mask by the pipelined tree": (
        "tz_clic.sv",
        "valid: write_keeps && write_level != '0",
        "valid: write_level != '0",
        {"TreePipeline": 1},
        "OfferIsAble_A",
    ),
    "an edge that software clears is offered": (
        "tz_clic_regs.sv",
        "2'b11:   stays = !be[LaneIp] || new_ip.ip;",
        "2'b11:   stays = 1'b1;",
        {},
        "OfferIsAble_A",
    ),
    "a wire that turns edge-triggered is offered": (
        "tz_clic_regs.sv",
        "2'b01:   stays = be[LaneIp] && new_ip.ip;",
        "2'b01:   stays = 1'b1;",
        {},
        "OfferIsAble_A",
    ),
    "a wire of the other polarity is offered": (
        "tz_clic_regs.sv",
        "stays = source_d.negative == source.negative",
        "stays = 1'b1",
        {},
        "OfferIsAble_A",
    ),
    "an edge that turns level-triggered is offered": (
        "tz_clic_regs.sv",
        "default: stays = 1'b0;",
        "default: stays = 1'b1;",
        {},
        "OfferIsAble_A",
    ),
    "a write to the winner leaves it its level": (
        "tz_clic.sv",
        "level: write_level, shv",
        "level: level, shv",
        {},
        "OfferHasItsLevel_A",
    ),
    "a write to the winner leaves it its vector": (
        "tz_clic.sv",
        "shv: write_shv",
        "shv: now_shv",
        {},
        "OfferHasItsVector_A",
    ),
    "a write to the winner is forgotten in the pipelined tree": (
        "tz_clic.sv",
        "(write_q && (win_id == id_q)) ? {shv_q, user_q, ctl_q}",
        "(1'b0) ? {shv_q, user_q, ctl_q}",
        {"TreePipeline": 1},
        "OfferHasItsLevel_A",
    ),
    "a write to the winner holds it up": (
        "tz_clic.sv",
        "valid: write_keeps && write_level != '0",
        "valid: 1'b0",
        {},
        "OfferedAtOnce_A",
    ),
    "a write to the winner holds it up in the pipelined tree": (
        "tz_clic.sv",
        "valid: write_keeps && write_level != '0",
        "valid: 1'b0",
        {"TreePipeline": 1},
        "OfferedAtOnce_A",
    ),
    "a write of ip holds up what it leaves pending": (
        "tz_clic_regs.sv",
        "!be[LaneIp] || new_ip.ip;\n",
        "!be[LaneIp];\n",
        {},
        "OfferedAtOnce_A",
    ),
    "a write to mcliccfg holds everything up": (
        "tz_clic.sv",
        "if (!win_valid ||",
        "if (!win_valid || (req_i.req && req_i.we && req_i.addr[14:0] == '0) ||",
        {},
        "OfferedAtOnce_A",
    ),
    "a new mnlbits is seen too late": (
        "tz_clic_regs.sv",
        "mnlbits_next_o = mnlbits_d",
        "mnlbits_next_o = mnlbits_q",
        {},
        "OfferHasItsLevel_A",
    ),
    "a read comes before what a write has made pending": (
        "tz_clic.sv",
        ".WritesAlone(TreePipeline)",
        ".WritesAlone(0)",
        {"TreePipeline": 1},
        "ReadIsBehind_A",
    ),
    "a write holds up what it does not concern": (
        "tz_clic.sv",
        "write_source && (win_id == write_id)",
        "write_source",
        {},
        "OfferedAtOnce_A",
    ),
    "the mask is ignored": ("tz_clic_gateway.sv", "= enable_i & (", "= (", {}, "OfferIsAble_A"),
    "level 0 is offered": ("tz_clic.sv", "valid: level != '0", "valid: 1'b1", {}, "LevelZeroNever_A"),
    "level 0 is offered as it is written": (
        "tz_clic.sv",
        "write_keeps && write_level != '0",
        "write_keeps",
        {},
        "LevelZeroNever_A",
    ),
    "mnlbits is ignored": ("tz_clic.sv", "(8'hff >> nlbits)", "8'h00", {}, "OfferHasItsLevel_A"),
    "a change of polarity is an edge": (
        "tz_clic_gateway.sv",
        "was_on  = irq_q ^ negative_i",
        "was_on  = irq_q",
        {},
        "OwedIsPending_A",
    ),
    "a withdrawn source is offered by the pipelined tree": (
        "tz_clic_tree.sv",
        "win_valid && (!Pipeline || win_data[DataBits-1])",
        "win_valid",
        {"TreePipeline": 1},
        "OfferIsAble_A",
    ),
    "a read finds the mask of the other source of the pair": (
        "tz_clic_regs.sv",
        "{7'b0, source.ie}",
        "{7'b0, pair[0].ie}",
        {},
        "ReadFinds_A",
    ),
    "a read finds pending what is pending and enabled": (
        "tz_clic.sv",
        ".ip_i          (ip),",
        ".ip_i(able),",
        {},
        "ReadFinds_A",
    ),
    "edge and polarity are read as each other": (
        "tz_clic_regs.sv",
        "attr.trig = {source.negative, source.is_edge}",
        "attr.trig = {source.is_edge, source.negative}",
        {},
        "ReadFinds_A",
    ),
    "absent bits of ctl are read as zeros": (
        "tz_clic_regs.sv",
        "8'({source.ctl, 8'hff} >> CtlBits)",
        "8'({source.ctl, 8'h00} >> CtlBits)",
        {"CtlBits": 3},
        "ReadFinds_A",
    ),
    "what was never written is not read as zero": (
        "tz_clic_block.sv",
        "ctl_q[j][k] & {CtlBits{select[j] && written_q[j]}}",
        "ctl_q[j][k] & {CtlBits{select[j]}}",
        {},
        "ReadFinds_A",
    ),
    "mnlbits above 8 is read as it was written": (
        "tz_clic_regs.sv",
        "new_config.mnlbits[3] ? 4'd8 : new_config.mnlbits",
        "new_config.mnlbits",
        {},
        "ReadFinds_A",
    ),
    "a source that does not exist is read as one that does": (
        "tz_clic_regs.sv",
        "offset < WordWidth'(NumSources);",
        "offset <= WordWidth'(NumSources);",
        {"NumSources": 7},
        "ReadFinds_A",
    ),
    "a store of a byte writes the one beside it, too": (
        "tz_clic_regs.sv",
        "if (be[LaneIe]) source_d.ie",
        "if (be[LaneIe] || be[LaneIp]) source_d.ie",
        {},
        "ReadFinds_A",
    ),
    "an access that is not granted is answered": (
        "tz_clic_regs.sv",
        "rvalid_q <= req_i.req && gnt;",
        "rvalid_q <= req_i.req;",
        {"TreePipeline": 1},
        "Answers_A",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "parameters", [{}, {"TreePipeline": 1}, {"CtlBits": 3}, {"NumSources": 7, "TreePipeline": 1}, BLOCKS]
)
def test_properties_are_proven(sources: Sources, tmp_path: Path, parameters: dict[str, int]) -> None:
    """The properties hold in every reachable cycle, and the covers are reached."""
    prove.translate(tmp_path, [*sources(CORE), TOP], TOP.stem, parameters)
    assert (verdict := prove.base_case(tmp_path, prove.INDUCTION_STEPS + 1)).passed, verdict.log
    assert (verdict := prove.each_step(tmp_path)).passed, verdict.log
    assert (verdict := prove.covers(tmp_path)).passed, verdict.log


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_is_found(sources: Sources, tmp_path: Path, bug: str) -> None:
    """The property about the seeded defect fails, with a run that shows it."""
    file, right, wrong, parameters, property_name = BUGS[bug]
    files = [*sources(CORE), TOP]
    prove.seed(tmp_path, files, file, right, wrong)
    prove.translate(tmp_path, files, TOP.stem, parameters, only=property_name)
    verdict = prove.base_case(tmp_path, STEPS)
    assert not verdict.passed
    assert verdict.failed == (property_name,), verdict.log
