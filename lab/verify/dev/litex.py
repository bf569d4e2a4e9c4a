# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`make litex`: the Python package `trapeze-litex`, with the plain Verilog of its variants in it."""

from __future__ import annotations

import runpy
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations
from trapeze.synth import designs
from verify.dev import release

PACKAGE = paths.ROOT / "integrations" / "litex"
NAME = "trapeze_litex"


def variants() -> dict[str, str]:
    """The configuration of each variant of the CPU."""
    found: dict[str, str] = runpy.run_path(str(PACKAGE / NAME / "variants.py"))["VARIANTS"]
    return found


def verilog(folder: Path) -> None:
    """Write `CONFIGURATION/TOP.v`: core and CLIC of every variant, with the core's registers in an FPGA's memories.

    Raises:
        TrapezeError: Yosys failed.
    """
    for name in sorted(set(variants().values())):
        config = configurations.load(name)
        core = designs.core(config)
        parts = [replace(core, fields={**core.fields, designs.GATES: "0"})]
        if config.first.has_clic:
            parts.append(designs.controller(config))
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        for design in parts:
            (place / f"{design.top}.v").write_text(release.plain(design))


def build(folder: Path) -> Path:
    """Build the wheel.

    Raises:
        TrapezeError: Yosys or pip failed.
    """
    with tempfile.TemporaryDirectory(prefix="litex-", dir=paths.BUILD) as name:
        copy = Path(name) / "package"
        shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "test"))
        shutil.copy(paths.ROOT / "LICENSE", copy)
        verilog(copy / NAME / "verilog")
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation"]
        command = [sys.executable, "-m", "pip", "wheel", *options, "-w", name, str(copy)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise TrapezeError(f"pip wheel failed: {done.stderr}")
        (wheel,) = Path(name).glob(f"{NAME}-*.whl")
        folder.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy(wheel, folder))


if __name__ == "__main__":
    try:
        print(build(paths.BUILD / "wheel"))
    except TrapezeError as error:
        sys.exit(str(error))
