# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a kernel and an image are made of, and what can be wrong with them; nothing is compiled."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from trapeze.commandline import linux
from trapeze.common import packages, paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.firmware import compiler
from trapeze.linux import added_files, cell, image, kernel, layout
from trapeze.platform import configurations


def test_an_option_that_the_kernel_does_not_take_is_found() -> None:
    fragment = "CONFIG_A=y\n# CONFIG_B is not set\nCONFIG_C=4\n# a remark\nCONFIG_D=y\n"
    assert kernel.refused(fragment, "CONFIG_A=y\nCONFIG_C=4\nCONFIG_D=y\n") == []
    assert kernel.refused(fragment, "CONFIG_A=m\nCONFIG_B=y\nCONFIG_C=4\n") == [
        "CONFIG_A=y",
        "CONFIG_B=n",
        "CONFIG_D=y",
    ]


def test_the_fragment_names_each_option_once() -> None:
    lines = kernel.FRAGMENT.read_text().splitlines()
    names = [word for line in lines for word in line.replace("=", " ").split() if word.startswith("CONFIG_")]
    assert len(names) == len(set(names))
    assert len(names) > 40


def test_a_configuration_without_supervisor_mode() -> None:
    with pytest.raises(TrapezeError, match="linux: --config mcu-clint: has no hart that boots Linux; app has one"):
        image.build(configurations.load("mcu-clint"), None)


def test_a_configuration_by_path(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("schema: trapeze.config/1\nsummary: mine\nextends: mcu-clint\n")
    with pytest.raises(TrapezeError, match=r"--config mine\.[0-9a-f]{8}: has no hart that boots Linux; app has one"):
        linux.run(str(mine), "uname", [], None, None, 1, None, None)
    with pytest.raises(TrapezeError, match=r"none.yaml: no such file; name one like those of configs/"):
        linux.run(str(tmp_path / "none.yaml"), "uname", [], None, None, 1, None, None)


def test_nothing_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with pytest.raises(
        TrapezeError, match=r"linux: nothing to run, .* no terminal; give --run SCRIPT or --uart-in FILE"
    ):
        linux.run("app", None, [], None, None, 1, None, None)


def test_packages_that_cannot_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr(packages, "missing", lambda *_: ["linux-source", "flex"])
    with pytest.raises(TrapezeError, match=r"as root run: apt-get install linux-source flex"):
        kernel.need_packages()


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("cc1: fatal error: closing dependency file: No space left on device", "the disk is full; free about 1 GiB"),
        ("init/main.c:1:1: error: something", "compiling the kernel failed .*\n.*error: something"),
    ],
)
def test_a_build_that_fails_says_why(tmp_path: Path, said: str, message: str) -> None:
    log = tmp_path / "log"
    with pytest.raises(TrapezeError, match=message):
        kernel.logged(["sh", "-c", f"echo '{said}'; exit 1"], log, "compiling the kernel")


def test_a_file_in_the_place_of_the_build_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "linux").write_text("")
    monkeypatch.setattr(kernel, "BUILD", tmp_path / "linux")
    monkeypatch.setattr(kernel, "need_packages", lambda: None)
    monkeypatch.setattr(kernel, "package", lambda: ("linux-source-0.0", "1"))
    monkeypatch.setattr(
        processes, "run", lambda *_, **__: subprocess.CompletedProcess([], 0, "riscv64-linux-gnu-gcc 12\n", "")
    )
    with pytest.raises(TrapezeError, match=r"linux: building the kernel: .*linux/kernel-.*: not a directory"):
        kernel.build()


def test_a_kernel_package_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(kernel.settings(), "packages", ["linux-source-0.0", "linux-source-0.1"])
    wanted = r"linux-source-0\.0 or linux-source-0\.1"
    with pytest.raises(TrapezeError, match=rf"^linux: Debian package {wanted} is not installed, which holds the"):
        kernel.package()


FULL = """
import sys
from pathlib import Path
from trapeze.common.errors import TrapezeError
from trapeze.linux import kernel
kernel.BUILD = Path(sys.argv[1])
kernel.need_packages = lambda: None
try:
    kernel.build()
except TrapezeError as error:
    print(error)
print(sorted(path.name for path in kernel.BUILD.iterdir()))
"""
"""Builds a kernel in a folder, and lists what is left there."""


NAMESPACE = [] if os.geteuid() == 0 else ["unshare", "-rm"]
"""Where whoever runs this may mount a file system: root anywhere, others in a namespace of their own."""


@pytest.mark.skipif(
    bool(NAMESPACE) and subprocess.run([*NAMESPACE, "true"], capture_output=True).returncode != 0,
    reason="this system lets nobody mount a file system of one's own",
)
@pytest.mark.needs(kernel.GROUP)
@pytest.mark.parametrize("size", ["0", "40k", "2m"])
def test_a_disk_that_is_full(tmp_path: Path, size: str) -> None:
    """Really: a file system that holds nothing, the beginning of the log, or of the sources."""
    mounted = f'mount -t tmpfs -o size={"4k" if size == "0" else size} none "$1"'
    filled = '&& head -c 4096 /dev/zero > "$1/full"' if size == "0" else ""
    script = f"""{mounted} && trap 'umount "$1"' EXIT {filled} && "$2" -c "$3" "$1" """
    words = [*NAMESPACE, "sh", "-c", script, "sh", str(tmp_path), sys.executable, FULL]
    said = processes.run(words, capture_output=True, text=True).stdout.splitlines()
    assert re.fullmatch(r"linux: [a-z ]+: the disk is full; free about 1 GiB below \S+", said[0]), said
    assert not any(name.startswith("kernel-") for name in said[1].split("'"))


@pytest.mark.needs("gcc-riscv64-linux-gnu", "device-tree-compiler")
@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ("chosen {", "chosen [", r"broken\.dts:\d+\.\S+ syntax error"),
        ("<&plic SERIAL_SOURCE>", "<&nothing SERIAL_SOURCE>", r"broken\.dts:\d+\..* \S+ \"nothing\""),
        ("/dts-v1/;", "#error no tree", r"broken\.dts:\d+:\d+: error: #error no tree"),
    ],
)
def test_a_broken_device_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, right: str, wrong: str, says: str
) -> None:
    """One line that names the file and the line of it where the source is wrong."""
    own = layout.settings()["device_tree"]
    source = tmp_path / "broken.dts"
    source.write_text((paths.ROOT / own["source"]).read_text().replace(right, wrong))
    monkeypatch.setitem(own, "source", str(source))
    with pytest.raises(TrapezeError) as raised:
        image.device_tree(tmp_path / "tree.dtb", configurations.load("amp"), 4096, jobs=False)
    assert re.search(says, str(raised.value))
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "tree.dtb").exists()


def test_files_that_cannot_be_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "build", lambda **_: None)
    (tmp_path / "a").mkdir()
    for one in (tmp_path / "x", tmp_path / "a" / "x"):
        one.write_text("")
    app = configurations.load("app")
    with pytest.raises(TrapezeError, match=r"linux: --add: .*/y: no such file"):
        image.build(app, None, [tmp_path / "y"])
    with pytest.raises(TrapezeError, match=r"linux: --add: .*/a: not a file"):
        image.build(app, None, [tmp_path / "a"])
    with pytest.raises(TrapezeError, match=r"--add: .*/x and .*/a/x would both be /bin/x; rename one"):
        image.build(app, None, [tmp_path / "x", tmp_path / "a" / "x"])


def _compiled(folder: Path, *command: str) -> bytes:
    (folder / "p.c").write_text("int main(void) { return 0; }\n")
    subprocess.run([*command, "p.c", "-o", "p"], cwd=folder, check=True)
    return (folder / "p").read_bytes()


@pytest.mark.needs("gcc-riscv64-linux-gnu")
@pytest.mark.parametrize(
    ("content", "mode", "says"),
    [
        ("#!/bin/sh\n", 0o755, None),
        ("#!/bin/sh\n", 0o644, r"is not executable; chmod \+x .*/x$"),
        ("#! /bin/sh -e\n", 0o755, None),
        ("#!/bin/sh\r\n", 0o755, "lines end in CR LF"),
        ("#!/usr/bin/env python3\n", 0o755, r"interpreter /usr/bin/env, which is not in the image; .* has /bin/sh"),
        ("\x7fELF", 0o755, "is a broken ELF file .*; compile it by trapeze cc --linux"),
        ("data", 0o644, None),
        (("riscv64-linux-gnu-gcc",), 0o755, "dynamically linked, .* link it with -static"),
        (("riscv64-linux-gnu-gcc", "-static"), 0o755, None),
        (("riscv64-linux-gnu-gcc", "-static"), 0o644, "is not executable"),
        (("riscv64-linux-gnu-gcc", "-c"), 0o644, None),
        (("gcc",), 0o755, "is a program for .*, and Linux runs on RISC-V, 64 bits; compile it by trapeze cc --linux"),
    ],
)
def test_files_that_cannot_run(tmp_path: Path, content: str | tuple[str, ...], mode: int, says: str | None) -> None:
    file = tmp_path / "x"
    file.write_bytes(content.encode() if isinstance(content, str) else _compiled(tmp_path, *content))
    file.chmod(mode)
    if says is None:
        added_files.check([file], {"bin/sh", "bin/x"}, 1 << 20)
    else:
        with pytest.raises(TrapezeError, match=rf"^linux: --add: \S*/x .*{says}"):
            added_files.check([file], {"bin/sh", "bin/x"}, 1 << 20)
    with pytest.raises(TrapezeError, match=r"^linux: --add: .* (MiB|--linux|static|executable|\+x|/bin/sh|LF)"):
        added_files.check([file], {"bin/sh"}, -1)


def test_files_that_are_too_large(tmp_path: Path) -> None:
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(3 << 20)
    with pytest.raises(TrapezeError, match=r"--add: .*/large has 3\.0 MiB, all files 3\.0 MiB, .* room for 2\.0 MiB"):
        added_files.check([large], {"bin/sh"}, 2 << 20)


def test_the_end_of_the_kernels_command_line() -> None:
    assert image.command_line("quiet", "hvc0").startswith("console=hvc0 ")
    assert image.command_line("quiet").endswith(" quiet")
    assert not image.command_line("").endswith(" ")
    left = image.COMMAND_LINE - len(image.command_line("")) - 1
    assert len(image.command_line("a" * left)) == image.COMMAND_LINE
    with pytest.raises(
        TrapezeError, match=f"at most 1023 characters, of which {left} are left; this one has {left + 1}"
    ):
        image.command_line("a" * (left + 1))
    for wrong in ('a="b"', "a\\b", "a\nb", "ä"):
        with pytest.raises(TrapezeError, match=r"--append .* takes printable ASCII characters"):
            image.command_line(wrong)


def test_the_page_of_a_cell_is_the_headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read of the header is what the compiler makes of it."""
    text = f'#include "{cell.HEADER}"\nTRAPEZE_CELL_PAGE TRAPEZE_CELL_PAGE_BYTES\n'
    said = subprocess.run(
        [compiler.gcc(), "-E", "-P", "-x", "c", "-"], input=text, capture_output=True, text=True, check=True
    )
    assert cell.shared_page() == tuple(int(word, 16) for word in said.stdout.split())
    other = tmp_path / "cell.h"
    other.write_text("#define TRAPEZE_CELL_PAGE 0xf000\n")
    monkeypatch.setattr(cell, "HEADER", other)
    with pytest.raises(TrapezeError, match=r"cell\.h: no number for TRAPEZE_CELL_PAGE or TRAPEZE_CELL_PAGE_BYTES"):
        cell.shared_page()
