# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Benches and proofs of a room as gates for what is wrong in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from verify.mutate import gates, room_tests
from verify.mutate.mutations import Mutation

SHARE = "hw/common/rtl/tz_obi_share.sv"
UART = "hw/soc/rtl/tz_uart.sv"
CLINT = "hw/irq/clint/rtl/tz_clint.sv"


def _mutation(file: str, text: str, replacement: str) -> Mutation:
    return Mutation("one", file, "something", text, replacement, "mcu-clint", None)


def test_rooms_of_sources() -> None:
    """A room is the folder above rtl; not each has benches and proofs."""
    assert room_tests.room("hw/irq/clic/rtl/tz_clic.sv") == Path("hw/irq/clic")
    assert room_tests.folder_of(UART, gates.BENCHES) == paths.HARDWARE / "soc" / "test"
    assert room_tests.folder_of(CLINT, gates.PROOFS) is None
    assert room_tests.folder_of(SHARE, gates.PROOFS) == paths.HARDWARE / "common" / "formal"


def test_the_copy_alone_is_wrong(tmp_path: Path) -> None:
    """The source in the working tree stays what it is."""
    before = (paths.ROOT / UART).read_text()
    room_tests.copy(_mutation(UART, "assign irq_o = ", "assign irq_o = !"), tmp_path / "tree")
    assert (tmp_path / "tree" / UART).read_text() == before.replace("assign irq_o = ", "assign irq_o = !")
    assert (paths.ROOT / UART).read_text() == before


@pytest.mark.slow
def test_a_proof_finds_what_is_wrong(tmp_path: Path) -> None:
    """And is named; seeded bugs, whose text is no longer there, find nothing. Without a mutation nothing is found."""
    tree = tmp_path / "tree"
    source = (paths.ROOT / SHARE).read_text()
    text = next(line for line in source.splitlines() if "assign " in line and "gnt" in line)
    wrong = _mutation(SHARE, text, text.replace("&&", "||", 1))
    assert wrong.apply(source) != source
    room_tests.copy(wrong, tree)
    proof = Path("hw/common/formal/test_obi_share_formal.py")
    found = room_tests.run(tree, gates.PROOFS, tree / proof)
    assert found is not None
    assert found.gate == gates.PROOFS
    assert found.by.startswith(proof.name)
    (tree / SHARE).write_text(source)
    assert room_tests.run(tree, gates.PROOFS, tree / proof) is None


def test_a_test_that_fails_anyway_finds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that fails without a mutation, too, is an error and no gate."""
    tests = tmp_path / "hw" / "x" / "test"
    tests.mkdir(parents=True)
    (tests / "test_x.py").write_text("def test_never() -> None:\n    assert not 1\n")
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    with pytest.raises(TrapezeError, match=r"test_x\.py::test_never fails without a mutation"):
        room_tests.run(tmp_path, gates.BENCHES, tests)
