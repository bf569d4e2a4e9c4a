# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Directed tests, one file each: reads `fw/tests`, builds them and runs them on the RTL and on QEMU."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from trapeze.common import paths, processes
from trapeze.common.edges import Edge
from trapeze.common.errors import TrapezeError
from trapeze.common.output import write_atomic
from trapeze.common.schema import validate
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.platform.configurations import Config
from trapeze.simulation import power_up, simulator
from trapeze.simulation.options import Options

FOLDER = paths.FIRMWARE / "tests"
SCHEMA = Path(__file__).with_name("firmware-test.schema.json")
MAX_CYCLES = 20_000_000
QEMU_SECONDS = 60
_METADATA = re.compile(r"/\* trapeze-test\n(.*?)\*/", re.DOTALL)


@dataclass(frozen=True)
class Directed:
    """A directed test, as its first comment says.

    Attributes:
        name: The name of its source, and behind `_` that of its case if the source has several.
        path: Its source.
        configs: Names of the configurations it runs on.
        general: Whether it runs on all but variants.
        needs: Extensions without which it does not run on further ones.
        lacks: Extensions with which it does not.
        banks: Spare banks without which it does not.
        engines: `rtl`, `qemu` or both.
        irq: Interrupts to raise.
        args: For the compiler.
        rtos: The real-time kernel it is built against, None for none.
        monitor: The monitor under which it runs in user mode, None for none.
        uart_in: What the console receives.
        exit: Expected exit code.
        expect: What the console has to show, None if that is not checked.
        regex: Likewise, as a regular expression for the whole.
    """

    name: str
    path: Path
    configs: tuple[str, ...]
    general: bool
    needs: tuple[str, ...]
    lacks: tuple[str, ...]
    banks: int
    engines: tuple[str, ...]
    irq: tuple[Edge, ...]
    args: tuple[str, ...]
    rtos: str | None
    monitor: str | None
    uart_in: str
    exit: int
    expect: str | None
    regex: str | None

    @property
    def raised(self) -> list[int]:
        """The lines that it raises."""
        return [one.line for one in self.irq]

    def complaint(self, code: int, console: str) -> str | None:
        """What is wrong with a run, None if nothing is."""
        if code != self.exit:
            return f"exit code {code}, expected {self.exit}; console:\n{console}"
        if self.expect is not None and console != self.expect:
            return f"the console says\n{console}\ninstead of\n{self.expect}"
        if self.regex is not None and not re.fullmatch(self.regex, console):
            return f"the console says {console!r}, which does not match {self.regex!r}"
        return None


def read(path: Path) -> Directed:
    """Read the metadata of a test without cases.

    Raises:
        TrapezeError: there is none, or it breaks the schema.
    """
    (only,) = cases(path)
    return only


def cases(path: Path) -> list[Directed]:
    """Read the metadata of a source: the cases of the test, or the test.

    Raises:
        TrapezeError: as of `read`.
    """
    found = _METADATA.search(path.read_text())
    if found is None:
        raise TrapezeError(f"{path}: has no comment that begins with /* trapeze-test")
    try:
        raw = yaml.safe_load(found[1])
    except yaml.YAMLError as error:
        raise TrapezeError(f"{path}: metadata: not YAML: {' '.join(str(error).split())}") from None
    validate(raw, SCHEMA, f"{path}: metadata")
    found_cases = raw.pop("cases", None)
    if found_cases is None:
        return [_directed(path, path.stem, raw)]
    return [
        _directed(path, f"{path.stem}_{case}", raw | own | {"args": [*raw.get("args", ()), f"-DCASE_{case.upper()}"]})
        for case, own in found_cases.items()
    ]


def _directed(path: Path, name: str, raw: Mapping[str, Any]) -> Directed:
    every = configurations.names(variants=False, several_harts=False)
    return Directed(
        name=name,
        path=path,
        configs=tuple(raw.get("config", every)),
        general="config" not in raw,
        needs=tuple(raw.get("needs", ())),
        lacks=tuple(raw.get("lacks", ())),
        banks=raw.get("banks", 0),
        engines=tuple(raw.get("engines", ("rtl", "qemu"))),
        irq=tuple(edge for one in raw.get("irq", ()) for edge in _edges(one, f"{path}: metadata: irq")),
        args=tuple(raw.get("args", ())),
        rtos=raw.get("rtos"),
        monitor=raw.get("monitor"),
        uart_in=raw.get("uart_in", ""),
        exit=raw.get("exit", 0),
        expect=raw.get("expect"),
        regex=raw.get("expect_regex"),
    )


def _edges(said: str | Mapping[str, Any], where: str) -> Iterator[Edge]:
    """One edge, or one that comes again and again."""
    if isinstance(said, str):
        yield Edge.parse(said, where)
        return
    first = Edge.parse(said["edge"], where)
    for time in range(said["times"]):
        yield replace(first, cycle=first.cycle + time * said["every"])


MOST_CLEARED = 1024
"""Of a CLIC's sources. Start-up code clears them one by one; of more it still does when a test's lines have risen."""


def suits(test: Directed, config: Config) -> bool:
    """Whether a test that does not name a variant runs on it: as on its base, if the variant has what the test needs.

    Tests that name their configurations may count on the sources and levels that these have.
    """
    if config.extends not in test.configs or "rtl" not in test.engines:
        return False
    hart, usual = config.first, configurations.load(config.extends).first
    if hart.regions < usual.regions:
        return False  # tests of memory protection are about all rows
    if not {*test.needs} <= {*hart.extensions} or {*test.lacks} & {*hart.extensions} or hart.banks < test.banks:
        return False
    if hart.sources > MOST_CLEARED and test.irq:
        return False
    if hart.line_base != usual.line_base and "TRAPEZE_IRQ_DIRECT(" in test.path.read_text():
        return False  # a direct handler names its source by number
    same = (hart.lines, hart.line_base, hart.ctl_bits) == (usual.lines, usual.line_base, usual.ctl_bits)
    return same or (test.general and all(line < hart.lines for line in test.raised))


def on_qemu(test: Directed) -> list[str]:
    """The configurations of a test that QEMU can stand for: its only controller is the CLINT."""
    names = test.configs if "qemu" in test.engines else ()
    return [name for name in names if configurations.load(name).first.scheme == "clint"]


def collect(folder: Path = FOLDER) -> list[Directed]:
    """All directed tests, by name."""
    sources = (path for path in sorted(folder.iterdir()) if path.suffix in (".c", ".cpp", ".S"))
    return [test for path in sources for test in cases(path)]


@cache
def build(test: Directed, config: Config) -> Path:
    """Build a test for a configuration; once in a process."""
    output = paths.BUILD / "fw-tests" / config.name / f"{test.name}.elf"
    options = [f"-I{FOLDER}", f"-DTEST_HART_ID={config.first.hart_id:#x}U", *test.args]
    return toolchain.build(config, [test.path], output, options, test.rtos, monitor=test.monitor)


def run_rtl(
    test: Directed, config: Config, wait: tuple[int, int, int], built_for: Config | None = None, engine: str = "rtl"
) -> str | None:
    """Run a test on the RTL.

    Args:
        test: The test.
        config: The configuration.
        wait: Chances of a wait state on instruction and data port, in 1/256, and the seed.
        built_for: The configuration to build it for, if it is another one.
        engine: Or on `model`, or in `lockstep`.

    Registers without reset, and memory, start with other values every day; the command that repeats a failure names
    their seed.

    Returns:
        What is wrong, None if nothing is.
    """
    elf = build(test, built_for or config)
    text = elf.with_suffix(".in")
    if test.uart_in:
        write_atomic(text, test.uart_in)
    options = Options(
        irq=test.irq,
        max_cycles=MAX_CYCLES,
        wait_instr=wait[0],
        wait_data=wait[1],
        seed=wait[2],
        uart_in=text if test.uart_in else None,
        engine=engine,
        reset_seed=0 if engine == "model" else power_up.of_today(test.name, config.name, *wait),
    )
    outcome = simulator.measure(elf, config, options)
    complaint = test.complaint(outcome.exit_code, outcome.console.decode(errors="replace"))
    return complaint and f"{complaint}\nagain: {shlex.join(simulator.repeated(elf, config, options))}"


def run_qemu(test: Directed, config: Config) -> str | None:
    """Run a test on QEMU.

    Returns:
        What is wrong, None if nothing is.
    """
    command = toolchain.qemu(config, build(test, config))
    # subprocess ends it by SIGKILL after the time-out, which is what QEMU needs with sleep=off.
    done = processes.run(command, given=test.uart_in.encode(), capture_output=True, timeout=QEMU_SECONDS)
    return test.complaint(done.returncode, done.stdout.decode(errors="replace"))
