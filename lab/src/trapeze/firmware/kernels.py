# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Real-time kernels for `trapeze cc --rtos`: the kernel's sources as Cargo has them, and kernel and port as objects.

Which kernels there are, of which files they consist and for which interrupt schemes they serve is data: section `rtos`
of `fw/toolchain.yaml`. A kernel is compiled once for each configuration, content and set of options that matters.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from trapeze.common import crates, paths, processes
from trapeze.common.errors import TrapezeError, choices
from trapeze.common.files import locked
from trapeze.firmware import compiler, reproducible, toolchain_file
from trapeze.platform.configurations import Config

_SHARED = ("-D", "-U", "-I", "-isystem", "-O", "-m", "-f", "-g")
"""Options of the application that its kernel is compiled with, too; -I and -isystem in one word."""

SETTINGS = "FreeRTOSConfig.h"


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
    """The available kernels."""
    return sorted(toolchain_file.data()["rtos"])


def scheme_of(name: str, config: Config) -> Config:
    """The configuration as a program with a kernel is built for it: some kernels use less of an interrupt scheme."""
    schemes: dict[str, str] = toolchain_file.data()["rtos"].get(name, {}).get("as_scheme", {})
    return replace(
        config, harts=tuple(replace(one, scheme=schemes.get(one.scheme, one.scheme)) for one in config.harts)
    )


def _settings(name: str, config: Config, monitor: str | None) -> dict[str, Any]:
    kernels = toolchain_file.data()["rtos"]
    if name not in kernels:
        raise TrapezeError(f"cc: --rtos: unknown kernel '{name}'; {choices(name, names())}")
    found: dict[str, Any] = kernels[name]
    if config.first.scheme not in found["schemes"]:
        raise TrapezeError(
            f"cc: --rtos {name}: has no port for configuration {config.name}, whose interrupt scheme is "
            f"{config.first.scheme}; it has one for {', '.join(found['schemes'])}"
        )
    if "region" in found and not compiler.has_region(config, found["region"]):
        raise TrapezeError(
            f"cc: --rtos {name}: not for configuration {config.name}, whose memory map has no '{found['region']}'"
        )
    if config.first.base not in found["bases"]:
        raise TrapezeError(
            f"cc: --rtos {name}: has no port for configuration {config.name}, whose base is {config.first.base}; "
            f"it has one for {', '.join(found['bases'])}"
        )
    if monitor is None:
        wide: dict[str, Any] = found.get("wide", {}) if config.first.base.startswith("rv64") else {}
        return found | wide
    if "user" not in found:
        able = ", ".join(one for one in names() if "user" in kernels[one])
        raise TrapezeError(f"cc: --rtos {name}: has no port for user mode, which --monitor asks for; {able} has one")
    if not toolchain_file.own_port(monitor):
        return found  # the port for machine mode, which names no mode
    own: dict[str, Any] = found["user"]
    return found | own


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
    """The files that a source includes. All: the kernel's headers, which are the system's, include the port's.

    Raises:
        TrapezeError: it cannot be preprocessed.
    """
    done = processes.run([compiler, *flags, "-M", "-MT", "x", str(source)], capture_output=True, text=True)
    if done.returncode:
        raise TrapezeError(f"--rtos: {source.name} cannot be preprocessed:\n{done.stderr.strip()}", exit_code=1)
    return [Path(word) for word in done.stdout.replace("\\\n", " ").split()[1:]]


def _off(compiler: str, flags: Sequence[str], settings: Sequence[str]) -> set[str]:
    """The settings among these that the application sets to 0.

    Raises:
        TrapezeError: the application's settings cannot be read.
    """
    asked = "".join(f"#if !({one})\n@{number}\n#endif\n" for number, one in enumerate(settings))
    command = [compiler, *flags, "-E", "-P", "-xc", "-"]
    done = processes.run(command, given=f"#include <FreeRTOS.h>\n{asked}", capture_output=True, text=True)
    if done.returncode:
        refused = re.search(r"#error \"?(.*?)\"?$", done.stderr, re.MULTILINE)
        said = refused[1] if refused else f"{SETTINGS} cannot be read:\n{done.stderr.strip()}"
        raise TrapezeError(f"cc: --rtos: {said}", exit_code=1)
    lines = set(done.stdout.splitlines())
    return {one for number, one in enumerate(settings) if f"@{number}" in lines}


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
    root = crates.sources(paths.ROOT / source["manifest"], source["package"], source["folder"], "--rtos")
    own = [paths.ROOT / folder for folder in data["include"]]
    flags = [
        *_beside(options),
        *(f"-I{folder}" for folder in own),
        *(f"-isystem{root / one}" for one in source["include"]),
    ]
    gcc = compiler.gcc()
    base = [*compiler.compile_flags(config, monitor), *data["flags"], *_shared(options), *flags]
    only_with: dict[str, str] = data["only_with"]
    off = _off(gcc, base, sorted(set(only_with.values())))
    files = [one for one in data["kernel"] if only_with.get(one) not in off]
    parts = [root / one for one in files] + [paths.ROOT / one for one in data["sources"]]
    digest = hashlib.sha256("\0".join([gcc, *base]).encode())
    for path in sorted({read for part in parts for read in _read_by(gcc, base, part)}):
        digest.update(f"\0{path}\0".encode())
        digest.update(path.read_bytes())
    user = "" if monitor is None else f"-under-{monitor}"
    folder = paths.BUILD / "rtos" / f"{name}{user}-{config.first.base}-{config.first.scheme}-{digest.hexdigest()[:16]}"
    objects = tuple(folder / f"{part.stem}{part.suffix[1:]}.o" for part in parts)
    with locked(paths.BUILD / "rtos.lock"):
        if not folder.is_dir():
            scratch = folder.with_suffix(".part")
            shutil.rmtree(scratch, ignore_errors=True)
            scratch.mkdir(parents=True)
            for part, made in zip(parts, objects, strict=True):
                warnings = compiler.warnings([part]) if part.is_relative_to(paths.ROOT / "fw") else ["-w"]
                command = [
                    gcc,
                    *reproducible.of_folder(base),
                    *warnings,
                    "-c",
                    str(part),
                    "-o",
                    str(scratch / made.name),
                ]
                done = processes.run(command, capture_output=True, text=True)
                if done.returncode:
                    raise TrapezeError(f"--rtos {name}: {part.name} does not compile:\n{done.stderr}", exit_code=1)
            scratch.rename(folder)
    return Kernel(tuple(flags), objects)
