# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The cross compiler: `fw/toolchain.yaml` and a memory map made into command lines.

Start-up code and HAL are compiled once for each base, scheme and content, below `build/kit/`.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from trapeze.common import paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.common.files import locked, replacing
from trapeze.common.schema import load_yaml
from trapeze.firmware import kernels
from trapeze.platform import configurations
from trapeze.platform.configurations import Config

SCHEMA = Path(__file__).with_name("toolchain.schema.json")

_NO_LINK = {
    *("-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--version", "-dumpversion", "-dumpfullversion"),
    *("-dumpmachine", "-dumpspecs", "--target-help", "--help"),
}
"""Options of gcc after which nothing is linked."""

USAGE = """Usage: trapeze cc --config C [--rtos R] [any gcc option] FILE... -o OUT.elf

  Compile firmware with the platform's flags, start-up code, linker script and HAL. Every option but --config and --rtos
  goes to the compiler as it is, after the platform's own, so that it wins. With -c, -S, -E and the like nothing is
  linked; -nostartfiles and -nostdlib leave start-up code and HAL out.

  --config C   platform configuration; `trapeze configs` lists them
  --rtos R     build against a real-time kernel: freertos, or freertos-stock (the kernel's own port, for comparison);
               a FreeRTOSConfig.h beside the sources or in a folder of -I comes before the default one
  --help       this text, if it is the only argument"""


@cache
def data() -> dict[str, Any]:
    """The content of `fw/toolchain.yaml`."""
    raw: dict[str, Any] = load_yaml(paths.FIRMWARE / "toolchain.yaml", SCHEMA)
    return raw


def _base(config: Config) -> dict[str, Any]:
    bases = data()["bases"]
    if config.base not in bases:
        raise TrapezeError(f"fw/toolchain.yaml: has no base '{config.base}', which configuration {config.name} needs")
    base: dict[str, Any] = bases[config.base]
    isa = config.isa_without(data()["unused_extensions"])
    if base["abi"] != config.abi or f"-march={isa}" not in base["flags"]:
        raise TrapezeError(
            f"fw/toolchain.yaml: base {config.base} is {base['abi']} {' '.join(base['flags'])}, "
            f"but configuration {config.name} is {config.abi} {isa}"
        )
    return base


def _scheme(config: Config) -> dict[str, list[str]]:
    schemes = data()["schemes"]
    if config.scheme not in schemes:
        raise TrapezeError(
            f"fw/toolchain.yaml: has no scheme '{config.scheme}', which configuration {config.name} needs"
        )
    scheme: dict[str, list[str]] = schemes[config.scheme]
    values = {"lines": config.lines, "line_base": config.line_base, "sources": config.sources, "banks": config.banks}
    return scheme | {"flags": [flag.format_map(values) for flag in scheme["flags"]]}


def compile_flags(config: Config) -> list[str]:
    """The options that every compilation for a configuration gets before the user's."""
    include = [f"-I{paths.ROOT / folder}" for folder in data()["include"]]
    memory_map = [flag.format(map=config.map.upper()) for flag in data()["map_flags"]]
    return [*data()["common"], *_base(config)["flags"], *_scheme(config)["flags"], *memory_map, *specs(), *include]


def warnings(sources: Sequence[Path]) -> list[str]:
    """The warnings that this project's own sources are compiled with; all of a command's have the same."""
    only_c = data()["c_warnings"] if all(source.suffix != ".cpp" for source in sources) else []
    return [*data()["warnings"], *only_c]


def specs() -> list[str]:
    """The options that choose the C library."""
    return [f"--specs={_spec(name)}" for name in data()["specs"]]


def _spec(name: str) -> str:
    own = paths.ROOT / name
    return str(own) if own.exists() else name


def link_flags(config: Config) -> list[str]:
    """Linker script, memory map and options for linking."""
    regions = json.loads(config.memory_map.read_text())["regions"]
    symbols = [
        f"-Wl,--defsym=TRAPEZE_{region['name'].upper()}_{key.upper()}={region[key]:#x}"
        for region in regions
        if region["kind"] == "memory"
        for key in ("base", "size")
    ]
    return [f"-T{paths.ROOT / data()['linker_script']}", *symbols, *data()["link"]]


def compiler() -> str:
    """The compiler's path.

    Raises:
        TrapezeError: it is not there.
    """
    name: str = data()["compiler"]
    found = shutil.which(name)
    if found is None:
        raise TrapezeError(f"{name} not found; install Debian's gcc-riscv64-unknown-elf")
    return found


def _kit_key(flags: Sequence[str]) -> str:
    """Identifies the content of start-up code and HAL, its headers and its flags."""
    digest = hashlib.sha256("\0".join([compiler(), *flags]).encode())
    folders = [paths.FIRMWARE / "start", paths.FIRMWARE / "hal", *(paths.ROOT / folder for folder in data()["include"])]
    for path in sorted({path for folder in folders for path in folder.rglob("*") if path.is_file()}):
        digest.update(f"{path}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def note(config: Config) -> str:
    """What a program built for a configuration says of it: `sim/kernel/built_for.h`."""
    march = next(flag for flag in _base(config)["flags"] if flag.startswith("-march="))
    text: str = data()["note"]["text"]
    return text.format(
        config=config.name,
        isa=march.removeprefix("-march="),
        scheme=config.scheme,
        lines=config.lines,
        line_base=config.line_base,
        sources=config.sources,
    )


def kit(config: Config) -> list[Path]:
    """Start-up code, HAL and the note of the configuration as objects, compiled if need be.

    Raises:
        TrapezeError: they do not compile.
    """
    flags = [*compile_flags(config), *data()["library_flags"]]
    sources = [paths.ROOT / source for source in (*data()["sources"], *_scheme(config)["sources"])]
    noted = [*flags, f'-DTRAPEZE_NOTE="{note(config)}"']
    return [
        *_compiled(f"{config.base}-{config.scheme}", sources, flags),
        *_compiled(config.name, [paths.ROOT / data()["note"]["source"]], noted),
    ]


def _compiled(name: str, sources: Sequence[Path], flags: Sequence[str]) -> list[Path]:
    """The objects of sources of our own, in a folder of the kit."""
    folder = paths.BUILD / "kit" / f"{name}-{_kit_key(flags)}"
    objects = [folder / f"{source.stem}{source.suffix[1:]}.o" for source in sources]
    with locked(paths.BUILD / "kit.lock"):
        if folder.is_dir():
            return objects
        scratch = folder.with_suffix(".part")
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        for source, made in zip(sources, objects, strict=True):
            command = [compiler(), *flags, "-c", str(source), "-o", str(scratch / made.name)]
            done = processes.run(command, capture_output=True, text=True)
            if done.returncode:
                raise TrapezeError(f"{source.relative_to(paths.ROOT)} does not compile:\n{done.stderr}", exit_code=1)
        scratch.rename(folder)
    return objects


def command_line(config: Config, options: Sequence[str], rtos: str | None = None) -> list[str]:
    """The whole compiler command for a user's options and sources, and with `rtos` that kernel's."""
    kernel = kernels.build(rtos, config, options) if rtos is not None else None
    command = [compiler(), *compile_flags(config), *options, *(kernel.flags if kernel else ())]
    if any(option in _NO_LINK or option.startswith(("-print-", "--print-", "--help=")) for option in options):
        return command
    if kernel:
        command += map(str, kernel.objects)
    if not {"-nostartfiles", "-nostdlib"} & set(options):
        command += map(str, kit(config))
    return [*command, *link_flags(config)]


def build(
    config: Config, sources: Sequence[Path], output: Path, options: Sequence[str] = (), rtos: str | None = None
) -> Path:
    """Compile and link one firmware image of this project, with its warnings as errors; `rtos`: with that kernel.

    Whoever else builds or reads the same image meanwhile finds a whole one.

    Returns:
        `output`.

    Raises:
        TrapezeError: it does not compile; the message holds the compiler's.
    """
    with replacing(output) as made:
        command = command_line(config, [*warnings(sources), *options, *map(str, sources), "-o", str(made)], rtos)
        done = processes.run(command, capture_output=True, text=True)
        if done.returncode:
            raise TrapezeError(f"{output.name} does not build for {config.name}:\n{done.stderr.strip()}", exit_code=1)
    return output


def _split(arguments: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """The values of our own options, and everything else, in order."""
    own, rest, words = {}, [], iter(arguments)
    remedy = {"--config": "`trapeze configs` lists them", "--rtos": f"choices: {', '.join(kernels.names())}"}
    for word in words:
        name, equals, value = word.partition("=")
        if name not in remedy:
            rest.append(word)
            continue
        own[name] = value if equals else next(words, "")
        if not own[name]:
            raise TrapezeError(f"cc: {name} needs a name; {remedy[name]}")
    return own, rest


def command(arguments: Sequence[str]) -> int:
    """`trapeze cc`: run the cross compiler.

    Returns:
        The compiler's exit code.

    Raises:
        TrapezeError: no or an unknown configuration, nothing to compile, no compiler.
    """
    own, options = _split(arguments)
    name = own.get("--config")
    if name is None and options in (["--help"], ["-h"]):
        print(USAGE)
        return 0
    if name is None:
        raise TrapezeError(f"cc: --config is missing; choices: {', '.join(configurations.names())}")
    config = configurations.load(name)
    if not options:
        raise TrapezeError("cc: nothing to compile; name source files and -o OUT.elf")
    return processes.run(command_line(config, options, own.get("--rtos"))).returncode
