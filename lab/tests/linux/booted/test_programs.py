# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Programs for Linux by `trapeze cc --linux`."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.commandline import cli


def test_the_same_sources_make_the_same_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Assembly without a name in its object, debugging information, another folder."""
    made = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        Path("main.c").write_text("int three(void);\nint main(void) { return three(); }\n")
        Path("three.S").write_text("\t.globl\tthree\nthree:\tli\ta0, 3\n\tret\n")
        assert cli.dispatch(["cc", "--linux", "-g", "main.c", "three.S", "-o", "program"]) == 0
        made.append(Path("program").read_bytes())
    assert made[0] == made[1]
