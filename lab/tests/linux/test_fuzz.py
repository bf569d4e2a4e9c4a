# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""libFuzzer on what each side of the ring reads of the other side's, the server's code and the driver's on the host.

By name, with a number of executions:
TRAPEZE_FUZZ_RUNS=1000000 build/venv/bin/pytest -m prove lab/tests/linux/test_fuzz.py
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from trapeze.common import paths

FOLDER = paths.LAB / "tests" / "linux" / "fuzz"

RUNS = int(os.environ.get("TRAPEZE_FUZZ_RUNS", "300000"))

LONGEST = 800
"""Bytes of an input at most: some hundred steps of either side."""

RTOS = ("FreeRTOS.h", "task.h", "port_context.h", "port_rows.h")
HARDWARE = ("hart.h", "irq.h", "map.h", "jobs.h")

SIDES = {
    "server": ("fw/amp/src", [*RTOS, *(f"trapeze/{name}" for name in HARDWARE)]),
    "driver": ("linux/driver", []),
}
"""Where each side's sources are, and the headers of the target that the harness stands in for."""


def clang() -> str:
    """The compiler, which the laboratory needs for nothing else."""
    found = shutil.which("clang-14") or shutil.which("clang")
    if found is None:
        pytest.skip("there is no clang with libFuzzer; apt-get install clang-14 libclang-rt-14-dev")
    return found


@pytest.mark.prove
@pytest.mark.parametrize("side", SIDES)
def test_what_the_other_side_writes(side: str, tmp_path: Path) -> None:
    """Whatever it is, and whenever it changes: no access out of bounds, nothing lost, nothing believed."""
    sources, headers = SIDES[side]
    if side == "driver":
        texts = [(paths.ROOT / sources / name).read_text() for name in ("driver.h", "ring.c")]
        headers = sorted({name for text in texts for name in re.findall(r"#include <((?:asm|linux)/\S+)>", text)})
    for name in headers:
        empty = tmp_path / "empty" / name
        empty.parent.mkdir(parents=True, exist_ok=True)
        empty.touch()
    folders = [tmp_path / "empty", *(paths.ROOT / name for name in (".", "regs/gen/c", "regs/jobs", sources))]
    words = [clang(), "-std=gnu11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", *(f"-I{one}" for one in folders)]
    words += ["-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all"]
    subprocess.run([*words, str(FOLDER / f"{side}.c"), "-o", str(tmp_path / side)], check=True)
    limits = [f"-runs={RUNS}", f"-max_len={LONGEST}", "-len_control=0", "-timeout=10", "-seed=1"]
    done = subprocess.run([tmp_path / side, *limits], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-5000:]
    assert f"Done {RUNS} runs" in done.stderr
