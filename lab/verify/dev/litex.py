# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`make litex`: the Python package `trapeze-litex`, with the plain Verilog of its variants in it."""

from __future__ import annotations

import hashlib
import os
import runpy
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.common.files import locked
from trapeze.platform import configurations
from trapeze.synth import designs
from verify.dev import release

PACKAGE = paths.ROOT / "integrations" / "litex"
NAME = "trapeze_litex"
LOCK = PACKAGE / "requirements.lock"


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


def run(command: Sequence[str | Path], folder: Path, **environment: str) -> str:
    """Run a command in a folder, with some variables of its environment; what it said.

    Raises:
        TrapezeError: It failed; the message ends with what it said last.
    """
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        raise TrapezeError(f"{command}: {done.stdout[-5000:]}", exit_code=done.returncode)
    return done.stdout


def installed(folder: Path) -> Path:
    """The interpreter of an environment with LiteX, from the package index, and with the package, built anew.

    Raises:
        TrapezeError: Yosys or pip failed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / "lock"):
        wheel = build(folder)
        environment = folder / "venv"
        stamp = folder / "venv.stamp"
        key = hashlib.sha256(LOCK.read_bytes() + sys.executable.encode() + str(folder).encode()).hexdigest()
        pip: list[str | Path] = [environment / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check"]
        if not stamp.exists() or stamp.read_text() != key:
            shutil.rmtree(environment, ignore_errors=True)
            run([sys.executable, "-m", "venv", environment], folder)
            run([*pip, "--no-deps", "-r", LOCK], folder)
            stamp.write_text(key)
        run([*pip, "--no-deps", "--force-reinstall", wheel], folder)
    return environment / "bin" / "python"


if __name__ == "__main__":
    try:
        print(build(paths.BUILD / "wheel"))
    except TrapezeError as error:
        sys.exit(str(error))
