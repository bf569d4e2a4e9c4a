# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Generate RTL packages, C headers, Markdown, SVD and JSON from the sources of this folder.

Usage: ``python regs/generate.py`` writes ``regs/gen`` and the tables of cycles in ``docs/core.md``; with ``--check`` it
writes nothing and exits 1 where a generated file is missing, stale or left over. Errors in the sources exit 1 with one
line that names the place. Sources: SystemRDL for memory maps (``maps``) and blocks, YAML for constants of the
instruction set (``isa``). README.md lists the generated files.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from generator import (
    cycles,
    devices_cpp,
    header,
    instructions,
    instructions_cpp,
    instructions_python,
    isa_cpp,
    isa_header,
    isa_pages,
    isa_python,
    isa_systemverilog,
    pages,
    rdl,
    svd,
    systemverilog,
    tools,
)
from generator import isa as instruction_set
from generator.description import Map, MapError, Region
from generator.isa import Isa, IsaError
from systemrdl.messages import RDLCompileError

ROOT = Path(__file__).resolve().parent
DEFAULT_MAP = "mcu"
MANUAL = ROOT.parent / "docs" / "core.md"
"""Has tables that are generated. A copy of this folder alone has no manual beside it."""


def _blocks(maps: list[Map], alone: list[Region]) -> list[Region]:
    """All blocks, each once: those of the maps, and those that stand alone."""
    placed = {region.name: region for one in maps for region in one.regions if region.registers}
    blocks = [*placed.values(), *alone]
    names = [block.name for block in blocks]
    if twice := {name for name in names if names.count(name) > 1}:
        raise MapError(f"{', '.join(sorted(twice))}: two blocks of this name")
    if strange := {r.block for one in maps for r in one.regions if r.block} - set(names):
        raise MapError(
            f"{', '.join(sorted(strange))}: what a region is a second one of must be a region, or in blocks.rdl"
        )
    if strange := {part.block for one in maps for r in one.regions for part in r.parts if part.block} - set(names):
        raise MapError(f"{', '.join(sorted(strange))}: what is part of a region must also be in blocks.rdl")
    return blocks


def render(maps: list[Map], alone: list[Region]) -> dict[str, str]:
    """Every generated file, of the maps and of the blocks that stand alone: path below the output folder, contents."""
    blocks = _blocks(maps, alone)
    files = {
        "registers.json": tools.render_json_registers(blocks),
        "cpp/trapeze/devices.hpp": devices_cpp.render(blocks),
        "c/trapeze/map.h": header.render_c_maps([one.name for one in maps], DEFAULT_MAP),
        "doc/map.md": pages.render_md_maps(maps),
    }
    for one in maps:
        files[f"maps/{one.name}.json"] = tools.render_json_map(one)
        files[f"svd/{one.name}.svd"] = svd.render(one, blocks)
        if one.name == DEFAULT_MAP:
            files["rtl/trapeze_map_pkg.sv"] = systemverilog.render_sv_map(one)
        files[f"c/trapeze/map_{one.name}.h"] = header.render_c_map(one)
    for block in blocks:
        files[f"rtl/{block.name}_reg_pkg.sv"] = systemverilog.render_sv_block(block)
        files[f"c/trapeze/{block.name}.h"] = header.render_c_block(block)
        files[f"doc/{block.name}.md"] = pages.render_md_block(block)
    return files


def render_isa(isa: Isa, words: instructions.Instructions) -> dict[str, str]:
    """The generated files of the instruction set, from render()."""
    return {
        "rtl/isa_pkg.sv": isa_systemverilog.render(isa),
        "c/trapeze/isa.h": isa_header.render(isa),
        "cpp/trapeze/isa.hpp": isa_cpp.render(isa),
        "cpp/trapeze/instructions.hpp": instructions_cpp.render(words),
        "python/isa.py": isa_python.render(isa),
        "python/instructions.py": instructions_python.render(words),
        "doc/isa.md": isa_pages.render(isa),
    }


def check(files: dict[str, str], out: Path) -> list[str]:
    """Differences between `files` and the folder `out`, one line each."""
    present = {str(p.relative_to(out)) for p in out.rglob("*") if p.is_file()}
    problems = [f"{name}: no source generates it" for name in sorted(present - files.keys())]
    for name, text in files.items():
        if name not in present:
            problems.append(f"{name}: missing")
        elif (out / name).read_text(encoding="utf-8") != text:
            problems.append(f"{name}: stale")
    return problems


def main(argv: list[str] | None = None) -> int:
    """Command line; returns the exit status."""
    parser = argparse.ArgumentParser(description="Generate register files, memory maps and constants.")
    parser.add_argument("--check", action="store_true", help="compare instead of writing; exit 1 on a difference")
    parser.add_argument("--out", type=Path, default=ROOT / "gen", help="output folder (default: regs/gen)")
    args = parser.parse_args(argv)
    out: Path = args.out
    sources = rdl.Sources(ROOT)
    try:
        names = sorted(sources.names(), key=lambda name: (name != DEFAULT_MAP, name))
        files = render([sources.map(name) for name in names], sources.blocks())
        isa = instruction_set.load(ROOT / "isa")
        files |= render_isa(isa, instructions.load(ROOT / "isa", isa))
        costs = cycles.load(ROOT / "isa")
        before = MANUAL.read_text(encoding="utf-8") if MANUAL.exists() else None
        manual = cycles.insert(before, costs) if before is not None else None
    except (RDLCompileError, MapError, IsaError) as error:
        print(f"generate.py: error: {error}", file=sys.stderr)
        return 1
    if args.check:
        problems = check(files, out)
        if manual != before:
            problems.append("docs/core.md: its tables of cycles are stale")
        for problem in problems:
            print(f"generate.py: {problem}; run python regs/generate.py", file=sys.stderr)
        return 1 if problems else 0
    for name, text in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if manual is not None and manual != before:
        MANUAL.write_text(manual, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
