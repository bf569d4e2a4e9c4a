# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""One file that boots: the firmware `fw/sbi` with kernel, device tree and initial file system in it.

The file is an ELF of machine mode that begins at the address where the hart starts, so `trapeze run` and QEMU's `virt`
machine (`-bios`) execute it. Compiling takes a second or two. An image of the same parts is taken from
`build/linux/images`.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from trapeze.common import paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.common.files import locked, replacing
from trapeze.firmware import compiler, map_header
from trapeze.linux import added_files, kernel, layout, module, shell
from trapeze.linux.cell import Cell, shared_page
from trapeze.linux.kernel import Kernel
from trapeze.platform.configurations import Config

SCRIPT = "script"
"""File of the initial file system that the first program runs."""

DRIVER = "lib/modules/trapeze.ko"
"""File of the initial file system that the first program loads."""

PROGRAMS = "bin"
"""Folder of the initial file system for the user's files."""

_PLACES = {"SCRIPT": SCRIPT, "DRIVER": DRIVER, "SHELL": shell.PLACE}
"""Files that the first program looks for, by their names there."""


COMMAND_LINE = 1023
"""Most characters of the kernel's command line: COMMAND_LINE_SIZE of its asm/setup.h, less the one that ends it."""

OPENSBI = "SBI_OPENSBI"
"""The part of an image that is the firmware in the place of ours."""


CELL_FILE = "CELL_FILE"
"""The part of an image that is a cell's memory."""


def _compile(command: Sequence[str], what: str) -> None:
    """A step of the image.

    Raises:
        TrapezeError: the tool is missing or fails; the message contains its output.
    """
    try:
        done = processes.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        raise TrapezeError(f"linux: {what}: {command[0]} not found; `trapeze doctor` says how to get it") from None
    if done.returncode:
        said = done.stderr.strip() or done.stdout.strip()
        if os.strerror(errno.ENOSPC) in said:
            raise kernel.disk_full(what)
        raise TrapezeError(f"linux: {what} failed:\n{said}", exit_code=1)


def _program(made: Path, of: Kernel, shelled: bool) -> None:
    """The first program: of lines without a shell, or the one that has the shell run the script."""
    own = layout.settings()["init"] | (layout.settings()["script"] if shelled else {})
    nolibc = of.source / "tools/include/nolibc"
    sources = [str(paths.ROOT / one) for one in own["sources"]]
    places = [f'-D{name}="/{place}"' for name, place in _PLACES.items()]
    command = [
        kernel.compiler(),
        *own["flags"],
        *places,
        "-include",
        "nolibc.h",
        f"-isystem{nolibc}",
        *(f"-I{paths.ROOT / one}" for one in own.get("include", ())),
        *sources,
        "-o",
        str(made),
    ]
    _compile([*command, "-lgcc"], "compiling the first program")


def _initrd(made: Path, folder: Path, script: str | None, files: Mapping[str, Path], of: Kernel, shelled: bool) -> None:
    """The initial file system, as an archive that the kernel unpacks; `files` by their places in it."""
    root = folder / "root"
    for name in layout.settings()["initrd"]["folders"]:
        (root / name).mkdir(parents=True)
    _program(root / "init", of, shelled)
    if script is not None:
        (root / SCRIPT).write_bytes(os.fsencode(script) + b"\n")
    for place, file in files.items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, root / place)
    if shell.PLACE in files:
        (root / shell.LINK).symlink_to(f"/{shell.PLACE}")
    names = sorted(str(path.relative_to(root)) for path in root.rglob("*"))
    command = ["cpio", "--quiet", "-o", "-H", "newc", "--reproducible", "-R", "0:0"]
    done = processes.run(command, given=("\n".join(names) + "\n").encode(), cwd=root, capture_output=True)
    if done.returncode:
        raise TrapezeError(f"linux: packing the initial file system failed:\n{done.stderr.decode()}", exit_code=1)
    made.write_bytes(done.stdout)


def command_line(append: str, console: str = "ttyS0") -> str:
    """The kernel's command line.

    Args:
        append: What the user adds.
        console: Name of the console's device.

    Raises:
        TrapezeError: what the user adds cannot be there.
    """
    line = layout.settings()["device_tree"]["bootargs"].replace("CONSOLE", console)
    line = f"{line} {append}".rstrip()
    if not line.isascii() or not line.isprintable() or '"' in line or "\\" in line:
        raise TrapezeError(f'linux: --append {append!r}: takes printable ASCII characters, but no " and no \\')
    if len(line) > COMMAND_LINE:
        raise TrapezeError(
            f"linux: --append: the kernel's command line has at most {COMMAND_LINE} characters, of which "
            f"{COMMAND_LINE - len(line) + len(append)} are left; this one has {len(append)}"
        )
    return line


def _devices(config: Config, jobs: bool, rpmsg: bool) -> dict[str, str]:
    """What the device tree's source asks of interrupt controller, UART and mailbox, where the memory map has them.

    The mailbox has one driver: that of jobs or of messages, or else the one that gives it to programs.
    """
    platform = config.platform
    values: dict[str, str] = {}
    found = [platform.find(name) for name in (layout.UART, layout.MAILBOX)]
    behind = [one for one in found if one and one.plic_source is not None]
    if behind and (plic := platform.find(layout.PLIC)):
        blocks = json.loads(paths.REGISTERS.read_text())["blocks"]
        sources = next(one["count"] for one in blocks[layout.PLIC]["registers"] if one["name"] == "priority")
        values |= {"PLIC": f"interrupt-controller@{plic.base:x}", "PLIC_BASE": hex(plic.base)}
        values |= {"PLIC_SIZE": hex(plic.size), "PLIC_LAST": str(sources - 1)}
    if (uart := platform.find(layout.UART)) and uart.plic_source is not None:
        values |= {"SERIAL": f"serial@{uart.base:x}", "SERIAL_BASE": hex(uart.base)}
        values |= {"SERIAL_SIZE": hex(uart.size), "SERIAL_SOURCE": str(uart.plic_source)}
        values["SERIAL_CLOCK"] = str(platform.clocks.serial)
    if (mailbox := platform.find(layout.MAILBOX)) and mailbox.plic_source is not None:
        user = "JOBS_MAILBOX" if jobs else "RPMSG_MAILBOX" if rpmsg else "MAILBOX"
        values[user] = f"mailbox@{mailbox.base:x}"
        values |= {"MAILBOX_BASE": hex(mailbox.base)}
        values |= {"MAILBOX_SIZE": hex(mailbox.size), "MAILBOX_SOURCE": str(mailbox.plic_source)}
    return values


def _tree_step(command: Sequence[str]) -> None:
    """A step of the device tree.

    Raises:
        TrapezeError: the tool is not there, or the source is broken; one line names file and line.
    """
    try:
        done = processes.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        raise TrapezeError(f"linux: device tree: {command[0]} not found; `trapeze doctor` says how to get it") from None
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"{command[0]} ends with {done.returncode}"]
        raise TrapezeError(f"linux: device tree: {said[0].removeprefix('Error: ')}", exit_code=1)


def device_tree(
    made: Path,
    config: Config,
    initrd_bytes: int,
    jobs: bool,
    opensbi: bool = False,
    finisher: bool = False,
    rpmsg: bool = False,
    append: str = "",
    cell: Cell | None = None,
) -> None:
    """What the kernel is told of the platform: of jobs or messages where it has the driver, and of OpenSBI as firmware.

    With `finisher` programs may end the run with an exit code. `append` is the end of the kernel's command line. With a
    `cell` Linux has what that leaves it, and the page that the two share.

    Raises:
        TrapezeError: a tool is not there, or the command line cannot be.
    """
    own, places = layout.settings()["device_tree"], layout.settings()["layout"]
    platform, memory = config.platform, layout.memory(config)
    end = compiler.place_of_cell(config, "image")[0] if cell else memory.base + memory.size
    initrd = memory.base + places["initrd"]
    letters = [one for one in config.first.extensions if len(one) == 1]
    blocks = ["zicbom"] if "zicbom" in config.first.extensions else []
    values = {
        "ISA": f'"{"_".join(["".join([config.first.base, *letters]), *blocks])}"',
        "ISA_BASE": f'"{config.first.base}"',
        "ISA_EXTENSIONS": ", ".join(f'"{one}"' for one in ["i", *letters, *blocks]),
        "TIMEBASE": str(platform.clocks.timebase),
        "RAM": hex(memory.base),
        "RAM_SIZE": hex(end - memory.base),
        "FIRMWARE_SIZE": hex(places["firmware_size"]),
        "INITRD": hex(initrd),
        "INITRD_END": hex(initrd + initrd_bytes),
    }
    numbers = [hart.hart_id for hart in layout.supervisors(config, cell is not None)]
    if cell and cell.vcpus:
        numbers = list(range(cell.vcpus))
    values["CPUS"] = " ".join(f"CPU({number})" for number in numbers)
    values["CBOM"] = f"riscv,cbom-block-size = <{own['cbom_block_size']}>;" if blocks else ""
    values["PLIC_CONTEXTS"] = ", ".join(f"<&cpu{number}_intc {one}>" for number in numbers for one in layout.EXTERNAL)
    values |= _devices(config, jobs, rpmsg)
    if opensbi:
        values |= {"OPENSBI": "1", "SERIAL_CLOCK": str(platform.clocks.serial)}
        for name in ("clint", "host", layout.UART):
            found, word = platform.find(name), name.upper()
            place, size = (found.base, found.size) if found is not None else (0, 0)
            values |= {f"{word}_UNIT": f"{place:x}", f"{word}_BASE": hex(place), f"{word}_SIZE": hex(size)}
    values["BOOTARGS"] = f'"{command_line(append, "ttyS0" if "SERIAL" in values else "hvc0")}"'
    if jobs and (ring := platform.find(layout.RING)):
        hart = layout.job_hart(config)
        values |= {"JOBS": f"jobs@{ring.base:x}", "RING": hex(ring.base), "RING_SIZE": hex(ring.size)}
        parts, names = ["<0 RING 0 RING_SIZE>"], ['"ring"']
        if "JOBS_MAILBOX" in values:
            parts, names = [*parts, "<0 MAILBOX_BASE 0 MAILBOX_SIZE>"], [*names, '"mailbox"']
        if bells := platform.find(layout.BELLS):
            parts, names = [*parts, f"<0 {bells.base:#x} 0 {bells.size:#x}>"], [*names, '"bells"']
        values |= {"JOBS_PARTS": ", ".join(parts), "JOBS_NAMES": ", ".join(names)}
        values |= {"JOB_HART": str(hart.hart_id), "JOB_WIDTH": hart.base[len("rv") :].rstrip("ie")}
    if rpmsg and (ring := platform.find(layout.RING)):
        values |= {"RPMSG": f"rpmsg@{ring.base:x}", "RING": hex(ring.base), "RING_SIZE": hex(ring.size)}
    if cell:
        offset, size = shared_page()
        page = platform.region(layout.RING).base + offset
        values |= {"CELL": f"cell@{page:x}", "CELL_PAGE": hex(page), "CELL_BYTES": hex(size)}
    if finisher and (port := platform.find(layout.FINISHER)):
        values |= {"FINISHER": f"finisher@{port.base:x}"}
        values |= {"FINISHER_BASE": hex(port.base), "FINISHER_SIZE": hex(port.size)}
    source = paths.ROOT / own["source"]
    text = made.with_suffix(".dts")
    command = [
        kernel.compiler(),
        "-E",
        "-undef",
        "-x",
        "assembler-with-cpp",
        "-nostdinc",
        str(source),
        "-o",
        str(text),
    ]
    _tree_step([*command, *(f"-D{name}={value}" for name, value in values.items())])
    _tree_step(["dtc", "-q", "-I", "dts", "-O", "dtb", str(text), "-o", str(made)])


def has_opensbi() -> bool:
    """Whether OpenSBI's package is installed."""
    return Path(layout.settings()["opensbi"]["file"]).exists()


def _opensbi(made: Path) -> None:
    """OpenSBI as it stands in memory.

    Raises:
        TrapezeError: its package is not installed.
    """
    own = layout.settings()["opensbi"]
    if not has_opensbi():
        raise TrapezeError(f"linux: Debian package {own['package']} is not installed, which has OpenSBI")
    tool = f"{kernel.settings()['cross']}objcopy"
    _compile([tool, "-O", "binary", own["file"], str(made)], "taking OpenSBI from its package")


def link(made: Path, config: Config, parts: dict[str, Path], finisher: bool = False, cell: Cell | None = None) -> None:
    """Firmware and all parts as one ELF; OpenSBI is one of them, or the firmware is ours.

    With `finisher` programs may end the run with an exit code. With a `cell` the hypervisor is in the firmware.
    """
    settings = layout.settings()
    own, offsets, beside = settings["firmware"], settings["layout"], settings["hypervisor"]
    base = layout.memory(config).base
    places = {
        "__ram": base,
        "__firmware_end": base + offsets["kernel" if OPENSBI in parts else "firmware_size"],
        "__kernel": base + offsets["kernel"],
        "__device_tree_at": base + offsets["device_tree"],
        "__initrd": base + offsets["initrd"],
        "__harts": len(config.harts),
        "__cell": compiler.place_of_cell(config, "image")[0] if cell else base,
    }
    sources = (settings["opensbi"] if OPENSBI in parts else own)["sources"]
    command = [
        "riscv64-unknown-elf-gcc",
        *own["flags"],
        f"-DTRAPEZE_MAP_{config.map.upper()}",
        *map_header.flags(config),
        f"-DSBI_BYTES={offsets['firmware_size']:#x}",
        f"-DSBI_HARTS={len(config.harts)}",
        f"-DSBI_SUPERVISOR_HARTS={sum(1 << hart.hart_id for hart in layout.supervisors(config)):#x}",
        *(["-DSBI_FINISHER"] if finisher else []),
        *([*cell.flags(config), *(f"-I{paths.ROOT / folder}" for folder in beside["include"])] if cell else []),
        *(f"-I{paths.ROOT / folder}" for folder in own["include"]),
        *(f'-D{name}="{path}"' for name, path in parts.items()),
        *(str(paths.ROOT / one) for one in (*sources, *(beside["sources"] if cell else ()))),
        *(str(paths.ROOT / one) for one in (beside["scheduler"] if cell and cell.vcpus else ())),
        f"-T{paths.ROOT / own['script']}",
        *(f"-Wl,--defsym={name}={value:#x}" for name, value in places.items()),
        *("-Wl,--no-warn-rwx-segments", "-Wl,--build-id=none", "-o", str(made), "-lc", "-lgcc"),
    ]
    _compile(command, "linking the image")


def _files(added: Sequence[Path], driver: Path | None, with_shell: bool, room: int) -> dict[str, Path]:
    """What is in the initial file system beside the first program, by place.

    Raises:
        TrapezeError: a file of the user's is none, cannot run or is too large, or two have one name.
    """
    found = {DRIVER: driver} if driver is not None else {}
    if with_shell:
        found[shell.PLACE] = shell.build()
    for file in added:
        place = f"{PROGRAMS}/{file.name}"
        if place in found or (place == shell.LINK and with_shell):
            other = found.get(place, "the shell")
            raise TrapezeError(f"linux: --add: {other} and {file} would both be /{place}; rename one")
        if not file.is_file():
            raise TrapezeError(f"linux: --add: {file}: {'not a file' if file.exists() else 'no such file'}")
        found[place] = file
    added_files.check(added, {*found, *([shell.LINK] if with_shell else [])}, room)
    return found


def _digest(
    config: Config,
    script: str | None,
    append: str,
    added: Mapping[str, Path],
    of: Kernel,
    shelled: bool,
    cell: Cell | None = None,
) -> str:
    """Changes with everything that the image is made of."""
    own = layout.settings()
    files = [kernel.SOURCES / "image.toml", paths.ROOT / own["device_tree"]["source"]]
    for part in ("firmware", "opensbi", "script" if shelled else "init"):
        files += [paths.ROOT / one for one in own[part]["sources"]]
    files += [paths.ROOT / own["firmware"]["script"], *sorted((paths.FIRMWARE / "sbi").glob("*.h"))]
    files += [paths.FIRMWARE / "hal" / "include" / "trapeze" / one for one in ("pmp.h", "cell.h", "csr.h")]
    if cell is not None:
        files += [cell.program, *sorted((paths.FIRMWARE / "hypervisor" / "src").iterdir())]
    said = f"{of.image}\0{config.to_json()}\0{config.platform.to_json()}\0{script}\0{append}\0{shelled}"
    said += f"\0{cell.flags(config)}" if cell else ""
    digest = hashlib.sha256(said.encode(errors="surrogateescape"))
    for file in files:
        digest.update(b"\0" + file.read_bytes())
    for place, file in added.items():
        digest.update(f"\0{place}\0{file.stat().st_mode:o}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def build(
    config: Config,
    script: str | None,
    added: Sequence[Path] = (),
    *,
    jobs: bool = True,
    rpmsg: bool = False,
    keys: bool = False,
    shelled: bool = False,
    opensbi: bool = False,
    append: str = "",
    cell: Cell | None = None,
    checked: bool = False,
) -> Path:
    """The image, built if need be.

    Args:
        config: A configuration whose first hart has supervisor mode.
        script: What runs before the power-off; None: lines from the console.
        added: Files to put into the folder /bin of the initial file system.
        jobs: Whether the other hart runs jobs, if it can. If it does not, the mailbox is for programs.
        rpmsg: The other hart exchanges messages by rpmsg instead. It has a mailbox.
        keys: The console is a terminal, at which there is a shell.
        shelled: The shell runs the script. Without it the first program runs its lines, which are plain commands; so
            experiments have small images that never change with the shell.
        opensbi: Debian's OpenSBI is the firmware.
        append: The end of the kernel's command line.
        cell: A program beside Linux on one of its harts, kept apart by the hypervisor.
        checked: The kernel checks itself.

    Raises:
        TrapezeError: the configuration has no hart for Linux, or none for a cell, a file is missing, or a part does not
            build.
    """
    room = layout.memory(config).size // layout.settings()["initrd"]["files_part"]
    if cell is not None:
        cell.check(config)
    of = kernel.build(several_harts=layout.several_harts(config, cell), rpmsg=rpmsg, checked=checked)
    jobs = jobs and not rpmsg and layout.has_jobs(config)
    files = _files(added, module.build(of, rpmsg) if jobs or rpmsg else None, keys or shelled, room)
    kind = f"{config.name}-opensbi" if opensbi else config.name
    image = kernel.BUILD / "images" / f"{kind}-{_digest(config, script, append, files, of, shelled, cell)}.elf"
    with locked(kernel.BUILD.with_suffix(".lock")):
        if image.exists():
            return image
        scratch = image.with_suffix(".part")
        shutil.rmtree(scratch, ignore_errors=True)
        try:
            with kernel.writing("making the image"):
                scratch.mkdir(parents=True)
                initrd, tree = scratch / "initrd", scratch / "device_tree.dtb"
                _initrd(initrd, scratch, script, files, of, shelled)
                size = initrd.stat().st_size
                device_tree(tree, config, size, jobs, opensbi, shelled, rpmsg, append, cell)
                parts = {"SBI_KERNEL": of.image, "SBI_DEVICE_TREE": tree, "SBI_INITRD": initrd}
                if opensbi:
                    parts[OPENSBI] = scratch / "opensbi.bin"
                    _opensbi(parts[OPENSBI])
                if cell is not None:
                    parts[CELL_FILE] = scratch / "cell.bin"
                    cell.flat(parts[CELL_FILE])
                with replacing(image) as made:
                    link(made, config, parts, shelled, cell)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    return image
