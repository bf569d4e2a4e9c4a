# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Real-time kernels for `trapeze cc --rtos`: the kernel's sources as Cargo has them, and kernel and port as objects.

Which kernels there are, of which files they consist and for which interrupt schemes they serve is data: section `rtos`
of `fw/toolchain.yaml`. A kernel is compiled once for each configuration, content and set of options that matters.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from trapeze.common import packages, paths, processes
from trapeze.common.errors import TrapezeError, choices
from trapeze.common.files import locked
from trapeze.common.output import write_atomic
from trapeze.firmware import toolchain
from trapeze.platform.configurations import Config

_SHARED = ("-D", "-U", "-I", "-isystem", "-O", "-m", "-f", "-g")
"""Options of the application that its kernel is compiled with, too; -I and -isystem in one word."""

SETTINGS = "FreeRTOSConfig.h"

ON_DEMAND = "rtos"
"""The group of `lab/packages.txt` that is installed when a kernel is first wanted."""


@dataclass(frozen=True)
class Kernel:
    """A kernel for one build.

    Attributes:
        flags: For every source that includes its headers.
        objects: To link.
    """

    flags: tuple[str, ...]
    objects: tuple[Path, ...]


def names() -> list[str]:
    """The kernels that there are."""
    return sorted(toolchain.data()["rtos"])


def _settings(name: str, config: Config, monitor: str | None) -> dict[str, Any]:
    kernels = toolchain.data()["rtos"]
    if name not in kernels:
        raise TrapezeError(f"cc: --rtos: unknown kernel '{name}'; {choices(name, names())}")
    found: dict[str, Any] = kernels[name]
    if config.scheme not in found["schemes"]:
        raise TrapezeError(
            f"cc: --rtos {name}: has no port for configuration {config.name}, whose interrupt scheme is "
            f"{config.scheme}; it has one for {', '.join(found['schemes'])}"
        )
    if monitor is None:
        return found
    if "user" not in found:
        able = ", ".join(one for one in names() if "user" in kernels[one])
        raise TrapezeError(f"cc: --rtos {name}: has no port for user mode, which --monitor asks for; {able} has one")
    if toolchain.own_interrupts(monitor):
        return found  # the port for machine mode, which names no mode
    own: dict[str, Any] = found["user"]
    return found | own


def cargo() -> str:
    """Cargo; installed where that may be done.

    Raises:
        TrapezeError: it is not there and cannot be installed.
    """
    home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    found = shutil.which("cargo") or shutil.which("cargo", path=str(home / "bin"))
    if found is not None:
        return found
    packages.install([name for name, _ in packages.group(ON_DEMAND)], "--rtos", "fetches the kernel")
    return shutil.which("cargo") or "cargo"


def _metadata(manifest: Path) -> list[dict[str, Any]]:
    command = [cargo(), "metadata", "--locked", "--format-version", "1", "--manifest-path", str(manifest)]
    done = processes.run(command, capture_output=True, text=True)
    if done.returncode:
        tail = "\n".join(done.stderr.strip().splitlines()[-5:])
        raise TrapezeError(
            f"--rtos: cargo cannot fetch the kernel that {manifest.relative_to(paths.ROOT)} names "
            f"(it takes Cargo 1.70 or newer and a registry that can be reached, once):\n{tail}",
            exit_code=1,
        )
    crates: list[dict[str, Any]] = json.loads(done.stdout)["packages"]
    return crates


def _noted(note: Path) -> Path | None:
    """The folder that a note names, if it is still there."""
    text = note.read_text() if note.exists() else ""
    return Path(text) if text and Path(text).is_dir() else None


@cache
def sources(manifest: Path, package: str, folder: str) -> Path:
    """The folder of a kernel's sources, fetched if need be.

    Args:
        manifest: `Cargo.toml` of the stub package; its lock file stands beside it.
        package: The crate that holds the sources.
        folder: The folder inside of it.

    Raises:
        TrapezeError: no Cargo, no registry, or the crate is not what it should be.
    """
    lock = manifest.with_name("Cargo.lock")
    key = hashlib.sha256(manifest.read_bytes() + lock.read_bytes()).hexdigest()[:16]
    note = paths.BUILD / "rtos" / f"{package}-{key}.path"
    if known := _noted(note):
        return known
    with locked(paths.BUILD / "rtos.lock"):
        if known := _noted(note):
            return known
        crates = [one for one in _metadata(manifest) if one["name"] == package]
        if not crates or not (found := Path(crates[0]["manifest_path"]).parent / folder).is_dir():
            raise TrapezeError(f"{lock.relative_to(paths.ROOT)}: crate {package} has no folder {folder}", exit_code=1)
        note.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(note, str(found))
    return found


def _shared(options: Sequence[str]) -> list[str]:
    """The application's options that its kernel is compiled with, too."""
    words, chosen = iter(options), []
    for word in words:
        if word in ("-D", "-U", "-I", "-isystem"):
            chosen += [word, next(words, "")]
        elif word == "-o":
            next(words, None)
        elif word.startswith(_SHARED):
            chosen.append(word)
    return chosen


def _beside(options: Sequence[str]) -> list[str]:
    """The folders of the application's sources that hold settings of their own, as -I options."""
    folders = {Path(word).parent for word in options if not word.startswith("-") and Path(word).is_file()}
    return [f"-I{folder.resolve()}" for folder in sorted(folders) if (folder / SETTINGS).is_file()]


def _read_by(compiler: str, flags: Sequence[str], source: Path) -> list[Path]:
    """The files that a source includes, without the compiler's own.

    Raises:
        TrapezeError: it cannot be preprocessed.
    """
    done = processes.run([compiler, *flags, "-MM", "-MT", "x", str(source)], capture_output=True, text=True)
    if done.returncode:
        raise TrapezeError(f"--rtos: {source.name} cannot be preprocessed:\n{done.stderr.strip()}", exit_code=1)
    return [Path(word) for word in done.stdout.replace("\\\n", " ").split()[1:]]


def build(name: str, config: Config, options: Sequence[str], monitor: str | None = None) -> Kernel:
    """A kernel with its port for a configuration, compiled if need be.

    Args:
        name: Of the kernel.
        config: The configuration.
        options: The application's compiler options and sources; a `FreeRTOSConfig.h` in one of its include folders or
            beside a source comes before the port's.
        monitor: Under which the kernel runs in user mode.

    Raises:
        TrapezeError: no such kernel, none for this configuration, or it does not compile.
    """
    data = _settings(name, config, monitor)
    source = data["source"]
    root = sources(paths.ROOT / source["manifest"], source["package"], source["folder"])
    own = [paths.ROOT / folder for folder in data["include"]]
    flags = [
        *_beside(options),
        *(f"-I{folder}" for folder in own),
        *(f"-isystem{root / one}" for one in source["include"]),
    ]
    parts = [root / one for one in data["kernel"]] + [paths.ROOT / one for one in data["sources"]]
    compiler = toolchain.compiler()
    base = [*toolchain.compile_flags(config, monitor), *data["flags"], *_shared(options), *flags]
    digest = hashlib.sha256("\0".join([compiler, *base]).encode())
    for path in sorted({read for part in parts for read in _read_by(compiler, base, part)}):
        digest.update(f"\0{path}\0".encode())
        digest.update(path.read_bytes())
    user = "" if monitor is None else f"-under-{monitor}"
    folder = paths.BUILD / "rtos" / f"{name}{user}-{config.base}-{config.scheme}-{digest.hexdigest()[:16]}"
    objects = tuple(folder / f"{part.stem}{part.suffix[1:]}.o" for part in parts)
    with locked(paths.BUILD / "rtos.lock"):
        if not folder.is_dir():
            scratch = folder.with_suffix(".part")
            shutil.rmtree(scratch, ignore_errors=True)
            scratch.mkdir(parents=True)
            for part, made in zip(parts, objects, strict=True):
                warnings = toolchain.warnings([part]) if part.is_relative_to(paths.ROOT / "fw") else ["-w"]
                command = [compiler, *base, *warnings, "-c", str(part), "-o", str(scratch / made.name)]
                done = processes.run(command, capture_output=True, text=True)
                if done.returncode:
                    raise TrapezeError(f"--rtos {name}: {part.name} does not compile:\n{done.stderr}", exit_code=1)
            scratch.rename(folder)
    return Kernel(tuple(flags), objects)
