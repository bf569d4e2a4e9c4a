# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The SoC of a configuration as a netlist with many mutations, one of which is chosen when it runs.

Yosys reads the sources, draws mutations of cells (its command `mutate`) and writes a netlist in which each is behind a
comparison of the signal `mutsel` with its number. So many wrong designs are built once. Number 0 is the right one.
"""

from __future__ import annotations

import itertools
import re
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations, cores, rtl
from trapeze.simulation import engine_files
from trapeze.synth import tools
from verify.mutate.netlist import activation, aig, sampling
from verify.mutate.netlist.sampling import Drawn
from verify.mutate.workshop import write_changed

SOC = "trapeze_soc"
SELECT = "mutsel"
"""Signal with the number of the mutation that is on."""
SELECT_BITS = 16
VARIABLE = "TRAPEZE_MUTATION"
"""Variable of the environment: the number, for an engine that is made of such a netlist."""

MEMORY_PORT = "tz_memory_port"
"""In a circuit: part of the names of registers that hold what a memory is asked and told (memory.v)."""
_MEMORIES = "tz_sram$* tz_probe_ram$*"
"""Modules that are memories, for Yosys."""
_MAP = Path(__file__).with_name("memory.v")
_LOOP = "combinational logic loop"
_MODULE = re.compile(r"^module \\(\S+)(.*?)^end$", re.MULTILINE | re.DOTALL)
_CELL = re.compile(r"^  cell ", re.MULTILINE)
_SOURCE = re.compile(r"-src (\S+?\.sv):(\d+)")
_FIELD = re.compile(r"-(module|cell|port|portbit|mode|ctrlbit|wire|wirebit) (\S+)")
_PORT = re.compile(r"wire width (\d+) input \d+ \\req_i$", re.MULTILINE)
_WORDS = re.compile(r"memory width 32 size (\d+) ")
_PORT_BITS = 84
"""Bits of a memory's request port (obi_pkg::obi_req_t)."""


class CombinationalLoopError(TrapezeError):
    """A signal depends on itself in the same cycle, so there is no circuit for a proof."""


class Netlist:
    """The netlist of a configuration's SoC.

    Attributes:
        config: Name of the configuration.
        folder: Of everything that is written.
        cells: Of each room that is drawn from here: the number of its cells.
    """

    def __init__(self, config: str, folder: Path) -> None:
        """Read the sources into `soc.il`.

        Raises:
            TrapezeError: Yosys refuses them.
        """
        self.config, self.folder = config, folder
        files = cores.Library().resolve(
            configurations.load(config).design(), engine_files.TOP_TARGET, ("tool_verilator",)
        )
        self._sources = [Path(path) for path in files.of_type("systemVerilogSource")]
        self._places = {path.name: path for path in self._sources}
        if len(self._places) != len(self._sources):
            raise TrapezeError("two sources have one name; mutations cannot tell them apart")
        folder.mkdir(parents=True, exist_ok=True)
        self._read()
        self._design = (folder / "soc.il").read_text()
        self._modules: dict[str, list[str]] = {}
        self.cells: Counter[str] = Counter()
        for name, body in _MODULE.findall(self._design):
            unit, _, instance = name.partition("$")
            if sampling.home(unit) == config and sampling.is_product(unit, instance) and (cells := _CELL.findall(body)):
                room = self._room(unit)
                self._modules.setdefault(room, []).append(name)
                self.cells[room] += len(cells)

    def _room(self, unit: str) -> str:
        return _relative(self._places[f"{unit}.sv"]).partition("/rtl/")[0]

    def _copy(self) -> list[str]:
        """Copy the sources to the folder, the platform's package behind what it uses; their names in order."""
        names = []
        for path in self._sources:
            shutil.copyfile(path, self.folder / path.name)
            names.append(path.name)
            if path.name == "soc_cfg_pkg.sv":
                (self.folder / f"{rtl.PACKAGE}.sv").write_text(rtl.package(configurations.load(self.config)))
                names.append(f"{rtl.PACKAGE}.sv")
        return names

    def _read(self) -> None:
        top = self._sources[-1].stem
        words = f"--threads 1 --keep-hierarchy --unroll-limit {tools.UNROLL} -D SYNTHESIS --top {top}"
        tools.yosys(
            self.folder,
            [
                f"read_slang {words} {' '.join(self._copy())}",
                f"hierarchy -top {SOC}${top}.gen_soc.u_soc",
                "proc",
                "opt_clean",
                f"rename {SOC}${top}.gen_soc.u_soc {SOC}",
                "write_rtlil soc.il",
            ],
        )

    def draw(self, counts: Mapping[str, int], seed: int) -> list[Drawn]:
        """Draw mutations.

        Args:
            counts: How many of each room.
            seed: Of the draw.
        """
        script, files = ["read_rtlil soc.il"], []
        for room, count in sorted(counts.items()):
            files.append((room, f"drawn_{room.replace('/', '_')}.txt"))
            modules = " ".join(re.sub(r"[][]", "?", name) for name in self._modules[room])
            script.append(f"mutate -list {2 * count} -seed {seed} -o {files[-1][1]} {modules}")
        tools.yosys(self.folder, script)
        lines = []
        for room, name in files:
            found = filter(sampling.changes_logic, (self.folder / name).read_text().splitlines())
            lines += [(room, line) for line in itertools.islice(found, counts[room])]
        return [self._drawn(number, room, line) for number, (room, line) in enumerate(lines, 1)]

    def _drawn(self, number: int, room: str, line: str) -> Drawn:
        fields = dict(_FIELD.findall(line))
        sources = _SOURCE.findall(line)  # of the wire, then of the cell
        if not sources or (path := self._places.get(Path(sources[-1][0]).name)) is None:
            raise TrapezeError(f"a mutation names no source: {line}", exit_code=1)
        number_of_line = int(sources[-1][1])
        module, _, instance = fields["module"].partition("$")
        port = f"{fields['port']}[{fields['portbit']}]"
        what = f"{fields['mode']} {port} of {fields['cell']} in {instance.partition('.')[2] or module}"
        text = path.read_text().splitlines()[number_of_line - 1].strip()
        return Drawn(self.config, number, line, room, _relative(path), number_of_line, text, what)

    def _mutated(self, chosen: Sequence[Drawn]) -> list[str]:
        """The commands that read the design and make the mutations."""
        if chosen and chosen[-1].number >= 1 << SELECT_BITS:
            raise TrapezeError(f"more than {(1 << SELECT_BITS) - 1} mutations do not fit into one netlist")
        control = f"mutate -ctrl {SELECT} {SELECT_BITS}"
        return ["read_rtlil soc.il", *(one.command.replace("mutate", f"{control} {one.number}", 1) for one in chosen)]

    def circuit(self, chosen: Sequence[Drawn]) -> aig.Circuit:
        """The netlist with these mutations for proofs, its memories outside; `mutsel` is an input.

        Raises:
            CombinationalLoopError: a mutation makes one.
        """
        script = [
            *self._mutated(chosen),
            *memories_outside(self.folder, _MEMORIES),
            f"hierarchy -top {SOC}",
            *("flatten", "opt_clean", "memory_map", "setundef -zero", "async2sync", "dffunmap", "opt_clean"),
            *("simplemap", "techmap", "opt_clean", "aigmap", "opt_clean", "write_aiger -ascii -symbols soc.aag"),
        ]
        try:
            tools.yosys(self.folder, script)
        except TrapezeError as error:
            raise CombinationalLoopError(str(error)) if _LOOP in str(error) else error from None
        return aig.read(self.folder / "soc.aag")

    def write(self, chosen: Sequence[Drawn]) -> Path:
        """Write the netlist with these mutations as SystemVerilog, with the memories as they are in the sources.

        Returns:
            The file, which holds the module `trapeze_soc` and everything below it but `tz_sram`.
        """
        script = [*self._mutated(chosen), "setattr -mod -set keep_hierarchy 1 tz_sram$*", "flatten", "bwmuxmap"]
        tools.yosys(
            self.folder, [*script, "opt_clean", "splitnets -driver", "opt_clean", "write_verilog -noattr soc.v"]
        )
        text = self._with_memories((self.folder / "soc.v").read_text())
        path = self.folder / f"{SOC}_mutated.sv"
        write_changed(path, "// verilator lint_off LATCH\n" + self._as_in_sources(text))
        return path

    def _with_memories(self, text: str) -> str:
        """Let instances of memories be those of the sources, so that programs can be loaded."""
        for name, body in _MODULE.findall(self._design):
            if not name.startswith("tz_sram$"):
                continue
            words, width = _WORDS.search(body), _PORT.search(body)
            if words is None or width is None:
                raise TrapezeError(f"{name} is no memory as mutations know it", exit_code=1)
            parameters = f"#(.Size({4 * int(words[1])}), .NumPorts({int(width[1]) // _PORT_BITS}))"
            text = re.sub(rf"^module \\{re.escape(name)} .*?^endmodule\n", "", text, flags=re.MULTILINE | re.DOTALL)
            text = text.replace(f"\\{name} ", f"tz_sram {parameters}")
        return text

    def _as_in_sources(self, text: str) -> str:
        """Give the netlist's top the parameters of the SoC, which are settled in it, and the choice of a mutation."""
        source = self._places[f"{SOC}.sv"].read_text()
        header = source[source.index("#(") + 2 : source.index("\n) (")]
        names = re.findall(r"^\s*parameter\s[^=]*?(\w+)\s*=", header, re.MULTILINE)
        parameters = ", ".join(f"parameter {name} = 0" for name in names)
        text = re.sub(rf"^module {SOC} ?\(", f"module {SOC} #({parameters}) (", text, flags=re.MULTILINE)
        start = text.index(f"module {SOC} #(")
        end = text.index("endmodule", start)
        body = text[start:end]
        body = re.sub(rf",\s*{SELECT}\)", ")", body, count=1)
        body = re.sub(rf"^  input \[\d+:0\] {SELECT};\n", "", body, flags=re.MULTILINE)
        chosen = f'$c("([]{{ const char* t = getenv(\\"{VARIABLE}\\"); return t ? atoi(t) : 0; }}())")'
        body = body.replace(
            f"  wire [{SELECT_BITS - 1}:0] {SELECT};\n",
            f"  logic [{SELECT_BITS - 1}:0] {SELECT};\n  initial {SELECT} = {SELECT_BITS}'({chosen});\n",
        )
        return text[:start] + activation.watched(body, SELECT) + text[end:]


def memories_outside(folder: Path, modules: str) -> list[str]:
    """Commands of Yosys that put memories outside of a circuit, as memory.v says.

    Args:
        folder: In which Yosys runs.
        modules: With the memories.
    """
    shutil.copyfile(_MAP, folder / _MAP.name)
    # First, merge read ports with the registers behind them, so that only requested reads count.
    merged = ["opt_dff", "opt_expr -mux_undef -undriven", "opt_muxtree", "opt_reduce -full", "opt_clean", "memory_dff"]
    ports = " ".join(f"{one}/t:{kind}" for one in modules.split() for kind in ("$memrd_v2", "$memwr_v2"))
    named = f"rename -enumerate -pattern {MEMORY_PORT}% {ports}"
    mapped = [f"techmap -autoproc -map {_MAP.name}", "opt_mem", "select -clear"]
    return [f"select {modules}", *merged, named, *mapped]


def _relative(path: Path) -> str:
    return str(path.relative_to(paths.ROOT)) if path.is_relative_to(paths.ROOT) else str(path)
