# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The same sources make the same ELF, at each build and in each folder, and debuggers find the sources."""

from __future__ import annotations

import subprocess
from contextlib import chdir
from pathlib import Path

import pytest

from trapeze.common import paths
from trapeze.firmware import reproducible
from verify.dev.testing import Trapeze

SOURCES = {
    "main.c": """
#include <stdio.h>
#include <trapeze/assert.h>
#include <trapeze/irq.h>
int twice(int);
int main(void)
{
	irq_unlock_all();
	TRAPEZE_ASSERT(twice(2) == 4);
	return 0;
}
""",
    "twice.S": ".globl twice\ntwice: add a0, a0, a0\nlocal: ret\n",
    "plain.s": ".globl plain\nplain: ret\nlocal: ret\n",
    "object.cpp": "#include <stdio.h>\nnamespace { struct A { A() { puts(__FILE__); } } a; }\n",
}


def _project(folder: Path) -> Path:
    folder.mkdir(parents=True)
    for name, text in SOURCES.items():
        (folder / name).write_text(text)
    return folder


def _built(trapeze: Trapeze, folder: Path, config: str, *options: str) -> bytes:
    with chdir(folder):
        said = trapeze("cc", "--config", config, *options, *SOURCES, "-o", "x.elf")
    assert (said.code, said.err) == (0, "")
    return (folder / "x.elf").read_bytes()


@pytest.mark.parametrize(
    ("config", "options"),
    [
        ("mcu-clint", ()),
        ("mcu-clint", ("-g3", "-O0")),
        ("mcu-clint", ("-flto",)),
        ("mcu-fastirq-e", ()),
        ("duo", ()),
        ("mcu-clic", ("--rtos", "freertos")),
        ("mcu-user", ("--monitor", "soft")),
        ("mcu-user", ("--monitor", "emulate")),
    ],
)
def test_same_bytes(trapeze: Trapeze, tmp_path: Path, config: str, options: tuple[str, ...]) -> None:
    first, other = _project(tmp_path / "first"), _project(tmp_path / "below" / "other")
    content = _built(trapeze, first, config, *options)
    assert content == _built(trapeze, first, config, *options)
    assert content == _built(trapeze, other, config, *options)
    assert str(tmp_path).encode() not in content
    assert str(paths.ROOT).encode() not in content


def test_same_bytes_with_absolute_names_of_the_repository(trapeze: Trapeze, tmp_path: Path) -> None:
    """As experiments are built: sources of the repository, from any folder."""
    source, found = paths.ROOT / "fw/tests/hello.c", []
    for folder in (paths.ROOT, paths.ROOT.parent, tmp_path):
        output = tmp_path / "x.elf"
        with chdir(folder):
            assert trapeze("cc", "--config", "mcu-clint", source, "-o", output).code == 0
        found.append(output.read_bytes())
    assert str(paths.ROOT).encode() not in found[0]
    assert len(set(found)) == 1


def test_results_of_two_builds_are_compared(trapeze: Trapeze, tmp_path: Path) -> None:
    for name in ("first", "second"):
        folder = _project(tmp_path / name)
        _built(trapeze, folder, "mcu-clint")
        with chdir(folder):
            said = trapeze("run", "x.elf", "--config", "mcu-clint", "--engine", "model", "--json", "r.json")
        assert said.code == 0
    said = trapeze("compare", tmp_path / "first" / "r.json", tmp_path / "second" / "r.json")
    assert said.code == 0
    assert "Not the same conditions" not in said.out + said.err


def test_gdb_finds_the_sources(trapeze: Trapeze, tmp_path: Path) -> None:
    folder = _project(tmp_path / "project")
    _built(trapeze, folder, "mcu-clint")

    def gdb(where: Path, *commands: str) -> str:
        words = [word for one in commands for word in ("-ex", one)]
        done = subprocess.run(
            ["gdb-multiarch", "-nx", "-batch", folder / "x.elf", *words], cwd=where, capture_output=True, text=True
        )
        return done.stdout + done.stderr

    assert "irq_unlock_all();" in gdb(folder, "list main.c:1,12")
    assert "add a0, a0, a0" in gdb(folder, "list twice.S:1")
    assert "__trap_vector" in gdb(paths.ROOT, "list trap.S:1,200")
    both = f"directory {folder}:{paths.ROOT}"
    assert "irq_unlock_all();" in gdb(Path("/"), both, "list main.c:1,12")
    assert "Copyright Trapeze" in gdb(Path("/"), both, "list trap.S:1,5")


def test_other_files_stay_as_they_are(tmp_path: Path) -> None:
    for content in (b"", b"\x7fELF", b"\x7fELF" + bytes(60), b"text ccABCDEF.o"):
        path = tmp_path / "x"
        path.write_bytes(content)
        reproducible.finish(path)
        assert path.read_bytes() == content
    reproducible.finish(tmp_path / "none")
    reproducible.finish(Path("/dev/null"))
