# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What the laboratory's tests share."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from trapeze.commandline.cli import main
from trapeze.common import packages
from trapeze.firmware import toolchain
from trapeze.platform import configurations as config
from verify.dev.testing import Said, Trapeze, row

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # As a script's command in the background has it. What the tests start is to be interrupted, wherever they run.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Install what a test needs beside the packages that `make test` always has; it fails where that cannot be."""
    for mark in item.iter_markers("needs"):
        packages.need(mark.args, item.name, "for this test")


@pytest.fixture
def trapeze(capfd: pytest.CaptureFixture[str]) -> Trapeze:
    """Run a command line of `trapeze` in this process.

    What it says of an engine that it builds is left out: that depends on what ran before.
    """

    def run(*arguments: object) -> Said:
        capfd.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        lines = err.splitlines(keepends=True)
        return Said(code, out, "".join(line for line in lines if not line.startswith("trapeze: building ")))

    return run


@pytest.fixture(scope="session")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Sequence[str]], Path]:
    """Build C text for mcu-clint, once for each text."""
    built: dict[str, Path] = {}

    def build(text: str, options: Sequence[str] = ()) -> Path:
        if text not in built:
            folder = tmp_path_factory.mktemp("firmware")
            source = folder / "main.c"
            source.write_text(text)
            built[text] = toolchain.build(config.load("mcu-clint"), [source], folder / "main.elf", options)
        return built[text]

    return build


@pytest.fixture
def result(tmp_path: Path) -> Callable[..., Path]:
    """Write a result file of the rows given."""

    def write(*rows: dict[str, Any]) -> Path:
        path = tmp_path / "result.json"
        value: dict[str, Any] = {
            "schema": "trapeze.result/1",
            "experiment": "irq-latency",
            "created": "2026-01-01T00:00:00Z",
            "commit": None,
            "tools": {},
            "host": {},
            "rows": list(rows) or [row()],
        }
        path.write_text(json.dumps(value))
        return path

    return write
