# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Speed of the engines: which rows are refused, and which runs of Linux."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from trapeze import experiment_files
from trapeze.common.errors import TrapezeError
from trapeze.experiments.engine_speed import measure, under_linux
from trapeze.platform import configurations
from trapeze.synth import peers


@pytest.mark.parametrize(
    ("row", "config", "message"),
    [
        ("linux-boot", "mcu-clint", "config mcu-clint has no hart that boots Linux; app has one"),
        ("mcu-clint", "app", "config app has no RTL, which firmware is measured on; mcu-clint has one"),
    ],
)
def test_a_row_has_a_configuration_that_runs_it(row: str, config: str, message: str) -> None:
    good = experiment_files.load("engine-speed")
    measure.check(good)
    (case,) = (one for one in good.cases if one.id == row)
    wrong = replace(case, config=configurations.load(config))
    with pytest.raises(TrapezeError, match=f"experiment engine-speed: {row}: {message}"):
        measure.check(replace(good, cases=(wrong,)))


def test_a_run_has_to_do_its_work() -> None:
    boot = under_linux.Boot("true", says="validated")
    boot.require("a run", 0, b"one\r\nvalidated\r\n")
    with pytest.raises(TrapezeError, match="a run did not say 'validated': one / two"):
        boot.require("a run", 0, b"one\r\ntwo\r\n")
    with pytest.raises(TrapezeError, match="a run ended with 2: validated"):
        boot.require("a run", 2, b"validated\r\n")


@pytest.mark.needs("gcc-riscv64-linux-gnu", "libc6-dev-riscv64-cross")
def test_a_program_that_does_not_build_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken.c").write_text("int main(void) { return nothing; }\n")
    monkeypatch.setattr(peers, "install", lambda _peer: tmp_path)
    boot = under_linux.Boot("", program={"name": "broken", "peer": "ibex", "folder": ".", "sources": ["broken.c"]})
    with pytest.raises(TrapezeError, match=r"(?s)broken does not build:\n.*undeclared"):
        boot.compiled(tmp_path / "made")
    assert not (tmp_path / "made" / "broken").exists()
