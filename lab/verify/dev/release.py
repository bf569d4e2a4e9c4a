# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`make release`: an archive of the hardware, with plain Verilog for tools that read no SystemVerilog.

`verilog/CONFIGURATION/` has core and interrupt controller as one file of Verilog-2005 each, with fixed parameters, made
by Yosys from the sources in the same folder. Ports that are structures are vectors there, with the first field at the
top; `verilog/README.md` lists the bits.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from trapeze import __version__
from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations
from trapeze.results import provenance
from trapeze.synth import designs, tools
from trapeze.synth.designs import Design
from verify.dev import words

ROOMS = ("hw", "regs")
"""Folders of the repository that the archive holds, without tests and proofs."""

LEFT_OUT = ("test", "formal", "lint")
PACKAGES = ("hw/common/rtl/obi_pkg.sv", "hw/irq/pkg/rtl/irq_pkg.sv")
"""Where the structures of the ports are."""

_STRUCT = re.compile(r"typedef struct packed \{(.*?)\} (\w+);", re.DOTALL)
_FIELD = re.compile(r"(?:logic\s*(?:\[(\w+)-1:0\]|\[(\d+):0\])?|(\w+_t))\s*(\w+);")
_NUMBER = re.compile(r"parameter int unsigned (\w+)\s*=\s*(\d+);")


def plain(design: Design) -> str:
    """A design as Verilog-2005.

    Raises:
        TrapezeError: Yosys failed.
    """
    with tempfile.TemporaryDirectory(prefix="verilog-", dir=paths.BUILD) as name:
        folder = Path(name)
        tools.copy(design, folder)
        tools.yosys(folder, [tools.read(design), "proc", "bwmuxmap", "opt_clean", "write_verilog -noattr out.v"])
        body = (folder / "out.v").read_text()
    parameters = ", ".join(f"{key} = {value}" for key, value in {**design.parameters, **design.fields}.items())
    head = (
        "// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0\n"
        f"// {design.top} of Trapeze {__version__}, generated from the SystemVerilog sources"
    )
    return f"{head}{f'; {parameters}' if parameters else ''}.\n{body}"


def structures(text: str) -> Iterator[tuple[str, list[tuple[str, int, int]]]]:
    """The packed structures of a package: name, and of each field its name, highest and lowest bit."""
    numbers = {name: int(value) for name, value in _NUMBER.findall(text)}
    widths: dict[str, int] = {}
    for body, name in _STRUCT.findall(text):
        fields = []
        for symbol, high, kind, field in _FIELD.findall(body):
            fields.append(
                (field, widths[kind] if kind else numbers[symbol] if symbol else int(high) + 1 if high else 1)
            )
        top = widths[name] = sum(width for _, width in fields)
        bits = []
        for field, width in fields:
            bits.append((field, top - 1, top - width))
            top -= width
        yield name, bits


def ports() -> str:
    """The page of the structures."""
    parts = [
        "# Plain Verilog\n",
        "Each file has one top with its parameters fixed, and what it needs. Ports that are structures in the sources\n"
        "are vectors:\n",
    ]
    for package in PACKAGES:
        for name, bits in structures((paths.ROOT / package).read_text()):
            parts.append(f"## {name}, {bits[0][1] + 1} bits\n\n| bits | field |\n|---|---|")
            parts += [f"| {f'{high}:{low}' if high > low else high} | `{field}` |" for field, high, low in bits]
            parts.append("")
    return "\n".join(parts)


def _designs() -> Iterator[tuple[str, Design]]:
    """What is written as plain Verilog, with its place in the archive."""
    for name in configurations.names():
        config = configurations.load(name)
        if not config.variant:
            for design in (designs.core(config), designs.controller(config)):
                yield f"verilog/{name}/{design.top}.v", design


def _files() -> Iterator[tuple[str, bytes]]:
    for path in words.tracked():
        place = path.relative_to(paths.ROOT)
        if place.parts[0] in ROOMS and not set(place.parts) & set(LEFT_OUT):
            yield str(place), path.read_bytes()
    for name in ("LICENSE", "docs/core.md", "docs/fastirq.md"):
        yield name, (paths.ROOT / name).read_bytes()
    yield "verilog/README.md", ports().encode()
    for name, design in _designs():
        yield name, plain(design).encode()


def build(folder: Path) -> Path:
    """Write the archive; the same commit gives the same bytes.

    Raises:
        TrapezeError: Yosys failed.
    """
    stem = f"trapeze-hw-{__version__}"
    when = subprocess.run(
        paths.git("log", "-1", "--format=%ct"), cwd=paths.ROOT, capture_output=True, text=True, check=True
    ).stdout
    contents = dict(_files()) | {"COMMIT": f"{provenance.commit()}\n".encode()}
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{stem}.tar.xz"
    with tarfile.open(path, "w:xz") as archive:
        for name, data in sorted(contents.items()):
            entry = tarfile.TarInfo(f"{stem}/{name}")
            entry.size, entry.mtime = len(data), int(when)
            archive.addfile(entry, io.BytesIO(data))
    return path


if __name__ == "__main__":
    try:
        print(build(paths.BUILD / "release"))
    except TrapezeError as error:
        sys.exit(str(error))
