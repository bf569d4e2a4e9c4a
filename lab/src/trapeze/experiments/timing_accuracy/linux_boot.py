# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Linux as a program.

Kernel, device tree and initial file system are those of `trapeze linux`. Below them is a machine mode of the
experiment's own, which Rocket executes, too.
"""

from __future__ import annotations

from pathlib import Path

from elftools.elf.elffile import ELFFile

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.experiment_files import Case
from trapeze.linux import image, layout

SCRIPT = "uname -a"
"""What the first program runs before the power-off."""

PARTS = {"SBI_KERNEL": ".kernel", "SBI_DEVICE_TREE": ".device_tree", "SBI_INITRD": ".initrd"}
"""Sections of an image, by the names that fw/sbi/image.S has for their contents."""


def parts(case: Case, folder: Path) -> dict[str, Path]:
    """What is above machine mode, each as a file.

    Raises:
        TrapezeError: a part does not build, or a package for it is missing.
    """
    found = {}
    with image.build(case.config, SCRIPT, jobs=False).open("rb") as file:
        whole = ELFFile(file)
        for name, section in PARTS.items():
            content = whole.get_section_by_name(section)
            if content is None:
                raise TrapezeError(f"{case.id}: the image of Linux has no section {section}", 1)
            found[name] = folder / section.removeprefix(".")
            found[name].write_bytes(content.data())
    return found


def words(case: Case, elf: Path) -> list[str]:
    """The compiler's words for the whole of it, behind those of every program.

    Raises:
        TrapezeError: as for `parts`.
    """
    places = layout.settings()["layout"]
    memory = case.config.platform.region(layout.MEMORY).base
    folder = elf.with_suffix(".parts")
    folder.mkdir(exist_ok=True)
    places = {
        "__ram": memory,
        "__firmware_end": memory + places["firmware_size"],
        "__kernel": memory + places["kernel"],
        "__device_tree_at": memory + places["device_tree"],
        "__initrd": memory + places["initrd"],
        "__harts": 1,
    }
    firmware = paths.FIRMWARE / "sbi"
    found = [f'-D{name}="{file}"' for name, file in parts(case, folder).items()]
    found += [*map(str, case.sources), str(firmware / "image.S"), f"-T{firmware / 'image.ld'}"]
    return [*found, *(f"-Wl,--defsym={name}={value:#x}" for name, value in places.items())]
