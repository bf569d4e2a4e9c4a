# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A hundred command lines that are not what their user meant: one line each, which names the thing and the remedy.

`test_hostile.py` has those that somebody means badly, `test_cli.py` the plainest ones.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from verify.dev.testing import Trapeze, row

HELLO = "int main(void)\n{\n\treturn 0;\n}\n"

RUN = "run p.elf --config mcu-clint"

LINES: dict[str, list[str]] = {
    # Commands and their order.
    "rum p.elf --config mcu-clint": ["No such command 'rum'", "trapeze --help"],
    "'' p.elf": ["No such command ''"],
    "Run p.elf": ["No such command 'Run'"],
    "p.elf run --config mcu-clint": ["No such command 'p.elf'"],
    "--config mcu-clint run p.elf": ["No such option: --config"],
    "configs mcu-clint": ["unexpected extra argument", "mcu-clint"],
    "doctor now": ["unexpected extra argument", "now"],
    "completion csh": ["'csh' is not one of", "bash"],
    "completion bash zsh": ["unexpected extra argument", "zsh"],
    "show mcu-clint mcu-clic": ["unexpected extra argument", "mcu-clic"],
    "show ''": ["unknown configuration ''"],
    "show MCU-CLINT": ["unknown configuration 'MCU-CLINT'", "did you mean 'mcu-clint'"],
    "show mcu-clint\N{EN DASH}e": ["unknown configuration", "did you mean 'mcu-clint-e'"],
    "show ./nothing.yaml": ["nothing.yaml", "no such file"],
    "show ./folder.yaml": ["folder.yaml", "folder"],
    "show mcu-clint --set": ["'--set' requires an argument"],
    # Parameters.
    "show mcu-fastirq --set ''": ["--set", "KEY=VALUE"],
    "show mcu-fastirq --set banks": ["--set banks", "use --set banks=VALUE"],
    "show mcu-fastirq --set =4": ["--set '=4'", "KEY=VALUE"],
    "show mcu-fastirq --set banks=": ["--set banks="],
    "show mcu-fastirq --set bank=4": ["unknown parameter 'bank'", "did you mean 'banks'"],
    "show mcu-fastirq --set banks=four": ["banks", "four"],
    "show mcu-fastirq --set banks=4k": ["banks", "4k"],
    "show mcu-fastirq --set banks=-1": ["banks", "-1"],
    "show mcu-fastirq --set banks=4 --set banks=2": ["banks", "twice"],
    "show mcu-fastirq --set lines=1e3": ["lines", "1e3"],
    "show mcu-fastirq --set harts.7.banks=1": ["harts.7"],
    f"{RUN} --set banks=4": ["banks"],
    # Configurations in files.
    "show ./list.yaml": ["list.yaml"],
    "show ./broken.yaml": ["broken.yaml", "line"],
    "show ./typo.yaml": ["typo.yaml", "sumary"],
    "show ./self.yaml": ["self.yaml", "extends"],
    "show ./binary.yaml": ["binary.yaml"],
    "show ./empty.yaml": ["empty.yaml"],
    "run p.elf --config ./nothing.yaml": ["nothing.yaml", "no such file"],
    # Programs of the wrong kind.
    "run --config mcu-clint": ["Missing argument 'ELF...'"],
    "run '' --config mcu-clint": ["ELF"],
    "run main.c --config mcu-clint": ["main.c", "ELF"],
    "run empty.elf --config mcu-clint": ["empty.elf", "ELF"],
    "run short.elf --config mcu-clint": ["short.elf"],
    "run host.elf --config mcu-clint": ["host.elf", "RISC-V"],
    "run main.o --config mcu-clint": ["main.o"],
    "run p.elf p.elf --config mcu-clint": ["a program too many"],
    "run 'p.elf ' --config mcu-clint": ["p.elf : no such file"],
    "run p\N{COMBINING DIAERESIS}.elf --config mcu-clint": ["no such file"],
    f"run {'x' * 5000} --config mcu-clint": ["File name too long"],
    "run p.elf --config": ["'--config' requires an argument"],
    "run p.elf --config ''": ["--config '': is empty"],
    "run p.elf --config mcu-clint --config mcu-clic": ["--config mcu-clic: there is one already"],
    "run p.elf --confg mcu-clint": ["No such option: --confg", "--config"],
    f"{RUN} --engine RTL": ["'RTL' is not one of", "rtl"],
    f"{RUN} --engine ''": ["--engine '': is empty"],
    # Edges.
    f"{RUN} --irq": ["'--irq' requires an argument"],
    f"{RUN} --irq ''": ["--irq ''", "LINE@CYCLE"],
    f"{RUN} --irq 3": ["--irq '3'", "LINE@CYCLE"],
    f"{RUN} --irq 3@": ["--irq '3@'"],
    f"{RUN} --irq @5": ["--irq '@5'"],
    f"{RUN} --irq -3@5": ["--irq '-3@5'"],
    f"{RUN} --irq 3@1us": ["--irq '3@1us'"],
    f"{RUN} --irq 3@1e6": ["--irq '3@1e6'"],
    f"{RUN} --irq '3 @ 5'": ["--irq '3 @ 5'"],
    f"{RUN} --irq 3@5:pulse=0": ["--irq '3@5:pulse=0'"],
    f"{RUN} --irq 3@main": ["--irq '3@main'"],
    f"{RUN} --irq 99@5": ["no interrupt line 99"],
    f"{RUN} --irq 9:3@5": ["no hart 9"],
    f"{RUN} --irq 3@5 --engine model": ["no cycles"],
    f"{RUN} --irq 3@\N{ARABIC-INDIC DIGIT FIVE}": ["is no edge"],
    # Many edges.
    f"{RUN} --stimulus ''": ["--stimulus"],
    f"{RUN} --stimulus every=5": ["--stimulus"],
    f"{RUN} --stimulus 3:": ["--stimulus"],
    f"{RUN} --stimulus 3:every": ["every"],
    f"{RUN} --stimulus 3:evry=5": ["there is no key 'evry'", "every=N"],
    f"{RUN} --stimulus 3:every=5us": ["every=5us"],
    f"{RUN} --stimulus 3:every=-5": ["every=-5"],
    f"{RUN} --stimulus 3:uniform=5": ["uniform=5"],
    f"{RUN} --stimulus 3:uniform=a..b": ["uniform=a..b"],
    f"{RUN} --stimulus 3:exp=0": ["exp=0"],
    f"{RUN} --stimulus 3:every=9,": ["--stimulus"],
    f"{RUN} --stimulus 3:every=9,n=0": ["n=0"],
    f"{RUN} --stimulus 3:every=9,every=9": ["every"],
    f"{RUN} --stimulus 3:every=9,burst=3": ["burst=3"],
    f"{RUN} --stimulus 3:file=": ["--stimulus file ''"],
    f"{RUN} --stimulus 3:file=main.c": ["main.c"],
    f"{RUN} --stimulus 3:file=folder.yaml": ["folder.yaml"],
    # Sweeps.
    f"{RUN} --sweep ''": ["--sweep ''", "LINE@FROM..TO"],
    f"{RUN} --sweep 3@5": ["--sweep '3@5'", "LINE@FROM..TO"],
    f"{RUN} --sweep 3@..": ["--sweep '3@..'"],
    f"{RUN} --sweep 3@..9": ["--sweep '3@..9'"],
    f"{RUN} --sweep 3@5..": ["--sweep '3@5..'"],
    f"{RUN} --sweep 3@9..5": ["reversed"],
    f"{RUN} --sweep 3@main..main+5 --engine model": ["the model has no cycles", "--engine rtl"],
    f"{RUN} --sweep 3@mian..mian+5": ["no symbol 'mian'", "the nearest are main"],
    f"{RUN} --sweep 3@marker:99999..5": ["marker"],
    f"{RUN} --sweep 3@5..9 --jobs 0": ["--jobs: '0' is less than 1", "run --help"],
    f"{RUN} --sweep 3@5..9 --jobs many": ["--jobs: 'many' is no whole number", "run --help"],
    # Spans and budgets.
    f"{RUN} --from pc:main": ["--to"],
    f"{RUN} --to pc:main": ["--from"],
    f"{RUN} --from main --to pc:main": ["--from"],
    f"{RUN} --from pc:mian --to pc:main": ["mian", "the nearest are main"],
    f"{RUN} --from '' --to pc:main": ["--from"],
    f"{RUN} --from marker: --to pc:main": ["marker"],
    f"{RUN} --from signal:mitp --to pc:main": ["mitp", "mtip"],
    f"{RUN} --name x": ["--name"],
    f"{RUN} --budget 5": ["--irq LINE@CYCLE"],
    f"{RUN} --budget -5 --irq 3@5": ["--budget"],
    f"{RUN} --budget 5us --irq 3@5": ["5us"],
    f"{RUN} --budget x=5 --irq 3@5": ["no such span"],
    f"{RUN} --budget '' --irq 3@5": ["--budget"],
    # Files and other options.
    f"{RUN} --trace t.txt": ["t.txt", ".log"],
    f"{RUN} --trace log:": ["log:"],
    f"{RUN} --trace ''": ["--trace"],
    f"{RUN} --trace folder.log": ["folder.log", "folder"],
    f"{RUN} --trace /nowhere/t.log": ["/nowhere does not exist"],
    f"{RUN} --trace t.log --trace-from 9 --trace-to 5": ["--trace-from", "--trace-to"],
    f"{RUN} --trace-from 9": ["--trace-from", "--trace"],
    f"{RUN} --trace t.log --trace-from -1": ["--trace-from"],
    f"{RUN} --json folder.log": ["folder.log", "folder"],
    f"{RUN} --json ''": ["--json"],
    f"{RUN} --html p.elf": ["p.elf"],
    f"{RUN} --uart-in nothing": ["nothing"],
    f"{RUN} --uart-in folder.log": ["folder.log"],
    f"{RUN} --max-cycles 1k": ["--max-cycles: '1k' is no whole number"],
    f"{RUN} --max-cycles 99999999999999999999": ["--max-cycles: '99999999999999999999' is more than 92"],
    f"{RUN} --max-cycles {'9' * 5000}": ["--max-cycles: '999", "...' is no whole number that fits"],
    f"{RUN} --turn 5": ["--turn", "--engine model"],
    f"{RUN} --gdb 99999": ["--gdb: '99999' is more than 65535"],
    f"{RUN} --gdb 0 --engine lockstep": ["--gdb"],
    f"{RUN} --seed 1.5": ["--seed: '1.5' is no whole number"],
    # The compiler.
    "cc --config mcu-clint main.c -o": ["cc: -o needs a word behind it"],
    "cc --config mcu-clint main.c --rtos freertoss -o x.elf": ["freertoss", "freertos"],
    "cc --config mcu-clint main.c --set banks=2 -o x.elf": ["banks"],
    "cc --config '' main.c -o x.elf": ["--config needs a name"],
    # Results and budgets.
    "check good.json good.toml": ["good.toml: not JSON"],
    "check nothing.toml good.json": ["nothing.toml"],
    "check empty.toml good.json": ["empty.toml"],
    "check metric.toml good.json": ["latncy", "did you mean 'clint/ilp32 latency'"],
    "check word.toml good.json": ["word.toml", "max"],
    "check good.toml list.json": ["list.json"],
    "check good.toml folder.log": ["folder.log"],
    "check good.toml good.json --junit /nowhere/j.xml": ["/nowhere"],
    "compare good.json": ["Missing argument 'B.json'"],
    "compare good.json main.c": ["main.c"],
    "compare good.json good.json good.json": ["unexpected extra argument"],
    "compare good.json other.json": ["other.json", "schema"],
    "compare good.json good.json --html folder.log": ["folder.log"],
    # Experiments.
    "bench ''": ["unknown experiment ''"],
    "bench ./nothing/experiment.yaml": ["nothing"],
    "bench --group silicone": ["'silicone' is not one of", "silicon"],
    "bench irq-latency --quik": ["No such option: --quik", "--quick"],
    "bench --list nothing": ["unknown experiment 'nothing'"],
    "synth --config mcu-clnt": ["unknown configuration", "mcu-clint"],
    "synth --config mcu-clint --target asic": ["'asic' is not one of"],
    "synth --config mcu-clint --seeds 3": ["--seeds", "ecp5"],
    "synth --config mcu-clint --target ecp5 --seeds 0": ["--seeds: '0' is less than 1"],
    "synth --config mcu-clint --json /nowhere/x.json": ["/nowhere"],
    # Linux.
    "linux --config mcu-clint --run ls": ["mcu-clint", "Linux"],
    "linux --add nothing": ["nothing"],
    "linux --restart 5 --restart soon": ["--restart: 'soon' is no whole number", "linux --help"],
    "linux ls": ["unexpected extra argument"],
    "linux --config amp --run ls --firmware nothing.elf": ["nothing.elf: no such file"],
    "linux --uart-in nothing.txt": ["--uart-in nothing.txt: no such file"],
    "linux --run ls --trace /no/such/folder/t.log": ["/no/such/folder does not exist"],
}


def elf_of_the_host() -> bytes:
    """The head of a program for another machine."""
    return Path("/proc/self/exe").read_bytes()[:4096]


@pytest.fixture
def folder(tmp_path: Path, firmware: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the command lines run: some files are good, the others are named in the lines above."""
    program = firmware(HELLO).read_bytes()
    result = {"schema": "trapeze.result/1", "experiment": "irq-latency", "created": "2026-01-01T00:00:00Z"}
    good = json.dumps(result | {"commit": None, "tools": {}, "host": {}, "rows": [row()]})
    files: dict[str, bytes | str] = {
        "p.elf": program,
        "empty.elf": b"",
        "short.elf": program[:40],
        "host.elf": elf_of_the_host(),
        "main.o": program[:16] + b"\x01\x00" + program[18:],
        "main.c": HELLO,
        "good.json": good,
        "other.json": good.replace("trapeze.result/1", "trapeze.run/1"),
        "list.json": "[1, 2]",
        "good.toml": '["clint/ilp32".latency]\nmax = 33\n',
        "metric.toml": '["clint/ilp32".latncy]\nmax = 33\n',
        "word.toml": '["clint/ilp32".latency]\nmax = "33 cycles"\n',
        "empty.toml": "",
        "list.yaml": "- a\n- b\n",
        "broken.yaml": "schema: [trapeze.config/1\n",
        "typo.yaml": "schema: trapeze.config/1\nsumary: x\nextends: mcu-clint\n",
        "self.yaml": "schema: trapeze.config/1\nsummary: x\nextends: ./self.yaml\n",
        "binary.yaml": b"\xff\xfe\x00\x01",
        "empty.yaml": "",
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    for name in ("folder.log", "folder.yaml"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def children() -> set[str]:
    """The processes that this one has started and that still are."""
    listed = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    return set(listed.split())


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[:70])
def test_clumsy(trapeze: Trapeze, folder: Path, line: str) -> None:
    before = {path: path.stat().st_size for path in folder.rglob("*")}
    running = children()
    said = trapeze(*shlex.split(line))
    assert said.code not in (0, None)
    lines = said.err.rstrip("\n").split("\n")
    assert len(lines) == 1, said.err
    assert lines[0].startswith(("trapeze: error: ", "trapeze-sim: error: ")), said.err
    assert "Traceback" not in said.err
    for part in LINES[line]:
        assert part.lower() in lines[0].lower(), lines[0]
    assert {path: path.stat().st_size for path in folder.rglob("*")} == before, "no file is new, or cut"
    assert children() == running, "nothing goes on"


def test_there_are_a_hundred() -> None:
    assert len(LINES) >= 100
