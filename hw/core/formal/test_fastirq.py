# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""fastirq saves and restores what it should, for all time, and the properties that say so are able to fail."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "common" / "formal"))
import prove  # noqa: E402 (found by the line above)

CORE = "trapeze:hw:core"
PIPELINE = [HERE / "fastirq_choice_pkg.sv", HERE / "fastirq_pipeline.sv"]
TOP = HERE / "fastirq_formal.sv"
INSIDE = [HERE / f"{name}.sv" for name in ("fastirq_drain_time", "fastirq_ways", "banks_lemmas", "in_place_lemmas")]
"""Inside of `TOP`, of which they name signals."""

BESIDE = HERE / "pipeline_formal.sv"
Sources = Callable[[str], list[Path]]

INDUCTION = 3
"""States in which the properties are taken for true: they are sampled, and the first may be one in reset."""
BASE = INDUCTION + 1
"""States from reset on that the induction does not speak of."""

PARTS = 4
"""Each part of the induction step is a test of its own."""
DESIGNS = [(1, 1), (1, 2), (0, 2), (1, 0), (0, 0)]
"""RV32E or not, and spare banks; 0 is fastirq in place."""

SHORT = {"RV32E": 1, "NumBanks": 1, "MaxWait": 1}
TWO = SHORT | {"NumBanks": 2}
IN_PLACE = SHORT | {"NumBanks": 0}
FAST = SHORT | {"MaxWait": 0}
"""No waits of the frame port: a drain that does not end shows early."""
ONE_WAY = FAST | {"OneWay": 1}
"""Only the way of `Reloads_C`, whose cover tells its length."""
LONG = 44
AHEAD = FAST | {"OneWay": 2}
"""Only the way of `Fills_C`."""
LONG_AHEAD = 26

BUGS: dict[str, tuple[str, str, str, Mapping[str, int], str, int]] = {
    "a write reaches every bank": (
        "tz_regfile.sv",
        "(we_i && banked_w && bank_i == BankW'(b))",
        "(we_i && banked_w)",
        SHORT,
        "Registers_A",
        8,
    ),
    "emret switches back whatever sp is": (
        "tz_banks.sv",
        "hit       = at_top && top_valid",
        "hit       = emret_i && !sp_busy_i && top_valid",
        SHORT,
        "Registers_A",
        10,
    ),
    "a store into the frame is forgotten": (
        "tz_context.sv",
        "valid_d      = valid_q & ~stored_q;",
        "valid_d      = valid_q;",
        SHORT,
        "Registers_A",
        10,
    ),
    "a store of the last cycle is overlooked": (
        "tz_context.sv",
        "top_valid_o  = valid_q[top] && !stored_q[top];",
        "top_valid_o  = valid_q[top];",
        SHORT,
        "Registers_A",
        9,
    ),
    "registers are loaded one off": (
        "tz_banks.sv",
        "fill_word_o  = 4'(got_q - 5'd2)",
        "fill_word_o  = 4'(got_q - 5'd1)",
        ONE_WAY,
        "Registers_A",
        LONG,
    ),
    "emret takes mepc from the CSR where the bank has it": (
        "tz_banks.sv",
        "context_o = ((top_valid && top_base == sp_i && ask_q == '0) || filling_q) ? top : csr_context_i",
        "context_o = csr_context_i",
        SHORT,
        "Mepc_A",
        8,
    ),
    "an interrupt is chained before mepc has been loaded": (
        "tz_banks.sv",
        "hit || (got_q >= 5'd2",
        "hit || (got_q >= 5'd1",
        SHORT,
        "Mepc_A",
        8,
    ),
    "mepc and mcause are loaded into each other": (
        "tz_banks.sv",
        "(ask_q == 5'd0) ? CauseWord : (ask_q == 5'd1) ? EpcWord",
        "(ask_q == 5'd0) ? EpcWord : (ask_q == 5'd1) ? CauseWord",
        SHORT,
        "Mcause_A",
        9,
    ),
    "an sp on its way is lost by an entry": (
        "tz_fastirq.sv",
        "user_i ? mscratch_i : sp_next_i) - Bytes",
        "user_i ? mscratch_i : sp_i) - Bytes",
        SHORT,
        "Sp_A",
        8,
    ),
    "a return to user mode keeps the stack": (
        "tz_fastirq.sv",
        "enter_i ? sp_enter : to_user ? mscratch_i : sp_raised",
        "enter_i ? sp_enter : sp_raised",
        SHORT,
        "Sp_A",
        8,
    ),
    "emret does not wait for sp": (
        "tz_banks.sv",
        "emret_i && !sp_busy_i && (top_base == sp_i)",
        "emret_i && (top_base == sp_i)",
        SHORT,
        "SpSettled_A",
        8,
    ),
    "mscratch gets the sp of yesterday": (
        "tz_fastirq.sv",
        "mscratch_o    = enter_i ? sp_next_i : sp_raised",
        "mscratch_o    = enter_i ? sp_i : sp_raised",
        SHORT,
        "Mscratch_A",
        6,
    ),
    "ra is not the link in a chained handler": (
        "tz_fastirq.sv",
        "link_q        <= enter_i || chained_o;",
        "link_q        <= enter_i;",
        SHORT,
        "Current_A",
        9,
    ),
    "the first instruction of a handler finds an old ra": (
        "tz_regfile.sv",
        "if (link_i && raddr_a_i == 5'd1) rdata_a_o = fill_data_i;",
        "",
        SHORT,
        "Link_A",
        8,
    ),
    "the second word of a split access is not looked at": (
        "tz_context.sv",
        "(ahead && lsu_split_i)",
        "1'b0",
        SHORT,
        "Overlap_A",
        10,
    ),
    "only the youngest frame holds up loads": (
        "tz_context.sv",
        "lsu_wait_o = |waits;",
        "lsu_wait_o = waits[top];",
        TWO,
        "Overlap_A",
        8,
    ),
    "a frame ends with its block of 32 words": (
        "tz_context.sv",
        "(borrow ? next : same) && (offset < 5'(Words))",
        "same && (offset < 5'(Words))",
        SHORT,
        "Overlap_A",
        10,
    ),
    "a load goes beside the word that leaves": (
        "tz_context.sv",
        "offset >= first)",
        "offset > first)",
        SHORT,
        "NoRace_A",
        7,
    ),
    "a store to a table entry is missed": (
        "tz_vector_ahead.sv",
        "fence_i || (store_i && store_addr_i == addr_q)",
        "fence_i",
        SHORT,
        "Vector_A",
        9,
    ),
    "a store to a table entry on its way is missed": (
        "tz_vector_ahead.sv",
        "useful_d = useful_q && !touched;",
        "useful_d = useful_q;",
        SHORT,
        "Vector_A",
        9,
    ),
    "the table entry of another interrupt is used": (
        "tz_vector_ahead.sv",
        "useful_q && same && !touched",
        "useful_q && !touched",
        SHORT,
        "Vector_A",
        9,
    ),
    "a load that is given up leaves the bus": (
        "tz_frame_port.sv",
        "hold_d  = grant ? UserNone : goes_on;",
        "hold_d  = (grant || goes_on == UserGone) ? UserNone : goes_on;",
        SHORT | {"MaxWait": 2},
        "Stable_A",
        8,
    ),
    "a load that is given up goes elsewhere": (
        "tz_frame_port.sv",
        "UserGone:   addr = addr_q;",
        "UserGone:   addr = load_addr_i;",
        SHORT | {"MaxWait": 2},
        "Stable_A",
        8,
    ),
    "a store into a frame on its way is forgotten": (
        "tz_banks.sv",
        "(fill || top_stored || load_fault_i",
        "(fill || load_fault_i",
        SHORT,
        "Mepc_A",
        12,
    ),
    "a store of the last cycle into a frame on its way is overlooked": (
        "tz_banks.sv",
        "(at_top && !top_stored)",
        "at_top",
        SHORT,
        "Mepc_A",
        12,
    ),
    "an interrupt is chained to a frame that was meant for another emret": (
        "tz_banks.sv",
        "(at_top && !top_stored)",
        "!top_stored",
        SHORT,
        "Mepc_A",
        12,
    ),
    "a frame is loaded ahead into the bank of the handler": (
        "tz_banks.sv",
        "fill_bank_o  = filling_q ? top_bank : bank_o;",
        "fill_bank_o  = bank_o;",
        SHORT,
        "Current_A",
        10,
    ),
    "a hint is taken while words have still to leave": (
        "tz_banks.sv",
        "hint_i && !drain_valid &&",
        "hint_i &&",
        SHORT,
        "Overlap_A",
        10,
    ),
    "a frame goes on coming into a bank that is current now": (
        "tz_banks.sv",
        "load_cancel_o = kill_i || chained_o || return_o || drop;",
        "load_cancel_o = chained_o || return_o || drop;",
        SHORT,
        "Current_A",
        12,
    ),
    "a frame counts as loaded with its last word on the way": (
        "tz_banks.sv",
        "(got_q == 5'(Words - 1)) && !load_cancel_o",
        "(got_q == 5'(Words - 2)) && !load_cancel_o",
        AHEAD,
        "Registers_A",
        LONG_AHEAD,
    ),
    "a request makes way for another": (
        "tz_frame_port.sv",
        "(hold_q != UserNone) ? hold_q : wanted",
        "wanted",
        SHORT,
        "Stable_A",
        8,
    ),
    "a second request does not wait for the answer": (
        "tz_frame_port.sv",
        "(out_q == UserNone) || rsp_i.rvalid;",
        "1'b1;",
        SHORT,
        "OneOpen_A",
        7,
    ),
    "the drain waits for the load that waits for it": (
        "tz_banks.sv",
        "drain_valid && !(hit && top_drains)",
        "drain_valid && !lsu_wait_o",
        FAST,
        "DrainEnds_A",
        34,
    ),
    "the port waits for an answer before it asks": (
        "tz_frame_port.sv",
        "(out_q == UserNone) || rsp_i.rvalid;",
        "rsp_i.rvalid;",
        FAST,
        "DrainEnds_A",
        34,
    ),
    "a register is overwritten before it has left": (
        "tz_in_place.sv",
        "assign ex_wait_o       = evict && out_q;",
        "assign ex_wait_o       = 1'b0;",
        IN_PLACE,
        "Overlap_A",
        12,
    ),
    "what is about to be written does not go first": (
        "tz_in_place.sv",
        "drain_word_o    = evict ? 5'(ex_word) : next_word;",
        "drain_word_o    = next_word;",
        IN_PLACE,
        "Overlap_A",
        12,
    ),
    "a register that was written counts as that of the frame": (
        "tz_in_place.sv",
        "if (write_i && in_frame(write_reg_i, RV32E)) dirty_d",
        "if (1'b0) dirty_d",
        IN_PLACE,
        "Registers_A",
        12,
    ),
    "ra of a chained handler counts as that of the frame": (
        "tz_in_place.sv",
        "if (chained_o) dirty_d[0] = 1'b1;",
        "",
        IN_PLACE,
        "Registers_A",
        14,
    ),
    "a store into a frame in place is forgotten": (
        "tz_in_place.sv",
        "if (rebase || stored_q || return_o) dirty_d = '1;",
        "if (rebase || return_o) dirty_d = '1;",
        IN_PLACE,
        "Registers_A",
        12,
    ),
    "the output register is overtaken by a load": (
        "tz_in_place.sv",
        "at_top && !write_i && !out_q && !preempt_i",
        "at_top && !write_i && !preempt_i",
        IN_PLACE | {"MaxWait": 2},
        "Registers_A",
        14,
    ),
    "a word on its way to the bus does not hold up loads": (
        "tz_in_place.sv",
        "32'(stay_q) | (out_q ? 32'(only(out_word_q)) : '0);",
        "32'(stay_q);",
        IN_PLACE | {"MaxWait": 2},
        "Overlap_A",
        10,
    ),
    "a request makes way for what has just become dirty": (
        "tz_in_place.sv",
        "at_top && !write_i && !out_q && !preempt_i",
        "at_top && !out_q && !preempt_i",
        IN_PLACE | {"MaxWait": 2},
        "Stable_A",
        12,
    ),
    "another emret's frame is taken for that of the last interrupt": (
        "tz_in_place.sv",
        "!stored_q && (base_q == sp_i);",
        "!stored_q;",
        IN_PLACE,
        "Registers_A",
        14,
    ),
}

CORE_BUGS = {
    "a load does not wait for a frame": (
        "trapeze_core.sv",
        ".wait_i   (lsu_wait),",
        ".wait_i   (1'b0),",
        "Request_A",
    ),
    "emret goes on although a frame was lost": (
        "trapeze_core.sv",
        "is_emret && wb_ready && !wb_fault && !store_fault_take)",
        "is_emret && wb_ready && !wb_fault)",
        "Emret_A",
    ),
    "mframe is written although its instruction is interrupted": (
        "tz_csr.sv",
        "csr_fire_i && csr_we_o && csr_addr_i == CsrMframe",
        "csr_valid_i && csr_we_o && csr_addr_i == CsrMframe",
        "Hint_A",
    ),
    "emret does not know that sp is being written": (
        "trapeze_core.sv",
        "wb_write && wb_rd_q == 5'd2",
        "wb_rd_we_q && wb_rd_q == 5'd2",
        "SpBusy_A",
    ),
    "an interrupt leaves the mode of the one before": (
        "tz_csr.sv",
        "mpp: priv_q, mpie: mstatus_q.mie, mpil: mil,",
        "mpp: mstatus_q.mpp, mpie: mstatus_q.mie, mpil: mil,",
        "Enter_A",
    ),
}


def _design(sources: Sources, top: Path) -> list[Path]:
    return [*sources(CORE), *PIPELINE, *(INSIDE if top == TOP else []), top]


def _spoil(files: Sequence[Path], folder: Path, file: str, right: str, wrong: str) -> None:
    """Put a source into the folder that is wrong in one place."""
    original = next(path for path in files if path.name == file).read_text()
    assert original.count(right) == 1
    (folder / file).write_text(original.replace(right, wrong))


@pytest.mark.slow
@pytest.mark.parametrize(("rv32e", "banks"), DESIGNS)
def test_properties_hold_from_reset(sources: Sources, tmp_path: Path, rv32e: int, banks: int) -> None:
    """The base case, and the covers are reached."""
    prove.translate(tmp_path, _design(sources, TOP), TOP.stem, {"RV32E": rv32e, "NumBanks": banks})
    assert (verdict := prove.base_case(tmp_path, BASE)).passed, verdict.log
    assert (verdict := prove.covers(tmp_path, 10)).passed, verdict.log


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize(("rv32e", "banks"), DESIGNS)
def test_properties_stay_true(sources: Sources, tmp_path: Path, rv32e: int, banks: int, part: int) -> None:
    """The induction step: with the base case, the properties hold in every reachable cycle."""
    prove.translate(tmp_path, _design(sources, TOP), TOP.stem, {"RV32E": rv32e, "NumBanks": banks})
    verdict = prove.each_step(tmp_path, INDUCTION, part, PARTS)
    assert verdict.passed, verdict.log


@pytest.mark.slow
def test_a_frame_that_has_left_its_bank_comes_back(sources: Sources, tmp_path: Path) -> None:
    """The way there is long: a frame leaves, its bank is used again, and emret loads it."""
    prove.translate(tmp_path, _design(sources, TOP), TOP.stem, ONE_WAY, registers=True)
    verdict = prove.covers(tmp_path, LONG)
    assert verdict.passed, verdict.log


@pytest.mark.slow
def test_a_frame_that_was_loaded_ahead_is_switched_to(sources: Sources, tmp_path: Path) -> None:
    """Software makes a frame, writes mframe, and its emret comes while the frame is loaded."""
    prove.translate(tmp_path, _design(sources, TOP), TOP.stem, AHEAD, registers=True)
    verdict = prove.covers(tmp_path, LONG_AHEAD)
    assert verdict.passed, verdict.log


@pytest.mark.slow
@pytest.mark.parametrize(("rv32e", "banks"), [(0, 2), (1, 2), (0, 0)])
def test_the_core_is_such_a_pipeline(sources: Sources, tmp_path: Path, rv32e: int, banks: int) -> None:
    """What is assumed of the pipeline is true of the core, in every reachable cycle."""
    prove.translate(tmp_path, _design(sources, BESIDE), BESIDE.stem, {"RV32E": rv32e, "NumBanks": banks})
    assert (verdict := prove.base_case(tmp_path, BASE)).passed, verdict.log
    assert (verdict := prove.induction(tmp_path, INDUCTION)).passed, verdict.log


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_is_found(sources: Sources, tmp_path: Path, bug: str) -> None:
    """The property that speaks of a defect fails, with a run from reset that shows it."""
    file, right, wrong, parameters, property_name, steps = BUGS[bug]
    files = _design(sources, TOP)
    _spoil(files, tmp_path, file, right, wrong)
    prove.translate(tmp_path, files, TOP.stem, parameters, only=property_name, registers=True)
    verdict = prove.base_case(tmp_path, steps)
    assert not verdict.passed
    # One of a part of the top has the part's name in front of its own.
    assert [name.rpartition(".")[2] for name in verdict.failed] == [property_name], verdict.log


@pytest.mark.slow
@pytest.mark.parametrize("bug", CORE_BUGS)
def test_a_core_that_is_no_such_pipeline_is_found(sources: Sources, tmp_path: Path, bug: str) -> None:
    """A defect of the core around fastirq makes the proof fail where it should."""
    file, right, wrong, property_name = CORE_BUGS[bug]
    files = _design(sources, BESIDE)
    _spoil(files, tmp_path, file, right, wrong)
    prove.translate(tmp_path, files, BESIDE.stem, {})
    verdict = prove.each_step(tmp_path, INDUCTION)
    assert not verdict.passed
    assert property_name in verdict.failed, verdict.log
