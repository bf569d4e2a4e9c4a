# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The kernel, from the sources that Debian packages, unmodified: unpacked, configured and compiled once.

What is compiled is named by the package's version, the compiler, `linux/kernel.fragment` and `linux/kernel.toml`; a
kernel of the same names is taken from `build/linux`.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from trapeze.common import bounded_processes, packages, paths, processes
from trapeze.common.console import err, progress
from trapeze.common.errors import TrapezeError
from trapeze.common.files import locked

SOURCES = paths.ROOT / "linux"
FRAGMENT = SOURCES / "kernel.fragment"
SEVERAL_HARTS = SOURCES / "several-harts.fragment"
"""What is other where Linux has more than one hart. Elsewhere it has the quicker kernel, which does not lock."""

RPMSG = SOURCES / "rpmsg.fragment"
"""What is other where programs exchange messages with another hart by rpmsg. It makes the boot longer."""

CHECKED = SOURCES / "checked.fragment"
"""What is other where the kernel checks itself and the driver, for tests. Its boot takes some sixty times as long."""

BUILD = paths.BUILD / "linux"

GROUP = "linux"
"""The group of `lab/packages.txt` that `trapeze linux` needs."""

_NET = "drivers/net"
"""Of this folder a kernel with CONFIG_NET needs a file (loopback.c), but nothing of the folders in it."""

_STEP = re.compile(r"^  [A-Z]+ +\S")
"""A line of the kernel's build that names a file."""

_OPTION = re.compile(r"^(?:(CONFIG_\w+)=(.*)|# (CONFIG_\w+) is not set)$")


@dataclass(frozen=True)
class Kernel:
    """A kernel that was built.

    Attributes:
        image: What a firmware starts.
        symbols: The same with symbols, `vmlinux`.
        source: Its sources.
        out: Where it was built.
        version: Of the package.
    """

    image: Path
    symbols: Path
    source: Path
    out: Path
    version: str


@cache
def settings() -> dict[str, Any]:
    """`linux/kernel.toml`."""
    return tomllib.loads((SOURCES / "kernel.toml").read_text())


def need_packages() -> None:
    """Install missing tools for kernel and programs.

    Raises:
        TrapezeError: it cannot be installed; says how to do so. Or this is the Python package, which lacks our part.
    """
    if paths.INSTALLED:
        raise TrapezeError("linux: not in the Python package, which lacks the kernel's settings; use a clone")
    packages.need([GROUP], "trapeze linux", "for the kernel and its programs")


def package() -> tuple[str, str]:
    """The package that holds the sources, and its version; its sources' folder has its name.

    Raises:
        TrapezeError: it is not installed.
    """
    names: list[str] = settings()["packages"]
    for name in names if shutil.which("dpkg-query") else ():
        asked = ["dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", name]
        status, _, version = processes.run(asked, capture_output=True, text=True).stdout.partition(" ")
        if status == "installed":
            return name, version
    wanted = " or ".join(names)
    raise TrapezeError(f"linux: Debian package {wanted} is not installed, which holds the kernel's sources")


def compiler() -> str:
    """The compiler of kernel and programs."""
    return f"{settings()['cross']}gcc"


def _reads(text: str) -> Iterator[tuple[str, str]]:
    """The options of a kernel configuration; one that is not set is `n`."""
    for line in text.splitlines():
        if found := _OPTION.match(line):
            yield (found[1], found[2]) if found[1] else (found[3], "n")


def refused(fragment: str, config: str) -> list[str]:
    """The options of a fragment that the configuration made of it does not have, as `NAME=VALUE`."""
    have = dict(_reads(config))
    asked = dict(_reads(fragment))
    return [f"{name}={value}" for name, value in asked.items() if have.get(name, "n") != value]


def excluded(source: str, rpmsg: bool = False) -> list[str]:
    """Patterns of files that are not unpacked from the archive of a package."""
    own = settings()
    places = [f"{place}/*" if rpmsg and place == _NET else place for place in own["without"]]
    return [f"{source}/{place}/{files}" for place in places for files in own["source_files"]]


def disk_full(what: str) -> TrapezeError:
    """A step has no room to write."""
    return TrapezeError(f"linux: {what}: the disk is full; free about 1 GiB below {BUILD}", exit_code=1)


@contextmanager
def writing(what: str) -> Iterator[None]:
    """A step that writes files below the build folder.

    Raises:
        TrapezeError: it cannot.
    """
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise disk_full(what) from None
        why = (error.strerror or str(error)).lower()
        raise TrapezeError(f"linux: {what}: {error.filename or BUILD}: {why}", exit_code=1) from None


def _failure(what: str, log: Path, code: int) -> TrapezeError:
    """The reason why a step failed, from its output."""
    text = log.read_text(errors="replace") if log.exists() else ""
    if os.strerror(errno.ENOSPC) in text:
        return disk_full(what)
    met = bounded_processes.complaint(
        "a compiler", code, text, bounded_processes.COMPILE_SECONDS, bounded_processes.places()
    )
    said = processes.reason(code, text, 5)
    return TrapezeError(f"linux: {what} failed ({log} has it all){f'; {met}' if met else ''}: {said}", exit_code=1)


def logged(command: Sequence[str], log: Path, what: str, step: Callable[[], None] | None = None) -> None:
    """Run a step with its output in a file, and count its lines that name a file.

    Raises:
        TrapezeError: it fails.
    """
    with (
        writing(what),
        log.open("a", buffering=1) as file,
        processes.started(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            env=os.environ | {"LC_ALL": "C", "KBUILD_BUILD_USER": "trapeze", "KBUILD_BUILD_HOST": "trapeze"},
        ) as process,
    ):
        for line in process.stdout or ():
            file.write(line)
            if step is not None and _STEP.match(line):
                step()
    if process.returncode:
        raise _failure(what, log, process.returncode)


def _unpack(source: Path, log: Path, rpmsg: bool) -> None:
    name = source.name
    archive = settings()["archive"].format(package=name)
    patterns = [f"--exclude={pattern}" for pattern in excluded(name, rpmsg)]
    logged(["tar", "-xJf", archive, "-C", str(source.parent), *patterns, name], log, "unpacking the sources")


def make(source: Path, out: Path) -> list[str]:
    """The beginning of a command of the kernel's build."""
    cross = settings()["cross"]
    cached = f"{'ccache ' if shutil.which('ccache') else ''}{cross}gcc"
    return ["make", "-C", str(source), f"O={out}", "ARCH=riscv", f"CROSS_COMPILE={cross}", f"CC={cached}"]


def _fragment(several_harts: bool, rpmsg: bool, checked: bool) -> str:
    """The options of a kernel; of one that is named twice the later line counts."""
    asked = {SEVERAL_HARTS: several_harts, RPMSG: rpmsg, CHECKED: checked}
    files = [FRAGMENT, *(file for file, wanted in asked.items() if wanted)]
    return "\n".join(file.read_text() for file in files)


def _configure(source: Path, out: Path, log: Path, fragment: str) -> None:
    """The kernel's smallest configuration, and the fragment.

    Raises:
        TrapezeError: the kernel does not take an option of the fragment.
    """
    begun = make(source, out)
    what = "configuring the kernel"
    with writing(what):
        out.mkdir()
    logged([*begun, "-s", "tinyconfig"], log, what)
    with writing(what), (out / ".config").open("a") as file:
        file.write(fragment)
    logged([*begun, "-s", "olddefconfig"], log, what)
    if lost := refused(fragment, (out / ".config").read_text()):
        raise TrapezeError(
            f"{FRAGMENT}: the kernel does not take {', '.join(lost)}; an option that it needs is missing, or it has "
            f"none of this name",
            exit_code=1,
        )


def _built(source: Path, of: str) -> Kernel:
    out = source.with_name("out")
    return Kernel(out / "arch/riscv/boot/Image", out / "vmlinux", source, out, of)


def build(several_harts: bool = False, rpmsg: bool = False, checked: bool = False) -> Kernel:
    """The kernel, built if need be; that takes some minutes, once.

    Args:
        several_harts: One that runs on more than one hart.
        rpmsg: One that has remoteproc and rpmsg.
        checked: One that checks itself.

    Raises:
        TrapezeError: a package is missing, the disk is full, or the kernel does not build.
    """
    need_packages()
    name, of = package()
    told = processes.run([compiler(), "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    fragment = _fragment(several_harts, rpmsg, checked)
    parts = (of, told, fragment, (SOURCES / "kernel.toml").read_text())
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    folder = BUILD / f"kernel-{digest[:16]}"
    complete = folder / "complete"  # the build writes down where it was, so its folder cannot be moved at the end
    if not complete.exists():
        with locked(BUILD.with_suffix(".lock")):
            if not complete.exists():
                _build(folder / name, of, fragment, rpmsg)
                complete.touch()
    return _built(folder / name, of)


def _build(source: Path, of: str, fragment: str, rpmsg: bool) -> None:
    """Build beside the sources, in a folder that is gone after an error."""
    log, folder, out = BUILD / "kernel.log", source.parent, source.with_name("out")
    with writing("building the kernel"):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        log.write_text("")
    with progress() as display:
        if not display.console.is_terminal:
            err().print(f"trapeze: building Linux {of}, once; this takes some minutes")
        task = display.add_task("unpacking Linux", total=None)
        try:
            _unpack(source, log, rpmsg)
            display.update(task, description="configuring Linux")
            _configure(source, out, log, fragment)
            display.update(task, description="compiling Linux", total=settings()["steps"], completed=0)
            command = [*make(source, out), f"-j{os.cpu_count() or 2}", "Image"]
            with bounded_processes.place():
                limited = bounded_processes.command(
                    command, bounded_processes.COMPILE_SECONDS, bounded_processes.places()
                )
                logged(limited, log, "compiling the kernel", lambda: display.advance(task))
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
