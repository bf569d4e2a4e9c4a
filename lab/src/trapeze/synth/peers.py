# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Other open cores, from Python packages that hold their sources, for measurements beside ours.

The packages are installed when they are first wanted, into a folder of their own: nothing else needs them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from trapeze.common import paths, processes
from trapeze.common.errors import TrapezeError, choices
from trapeze.common.files import locked
from trapeze.synth import ecp5, tools
from trapeze.synth.designs import Design

FOLDER = paths.BUILD / "peers"
OWN = tools.ROOM / "peers" / "rtl"


@dataclass(frozen=True)
class Peer:
    """A core of others.

    Attributes:
        what: For people.
        package: Python package with its sources, pinned.
        root: Folder of the package that the others are relative to.
        first: Sources that come first, packages.
        folder: The rest of the sources.
        without: Files of the folder that are no part of it.
        includes: Folders of included files.
        own: Sources in `synth/peers/rtl` that it needs.
        edits: Text that Yosys does not read, and the same as it does.
        fpga_only: A form for FPGAs of another one, with the same cycles.
        silicon_only: With more than another one, and the same cycles in our programs.
    """

    what: str
    package: str
    root: str
    first: tuple[str, ...]
    folder: str
    without: tuple[str, ...]
    includes: tuple[str, ...]
    own: tuple[str, ...]
    top: str
    edits: tuple[tuple[str, str], ...] = ()
    defines: tuple[str, ...] = ()
    fpga_only: bool = False
    silicon_only: bool = False


_PRIM = "vendor/lowrisc_ip/ip/prim/rtl"

_IBEX = Peer(
    what="Ibex, maxperf: three stages, single-cycle multiplier, no bit manipulation",
    package="pythondata-cpu-ibex==0.0.post2937",
    root="pythondata_cpu_ibex/system_verilog",
    first=(
        *(f"{_PRIM}/prim_{name}_pkg.sv" for name in ("util", "mubi", "secded", "ram_1p", "count", "cipher")),
        "rtl/ibex_pkg.sv",
    ),
    folder="rtl",
    without=("ibex_pkg.sv", "ibex_tracer.sv", "ibex_tracer_pkg.sv", "ibex_top_tracing.sv"),
    includes=(_PRIM, "vendor/lowrisc_ip/dv/sv/dv_utils"),
    own=("prim_buf.sv", "prim_clock_gating.sv"),
    top="peer_ibex",
    edits=(("logic unused_scramble_inputs =", "logic unused_scramble_inputs; assign unused_scramble_inputs ="),),
)

PEERS = {
    "ibex": _IBEX,
    "ibex-fpga": replace(_IBEX, what=f"{_IBEX.what}; register file for FPGAs", defines=("IBEX_FPGA",), fpga_only=True),
    "ibex-pmp": replace(
        _IBEX, what=f"{_IBEX.what}; memory protection of 16 regions", defines=("IBEX_PMP",), silicon_only=True
    ),
    "cv32e40p": Peer(
        what="CV32E40P: four stages, no FPU, none of its own instructions",
        package="pythondata-cpu-cv32e40p==1.0.1.post1909",
        root="pythondata_cpu_cv32e40p/system_verilog",
        first=tuple(f"rtl/include/cv32e40p_{name}pkg.sv" for name in ("apu_core_", "fpu_", "")),
        folder="rtl",
        without=("cv32e40p_register_file_latch.sv", "cv32e40p_fp_wrapper.sv"),
        includes=(),
        own=("cv32e40p_clock_gate.sv",),
        top="peer_cv32e40p",
    ),
}


def find(name: str) -> Peer:
    """A peer by name.

    Raises:
        TrapezeError: there is none.
    """
    if name not in PEERS:
        raise TrapezeError(f"unknown peer '{name}'; {choices(name, PEERS)}")
    return PEERS[name]


def install(peer: Peer) -> Path:
    """The root of a peer's sources, installed if need be.

    Raises:
        TrapezeError: pip cannot get it.
    """
    place = FOLDER / peer.package.replace("==", "-")
    with locked(place.with_suffix(".lock")):
        if not place.is_dir():
            scratch = place.with_suffix(".part")
            command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check"]
            command += ["--upgrade", "--target", str(scratch), peer.package]
            done = processes.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                why = processes.reason(done.returncode, done.stderr, 3)
                raise TrapezeError(f"pip cannot install {peer.package}; is a package index reachable? {why}", 1)
            scratch.rename(place)
    return place / peer.root


def _sources(peer: Peer) -> Iterator[Path]:
    root = install(peer)
    yield paths.HARDWARE / "common" / "rtl" / "obi_pkg.sv"
    yield from (root / name for name in peer.first)
    yield from (OWN / name for name in peer.own)
    yield from (path for path in sorted((root / peer.folder).glob("*.sv")) if path.name not in peer.without)


def design(name: str) -> Design:
    """A peer behind the pins that ours has; installs its sources.

    Raises:
        TrapezeError: there is none of that name, or it cannot be installed.
    """
    peer = find(name)
    return Design(
        name=name,
        top=peer.top,
        sources=(*_sources(peer), OWN / f"{peer.top}.sv"),
        includes=tuple(install(peer) / folder for folder in peer.includes),
        defines=("YOSYS", *peer.defines),
        edits=peer.edits,
    )


def in_pins(name: str) -> Design:
    """A peer inside the wrapper that has flip-flops at its pins."""
    inner = design(name)
    return Design(
        name=name,
        top="peer_pins",
        sources=(*inner.sources, ecp5.PINS, OWN / "peer_pins.sv"),
        includes=inner.includes,
        defines=(*inner.defines, f"PEER={inner.top}"),
        edits=inner.edits,
        counted=inner.top,
    )
