# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The cross compiler: options from `fw/toolchain.yaml` and a memory map, and the kit that programs are linked with.

Start-up code and HAL are compiled once for each base, scheme and content, below `build/kit/`.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from trapeze.common import paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.common.files import locked
from trapeze.firmware import map_header, reproducible, toolchain_file
from trapeze.platform.configurations import Config


def _base(config: Config) -> dict[str, Any]:
    """The base's entry, with the configuration's ISA filled in."""
    bases = toolchain_file.data()["bases"]
    if config.first.base not in bases:
        raise TrapezeError(
            f"fw/toolchain.yaml: has no base '{config.first.base}', which configuration {config.name} needs"
        )
    base: dict[str, Any] = bases[config.first.base]
    if base["abi"] != config.first.abi:
        raise TrapezeError(
            f"fw/toolchain.yaml: base {config.first.base} is {base['abi']}, but configuration {config.name} is "
            f"{config.first.abi}"
        )
    absent = [
        words
        for name, words in toolchain_file.data()["absent_extensions"].items()
        if name not in config.first.extensions
    ]
    flags = [flag.format(isa=_isa(config)) for flag in base["flags"]]
    return base | {"flags": [*flags, *(word for words in absent for word in words)]}


def _isa(config: Config) -> str:
    """The ISA that the compiler may use."""
    return config.first.isa_without(toolchain_file.data()["unused_extensions"])


def _scheme(config: Config, monitor: str | None = None) -> dict[str, list[str]]:
    """Flags of the interrupt scheme, or of user mode under a monitor, and the sources of start-up code and HAL."""
    schemes = toolchain_file.data()["schemes"]
    if config.first.scheme not in schemes:
        raise TrapezeError(
            f"fw/toolchain.yaml: has no scheme '{config.first.scheme}', which configuration {config.name} needs"
        )
    scheme: dict[str, list[str]] = schemes[config.first.scheme]
    flags, sources = scheme["flags"], [*toolchain_file.data()["sources"], *scheme["sources"]]
    if monitor is not None:
        toolchain_file.monitor(config, monitor)
        if toolchain_file.own_interrupts(monitor):
            user = toolchain_file.data()["user_interrupts"]
            flags, sources = [*flags, *user["flags"]], [one for one in sources if one not in user["without"]]
        else:
            flags, sources = toolchain_file.data()["user"]["flags"], toolchain_file.data()["user"]["sources"]
        flags = [*flags, *toolchain_file.data()["monitors"][monitor]["program_flags"]]
    if config.cell:
        own = toolchain_file.data()["cell"]
        flags, sources = [*flags, *own["flags"]], [one for one in sources if one not in own["without"]]
    values = {
        "lines": config.first.lines,
        "line_base": config.first.line_base,
        "sources": config.first.sources,
        "banks": config.first.banks,
    }
    return {"flags": [flag.format_map(values) for flag in flags], "sources": sources}


def has_region(config: Config, name: str) -> bool:
    """Whether the configuration's map has a memory of that name."""
    return any(memory.name == name for memory in config.platform.memories)


def _harts(config: Config, main_hart: int = 0) -> dict[str, list[str]]:
    """What several harts add; nothing for one.

    Raises:
        TrapezeError: start-up code cannot serve them.
    """
    harts = toolchain_file.data()["harts"]
    if len(config.harts) == 1:
        return {"flags": [], "link": [], "sources": []}
    if not has_region(config, "shmem"):
        raise TrapezeError(f"configuration {config.name}: start-up code for several harts needs a map with shmem")
    values = {"harts": len(config.harts), "main_hart": main_hart}
    link = [f"-T{paths.ROOT / harts['linker_script']}", *(word.format_map(values) for word in harts["link"])]
    return {
        "flags": [flag.format_map(values) for flag in harts["flags"]],
        "link": link,
        "sources": harts["sources"],
    }


def beside_linux(config: Config) -> int:
    """The first hart that does not run Linux.

    Raises:
        TrapezeError: all run Linux.
    """
    for number, one in enumerate(config.harts):
        if not one.supervisor:
            return number
    raise TrapezeError(
        f"cc: configuration {config.name} has no hart for firmware: those with supervisor mode run Linux, and "
        "`trapeze linux` builds what runs there"
    )


def firmware_hart(config: Config) -> int:
    """The hart that runs a program which names none: the first one that does not run Linux, or the only one.

    Raises:
        TrapezeError: there are several, and all run Linux.
    """
    return 0 if len(config.harts) == 1 else beside_linux(config)


def of_hart(config: Config, hart: int) -> Config:
    """The configuration as an image for one of its harts sees it: with that hart in the first place.

    Beside harts that run Linux it is alone: they share no start-up code. The only hart may be one for Linux: the
    program stands in the place of the firmware below Linux then.

    Raises:
        TrapezeError: there is no such hart, it runs Linux, or start-up code does not find it by its number.
    """
    if not 0 <= hart < len(config.harts):
        raise TrapezeError(f"cc: --hart {hart}: configuration {config.name} has harts 0 to {len(config.harts) - 1}")
    if config.harts[hart].supervisor and len(config.harts) > 1:
        raise TrapezeError(
            f"cc: --hart {hart}: runs Linux on configuration {config.name}; "
            f"firmware is for hart {firmware_hart(config)}"
        )
    if len(config.harts) > 1 and any(one.supervisor for one in config.harts):
        return replace(config, harts=(config.harts[hart],), beside=hart, every=config.harts)
    for number, one in enumerate(config.harts if len(config.harts) > 1 else ()):
        if one.hart_id != number:
            raise TrapezeError(
                f"configuration {config.name}: hart {number} has hart_id {one.hart_id}; "
                "start-up code for several harts needs each hart's number there"
            )
    others = (*config.harts[:hart], *config.harts[hart + 1 :])
    return replace(config, harts=(config.harts[hart], *others), every=config.harts)


def cell_hart(config: Config) -> int:
    """The hart of the cell: the second one that can run Linux.

    Raises:
        TrapezeError: there is none.
    """
    found = [number for number, hart in enumerate(config.harts) if hart.supervisor]
    if len(found) < 2:
        raise TrapezeError(
            f"--cell: configuration {config.name} has {len(found) or 'no'} hart{'' if len(found) == 1 else 's'} for "
            "Linux, and a cell takes a second one; amp-2 has two"
        )
    return found[1]


def of_cell(config: Config) -> Config:
    """The configuration as a cell sees it: one hart, in supervisor mode.

    Raises:
        TrapezeError: there is no hart for it.
    """
    hart = cell_hart(config)
    return replace(config, harts=(config.harts[hart],), beside=hart, every=config.harts, cell=True)


def place_of_cell(config: Config, name: str) -> tuple[int, int]:
    """First address and size of the cell's `memory`, or of the `image` that it is loaded from.

    Raises:
        TrapezeError: main memory has no room for it.
    """
    told = toolchain_file.data()["cell"]
    main, place = config.platform.region(told["region"]), told[name]
    if place["offset"] + place["size"] > main.size:
        raise TrapezeError(
            f"--cell: configuration {config.name}: {main.name} has {main.size:#x} bytes; with a cell it needs "
            f"{place['offset'] + place['size']:#x}"
        )
    return main.base + place["offset"], place["size"]


def compile_flags(config: Config, monitor: str | None = None) -> list[str]:
    """The options that every compilation for a configuration, of a program under a monitor, gets before the user's."""
    include = [f"-I{paths.ROOT / folder}" for folder in toolchain_file.data()["include"]]
    memory_map = [flag.format(map=config.map.upper()) for flag in toolchain_file.data()["map_flags"]]
    memory_map += map_header.flags(config)
    beside = [flag.format(hart=config.beside) for flag in toolchain_file.data()["beside_linux"]["flags"]]
    own = [
        *_base(config)["flags"],
        *_scheme(config, monitor)["flags"],
        *_harts(config)["flags"],
        *(beside if config.beside else ()),
    ]
    return [*toolchain_file.data()["common"], *own, *memory_map, *reproducible.of_repository(), *specs(), *include]


def warnings(sources: Sequence[Path]) -> list[str]:
    """The warnings that this project's own sources are compiled with; all of a command's have the same."""
    only_c = toolchain_file.data()["c_warnings"] if all(source.suffix != ".cpp" for source in sources) else []
    return [*toolchain_file.data()["warnings"], *only_c]


def specs() -> list[str]:
    """The options that choose the C library."""
    return [f"--specs={_spec(name)}" for name in toolchain_file.data()["specs"]]


def _spec(name: str) -> str:
    own = paths.ROOT / name
    return str(own) if own.exists() else name


def _banks(config: Config) -> list[tuple[str, int, int]]:
    """Name, first address and size of the memories, and of what stands for banks where main memory is alone.

    Raises:
        TrapezeError: it is too small for them.
    """
    memories = config.platform.memories
    if config.cell:
        base, _ = place_of_cell(config, "memory")
        places = toolchain_file.data()["cell"]["banks"]
        return [(name, base + place["offset"], place["size"]) for name, place in places.items()]
    named = [(one.name, one.base, one.size) for one in memories]
    told = toolchain_file.data()["main_memory"]
    if [one.name for one in memories] != [told["region"]]:
        return named
    (main,) = memories
    for name, place in told["banks"].items():
        if place["offset"] + place["size"] > main.size:
            raise TrapezeError(
                f"configuration {config.name}: {main.name} has {main.size:#x} bytes; a program needs "
                f"{place['offset'] + place['size']:#x}"
            )
        named.append((name, main.base + place["offset"], place["size"]))
    return named


def _memory_symbols(config: Config) -> list[str]:
    """The options that tell linker scripts where the memories are."""
    return [
        f"-Wl,--defsym=TRAPEZE_{name.upper()}_{what}={value:#x}"
        for name, base, size in _banks(config)
        for what, value in (("BASE", base), ("SIZE", size))
    ]


def _reset_vector(config: Config) -> int:
    """Where a program begins.

    Raises:
        TrapezeError: it is not in the memory in which programs are.
    """
    found = next(((base, size) for name, base, size in _banks(config) if name == "imem"), None)
    if found is None:
        raise TrapezeError(f"configuration {config.name}: has no imem, where programs are; its regions need one")
    base, size = found
    if config.cell:
        return base  # where the hypervisor enters it
    if not base <= config.first.reset_vector < base + size:
        raise TrapezeError(
            f"configuration {config.name}: reset_vector {config.first.reset_vector:#010x} is not in imem, where "
            f"programs are: choose one from {base:#010x} to {base + size - 1:#010x}"
        )
    return config.first.reset_vector


def link_flags(config: Config, main_hart: int = 0, monitor: str | None = None, own_script: bool = False) -> list[str]:
    """Linker scripts, memory map and options for linking.

    Args:
        config: The platform.
        main_hart: The hart that runs main().
        monitor: That the program runs under.
        own_script: The user has a linker script, which replaces the kit's.

    Raises:
        TrapezeError: a linker script of the user's beside a monitor, which lays out memory itself.
    """
    symbols = [*_memory_symbols(config), f"-Wl,--defsym=TRAPEZE_RESET_VECTOR={_reset_vector(config):#x}"]
    if own_script and monitor is not None:
        raise TrapezeError(
            f"cc: --monitor {monitor}: says itself what is where in memory; leave out your linker script (-T)"
        )
    scripts = [*_harts(config, main_hart)["link"]]
    options: list[str] = []
    if monitor is not None:
        found = toolchain_file.monitor(config, monitor)
        scripts.append(f"-T{paths.ROOT / found['linker_script']}")
        options = found["link"]
    scripts.append(f"-T{paths.ROOT / toolchain_file.data()['linker_script']}")
    if own_script:
        scripts = [word for word in scripts if not word.startswith("-T")]
    return [*scripts, *options, *symbols, *toolchain_file.data()["link"]]


def monitor_link(config: Config, monitor: str) -> list[str]:
    """Linker script, memory map and options of a monitor that is linked by itself."""
    found = toolchain_file.monitor(config, monitor)
    script = f"-T{paths.ROOT / found['linker_script']}"
    return [script, *_memory_symbols(config), *found["link"], *toolchain_file.data()["link"]]


def gcc() -> str:
    """The compiler's path.

    Raises:
        TrapezeError: it is not there.
    """
    name: str = toolchain_file.data()["compiler"]
    found = shutil.which(name)
    if found is None:
        raise TrapezeError(f"{name} not found; install Debian's gcc-riscv64-unknown-elf")
    return found


def _kit_key(flags: Sequence[str]) -> str:
    """Identifies the content of start-up code and HAL, its headers and its flags."""
    digest = hashlib.sha256("\0".join([gcc(), *flags]).encode())
    folders = [paths.FIRMWARE / one for one in ("start", "hal", "monitor")]
    folders += [paths.ROOT / folder for folder in toolchain_file.data()["include"]]
    for path in sorted({path for folder in folders for path in folder.rglob("*") if path.is_file()}):
        digest.update(f"{path}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def note(config: Config, main_hart: int = 0) -> str:
    """What a program built for a configuration says of it: `sim/kernel/built_for.h`; `main_hart` runs main()."""
    data = toolchain_file.data()["note"]
    text: str = data["text"] + data["several" if len(config.harts) > 1 else "beside"] * bool(
        len(config.harts) > 1 or main_hart
    )
    return (text + map_header.noted(config)).format(
        harts=len(config.harts),
        main_hart=main_hart,
        config=config.name,
        isa=_isa(config),
        scheme=config.first.scheme,
        lines=config.first.lines,
        line_base=config.first.line_base,
        sources=config.first.sources,
    )


def kit(config: Config, main_hart: int = 0, monitor: str | None = None) -> list[Path]:
    """Start-up code, HAL and the note of the configuration as objects, compiled if need be; `main_hart` runs main().

    With a monitor they are those for user mode, and the monitor is among them.

    Raises:
        TrapezeError: they do not compile.
    """
    flags = [*compile_flags(config, monitor), *toolchain_file.data()["library_flags"]]
    sources = [paths.ROOT / source for source in (*_scheme(config, monitor)["sources"], *_harts(config)["sources"])]
    noted = [*flags, f'-DTRAPEZE_NOTE="{note(config, main_hart)}"']
    user = "-cell" if config.cell else "" if monitor is None else f"-under-{monitor}"
    return [
        *compiled(f"{config.first.base}-{config.first.scheme}{user}", sources, flags),
        *compiled(f"{config.name}{user}", [paths.ROOT / toolchain_file.data()["note"]["source"]], noted),
        *(monitor_objects(config, monitor) if monitor is not None else ()),
    ]


def monitor_objects(config: Config, monitor: str) -> list[Path]:
    """A monitor as objects, compiled if need be. Its linker script knows them by the folder's name.

    Raises:
        TrapezeError: there is no such monitor for the configuration, or it does not compile.
    """
    found = toolchain_file.monitor(config, monitor)
    flags = [*compile_flags(config), *toolchain_file.data()["library_flags"], *found["flags"]]
    sources = [paths.ROOT / source for source in found["sources"]]
    return compiled(f"monitor-{monitor}-{config.first.base}-{config.first.scheme}", sources, flags)


def compiled(name: str, sources: Sequence[Path], flags: Sequence[str]) -> list[Path]:
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
            command = [gcc(), *flags, "-c", str(source), "-o", str(scratch / made.name)]
            done = processes.run(command, cwd=paths.ROOT, capture_output=True, text=True)
            if done.returncode:
                raise TrapezeError(f"{source.relative_to(paths.ROOT)} does not compile:\n{done.stderr}", exit_code=1)
        scratch.rename(folder)
    return objects
