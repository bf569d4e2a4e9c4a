# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Input and surroundings that nobody means well: one line of error, no traceback, nothing half written."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trapeze.common import output, paths
from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations as config
from trapeze.results import provenance
from trapeze.simulation import building
from verify.dev import words
from verify.dev.testing import row

HELLO = '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n'
MEMORY = 4 << 30
"""Bytes of address space that a command may have: what is read without an end shows."""

MODEL = "--config mcu-clint --engine model"
RUN = f"trapeze run p.elf {MODEL}"
ON_RTL = "trapeze run p.elf --config mcu-clint"


@pytest.fixture
def elf(firmware: Callable[[str], Path]) -> Path:
    """A program that prints a line."""
    return firmware(HELLO)


def shell(line: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a shell's line in which `trapeze` is the command, with limited memory."""
    text = f'trapeze() {{ "{sys.executable}" -m trapeze "$@"; }}; set -o pipefail; ulimit -v {MEMORY // 1024}; {line}'
    return subprocess.run(
        ["bash", "-c", text], cwd=folder, capture_output=True, text=True, timeout=120, env=os.environ | environment
    )


def refused(done: subprocess.CompletedProcess[str], *says: str) -> None:
    """The command failed with one line that says so."""
    assert done.returncode != 0, done
    assert "Traceback" not in done.stderr, done.stderr
    assert "Exception ignored" not in done.stderr, done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith(("trapeze: error: ", "trapeze-sim: error: "))
    for part in says:
        assert part.lower() in lines[0].lower()


@pytest.fixture
def files(tmp_path: Path, elf: Path) -> Path:
    """A folder with good and bad files."""
    building.engine(config.load("mcu-clint"), kind="model")
    good: dict[str, Any] = {
        "schema": "trapeze.result/1",
        "experiment": "irq-latency",
        "created": "2026-01-01T00:00:00Z",
        "commit": None,
        "tools": {},
        "host": {},
        "rows": [row()],
    }
    (tmp_path / "good.json").write_text(json.dumps(good))
    (tmp_path / "good.toml").write_text('["clint/ilp32".latency]\nmax = 33\n')
    (tmp_path / "p.elf").write_bytes(elf.read_bytes())
    (tmp_path / "deep.json").write_text("[" * 200_000)
    (tmp_path / "deep-closed.json").write_text("[" * 200_000 + "]" * 200_000)
    (tmp_path / "deep.toml").write_text("x = " + "[" * 200_000)
    for name, value in {"nan": "NaN", "infinity": "Infinity", "huge": "1e999", "digits": "9" * 5000}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(good).replace('"max": 30', f'"max": {value}'))
    for name in ("nan", "inf", "-inf"):
        (tmp_path / f"{name}.toml").write_text(f'["clint/ilp32".latency]\nmax = {name}\n')
    (tmp_path / "main.c").write_text(HELLO)
    with (tmp_path / "large.elf").open("wb") as file:
        file.truncate(1 << 40)
    return tmp_path


REFUSED = {
    # Standard output that takes nothing.
    "configs to a full disk": ("trapeze configs > /dev/full", ["standard output", "no space left"]),
    "show to a full disk": ("trapeze show mcu-clint > /dev/full", ["standard output", "no space left"]),
    "help to a full disk": ("trapeze --help > /dev/full", ["standard output", "no space left"]),
    "check to a full disk": ("trapeze check good.toml good.json > /dev/full", ["standard output", "no space left"]),
    "console to a full disk": (f"{RUN} > /dev/full", ["stdout", "no space left"]),
    "JUnit to a full disk": (
        "trapeze check good.toml good.json --junit /dev/full > /dev/null",
        ["/dev/full", "no space"],
    ),
    "page to a full disk": (
        "ln -s /dev/full c.html; trapeze compare good.json good.json --html c.html > /dev/null",
        ["c.html", "no space"],
    ),
    # Standard output that is not there.
    "configs without output": ("trapeze configs >&-", ["standard output is closed"]),
    "show without output": ("trapeze show mcu-clint >&-", ["standard output is closed"]),
    "help without output": ("trapeze --help >&-", ["standard output is closed"]),
    "version without output": ("trapeze --version >&-", ["standard output is closed"]),
    "check without output": ("trapeze check good.toml good.json >&-", ["standard output is closed"]),
    "cc without output": ("trapeze cc --help >&-", ["standard output is closed"]),
    # Builds where nothing can be written.
    "no folder for builds": ("TRAPEZE_BUILD=/proc/x trapeze cc --config mcu-clint main.c -o x.elf", ["/proc/x"]),
    "a file where builds go": ("TRAPEZE_BUILD=$PWD/main.c trapeze run p.elf --config mcu-clint", ["main.c"]),
    # JSON, TOML.
    "deep JSON": ("trapeze compare good.json deep.json", ["deep.json", "nested too deeply"]),
    "deep whole JSON": ("trapeze compare good.json deep-closed.json", ["deep-closed.json", "nested too deeply"]),
    "deep TOML": ("trapeze check deep.toml good.json", ["deep.toml", "nested too deeply"]),
    "NaN": ("trapeze check good.toml nan.json", ["nan.json", "NaN"]),
    "infinity": ("trapeze check good.toml infinity.json", ["infinity.json", "Infinity"]),
    "a number beyond all": ("trapeze compare huge.json good.json", ["huge.json", "1e999"]),
    "thousands of digits": ("trapeze compare digits.json good.json", ["digits.json"]),
    "limit nan": ("trapeze check nan.toml good.json", ["nan.toml", "number", "nan"]),
    "limit inf": ("trapeze check inf.toml good.json", ["inf.toml", "number", "inf"]),
    "limit -inf": ("trapeze check ./-inf.toml good.json", ["-inf.toml", "number", "inf"]),
    # Input without end.
    "endless result": ("trapeze compare /dev/zero good.json", ["/dev/zero", "regular file"]),
    "endless budget": ("trapeze check /dev/urandom good.json", ["/dev/urandom", "regular file"]),
    "endless pipe": ("trapeze compare good.json <(cat /dev/zero)", ["MiB"]),
    "endless program": (f"trapeze run /dev/zero {MODEL}", ["/dev/zero"]),
    "endless console": (f"{RUN} --uart-in /dev/zero", ["--uart-in", "regular file"]),
    "endless console by a pipe": (
        f"mkfifo f; (cat /dev/zero > f 2> /dev/null &); {RUN} --uart-in f",
        ["--uart-in", "MiB"],
    ),
    "a folder as a program": (f"mkdir f; trapeze run f {MODEL}", ["f: a folder", "trapeze cc"]),
    "a pipe as a program": (f"mkfifo f; trapeze run f {MODEL}", ["f: not a regular file"]),
    "a device as a program": (f"trapeze run /dev/null {MODEL}", ["/dev/null: not a regular file"]),
    "large program": (f"trapeze run large.elf {MODEL}", ["large.elf", "MiB"]),
    "large console": (f"{RUN} --uart-in large.elf", ["--uart-in", "MiB"]),
    # Outputs that are inputs, or one another.
    "record over the program": (f"{RUN} --json p.elf", ["--json", "the program"]),
    "trace over the input": (
        f"cp main.c i.log; {RUN} --uart-in i.log --trace ./i.log",
        ["--trace", "--uart-in"],
    ),
    "record and trace in one": (
        f"{RUN} --json x.log --trace x.log",
        ["--trace", "--json", "the same file"],
    ),
    "by another name": (
        f"ln p.elf q.log; {RUN} --trace q.log",
        ["--trace", "the program"],
    ),
    "JUnit over the budgets": ("trapeze check good.toml good.json --junit good.toml", ["--junit", "the budgets"]),
    "page over a result": ("cp good.json a.html; trapeze compare a.html good.json --html a.html", ["--html", "result"]),
    "page and result of a bench": ("mkdir h; trapeze bench probe --json h/index.html --html h", ["--html", "--json"]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(files: Path, case: str) -> None:
    line, says = REFUSED[case]
    before = {path.name: path.stat().st_size for path in files.iterdir()}
    refused(shell(line, files), *says)
    after = {path.name: path.stat().st_size for path in files.iterdir()}
    assert {name: after.get(name) for name in before} == before, "inputs are what they were"
    assert not [name for name in after if ".part" in name or name.startswith(".")], "nothing half written"


@pytest.mark.parametrize(
    "line", ["trapeze configs | head -1", "trapeze show mcu-clint | true", "trapeze --help | true"]
)
def test_reader_that_leaves(files: Path, line: str) -> None:
    done = shell(line, files)
    assert done.stderr == ""


def test_console_that_leaves(files: Path) -> None:
    (files / "many.c").write_text(HELLO.replace('puts("hello")', 'for (int i = 0; i < 9000; i++) puts("hello")'))
    assert shell("trapeze cc --config mcu-clint many.c -o many.elf", files).returncode == 0
    done = shell(f"{RUN.replace('p.elf', 'many.elf')} | head -2", files)
    assert (done.stdout, done.stderr) == ("hello\n" * 2, "")


@pytest.mark.parametrize("closed", [">&-", "<&- >&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("option", ["--json r.json", "--trace t.log", "--trace t.jsonl", "--trace t.json"])
def test_files_beside_closed_streams(files: Path, closed: str, option: str) -> None:
    """What the firmware prints has nowhere to go, and goes into no file either: each holds what it holds otherwise."""
    made = files / option.split()[1]
    assert shell(f"{ON_RTL} {option}", files).returncode == 0
    before = made.read_text()
    made.unlink()
    done = shell(f"{ON_RTL} {option} {closed}", files)
    assert done.returncode != 0, "the console is lost"
    if "2>&-" not in closed:
        assert "standard output is closed" in done.stderr
    assert "Traceback" not in done.stderr
    assert _undated(made.read_text()) == _undated(before)


def _undated(text: str) -> str:
    """A file of a run, without the time at which it was made."""
    return re.sub(r'"(created|seconds)": [^,}]*', "", text)


def test_closed_streams_that_nobody_needs(files: Path) -> None:
    assert shell(f"{RUN} <&-", files).stdout == "hello\n"
    assert shell(f"{RUN} 2>&-", files).stdout == "hello\n"
    built = shell("trapeze cc --config mcu-clint main.c -o n.elf <&- >&- 2>&-", files)
    assert built.returncode == 0
    assert (files / "n.elf").is_file()


def test_names_like_options(files: Path) -> None:
    (files / "-p.elf").write_bytes((files / "p.elf").read_bytes())
    done = shell(f"trapeze run ./-p.elf {MODEL} --trace ./-t.log --json ./-r.json", files)
    assert (done.returncode, done.stdout) == (0, "hello\n"), done.stderr
    assert {"-t.log", "-r.json"} <= {path.name for path in files.iterdir()}


def test_files_of_the_shell(files: Path) -> None:
    """`<(…)` is a file that only its descriptor names."""
    assert shell("trapeze cc --config mcu-clint -x c <(cat main.c) -o s.elf", files).returncode == 0
    assert shell(f"trapeze run s.elf {MODEL} --uart-in <(echo x)", files).stdout == "hello\n"


def test_program_over_its_source(files: Path) -> None:
    done = shell("trapeze cc --config mcu-clint main.c -o ./main.c", files)
    assert done.returncode != 0
    assert "same as output file" in done.stderr
    assert (files / "main.c").read_text() == HELLO


def test_devices_may_be_written_twice(files: Path) -> None:
    done = shell(f"{RUN} --json /dev/null --uart-in /dev/null", files)
    assert done.returncode == 0, done.stderr


NAMES = ["[bold]x[/bold]", "[/]", "[link=y]z", ":smile:"]


@pytest.mark.parametrize("name", NAMES)
def test_markup_in_a_row(files: Path, name: str) -> None:
    value = json.loads((files / "good.json").read_text())
    value["rows"] = [row(id=name, unit="[red]cycles")]
    (files / "a.json").write_text(json.dumps(value))
    value["rows"] = [row(id=name, unit="[red]cycles", p50=40, max=50)]
    (files / "b.json").write_text(json.dumps(value))
    (files / "b.toml").write_text(f"[{json.dumps(name)}.latency]\nmax = 60\n")
    for line in ("trapeze compare a.json b.json", "trapeze check b.toml b.json"):
        done = shell(line, files)
        assert "Traceback" not in done.stderr, done.stderr
        assert name in done.stdout, done.stdout


def test_markup_in_a_file(files: Path) -> None:
    name = "[bold]x[red].json"
    (files / name).write_bytes((files / "good.json").read_bytes())
    done = shell(f"trapeze compare good.json '{name}' --html '{name[:-5]}.html'", files)
    assert done.returncode == 0, done.stderr
    assert f"Page: {name[:-5]}.html" in done.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_checkout_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "checkout"
    root.mkdir()
    person = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    for command in (["init", "-q"], [*person, "commit", "-q", "--allow-empty", "-m", "x"]):
        subprocess.run(["git", *command], cwd=root, check=True)
    for path in (root, *root.rglob("*")):
        os.chown(path, 12345, 12345)
    monkeypatch.setattr(paths, "ROOT", root)
    assert len(provenance.commit() or "") == 40
    assert words.tracked(root) == []


def test_checkout_that_cannot_be_written(tmp_path: Path) -> None:
    """The shell's own words would name neither the reason nor a remedy."""
    script = tmp_path / "trapeze"
    script.write_bytes((paths.ROOT / "trapeze").read_bytes())
    (tmp_path / "lab").mkdir()
    for name in ("requirements.lock", "packages.txt", "distributions.txt"):
        (tmp_path / "lab" / name).write_text("")
    (tmp_path / "build").write_text("no folder\n")
    done = subprocess.run(["sh", script, "configs"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"trapeze: error: {tmp_path}/build: cannot be written")
    assert "clone your own" in done.stderr


def test_distinct() -> None:
    output.check_distinct({"a": Path("/dev/null")}, {"b": Path("/dev/null"), "c": Path("/dev/null"), "d": None})
    with pytest.raises(TrapezeError, match="is written by b"):
        output.check_distinct({}, {"b": Path("x"), "c": Path("./x")})
