# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The drivers `linux/driver` and `linux/rpmsg` as modules of a kernel that was built."""

from __future__ import annotations

import hashlib
import shutil
from functools import cache
from pathlib import Path

from trapeze.common import bounded_processes, paths
from trapeze.common.files import locked
from trapeze.linux import kernel
from trapeze.linux.kernel import Kernel

SOURCES = kernel.SOURCES / "driver"
"""The driver of jobs."""

RPMSG_SOURCES = kernel.SOURCES / "rpmsg"
"""The driver of a hart that exchanges messages."""

CONTRACT = paths.ROOT / "regs" / "jobs"
"""The layout of the shared memory, for the drivers and for the other hart."""

REGISTERS = [paths.ROOT / "regs" / "gen" / "c" / "trapeze" / name for name in ("mailbox_side.h", "bell_pages.h")]
"""The registers of a side of the mailbox, and of doorbells."""


@cache
def sources(rpmsg: bool = False) -> list[Path]:
    """What the module is made of, as far as it is not the kernel's."""
    folders = (RPMSG_SOURCES if rpmsg else SOURCES, CONTRACT)
    return [*REGISTERS, *sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())]


def build(of: Kernel, rpmsg: bool = False) -> Path:
    """The module, built if need be, in some seconds: of jobs, or of messages.

    Raises:
        TrapezeError: it does not build; names the log.
    """
    digest = hashlib.sha256(str(of.image).encode())
    for path in sources(rpmsg):
        digest.update(b"\0" + str(path.relative_to(paths.ROOT)).encode() + b"\0" + path.read_bytes())
    folder = kernel.BUILD / f"{'rpmsg' if rpmsg else 'driver'}-{digest.hexdigest()[:16]}"
    made = folder / ("trapeze_rpmsg.ko" if rpmsg else "trapeze.ko")
    if not made.exists():
        with locked(kernel.BUILD.with_suffix(".lock")):
            if not made.exists():
                _build(of, RPMSG_SOURCES if rpmsg else SOURCES, folder)
    return made


def _build(of: Kernel, own: Path, folder: Path) -> None:
    """Build in a folder with copies of the sources, since the kernel writes beside them; it is gone after an error."""
    log = kernel.BUILD / "driver.log"
    shutil.rmtree(folder, ignore_errors=True)
    try:
        with kernel.writing("compiling the driver"):
            log.write_text("")
            shutil.copytree(own, folder)
            shutil.copytree(CONTRACT, folder / "include")
            for registers in REGISTERS:
                shutil.copy(registers, folder / "include" / "trapeze")
            # What the kernel exports. `make modules` would make the same list, as the kernel has no modules of its own.
            shutil.copy(of.out / "vmlinux.symvers", of.out / "Module.symvers")
        make = kernel.make(of.source, of.out)
        with bounded_processes.place():
            for target in (["modules_prepare"], [f"M={folder}", "modules"]):
                limited = bounded_processes.command(
                    [*make, *target], bounded_processes.COMPILE_SECONDS, bounded_processes.places()
                )
                kernel.logged(limited, log, "compiling the driver")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
