# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Named platform configurations: `configs/*.yaml`, checked against `configs/config.schema.json`.

A file that `extends` another is a variant of it and holds only what differs. A file with `harts` is of a platform of
several harts: an entry of that list holds only what differs from the rest of the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from trapeze.common import paths
from trapeze.common.errors import TrapezeError, choices
from trapeze.common.schema import load_yaml, validate
from trapeze.platform import own_map, platform, timing
from trapeze.platform.hart import ORDER, Hart
from trapeze.platform.own_map import Change, MapError
from trapeze.platform.platform import DEFAULT_CLOCKS, Clocks, Platform, SharedMemory

CORNER = "corner-"
"""The beginning of the names of configurations that exist only for tests: combinations of rare values."""

SCHEMA = paths.CONFIGS / "config.schema.json"

MOST_UNBOUNDED = 8
"""Beats of a transfer that is not interrupted; longer ones exceeded the port's bound (bench/shared-memory)."""

MAX_SOURCES = 4096
"""Sources that a CLIC can have: interrupt numbers have 12 bits."""

IRQ_KEYS = {
    "line_base": ("clic", "fastirq"),
    "sources": ("clic", "fastirq"),
    "ctl_bits": ("clic", "fastirq"),
    "tree_pipeline": ("clic", "fastirq"),
    "user": ("clic", "fastirq"),
    "uintr": ("clic", "fastirq"),
    "banks": ("fastirq",),
    "whole_frames": ("fastirq",),
    "shared_port": ("fastirq",),
}
"""The schemes that a key of `irq` belongs to; all have the others."""


@dataclass(frozen=True)
class Config:
    """One platform configuration.

    Attributes:
        name: As on the command line.
        summary: One line for people.
        top: CAPI2 core, without version, that holds the platform; None for a platform of the model alone.
        harts: Its harts by number, which is their place in traces and on the command line.
        map: Name of the memory map.
        extends: The configuration that this is a variant of, None if it is not one.
        beside: Number of the one hart that is left of several, as a program for it sees the platform; else 0.
        every: All harts of the platform by number, where `harts` are not all of them or are in another order.
        cell: The program is a cell of the hypervisor: in supervisor mode, in its part of main memory.
        regions: What differs from the memory map.
        clocks: Frequencies.
        shared_memory: The port in front of what modelled harts and a tile share; None: there is none.
        own: The words of a command line that choose it where it is not one of `configs/` (`user_configurations`).
    """

    name: str
    summary: str
    top: str | None
    harts: tuple[Hart, ...]
    map: str = "mcu"
    extends: str | None = None
    beside: int = 0
    every: tuple[Hart, ...] = ()
    cell: bool = False
    regions: tuple[Change, ...] = ()
    clocks: Clocks = DEFAULT_CLOCKS
    shared_memory: SharedMemory | None = None
    own: tuple[str, ...] = field(default=(), compare=False)

    @property
    def words(self) -> tuple[str, ...]:
        """The words of a command line that choose it."""
        return self.own or ("--config", self.name)

    @property
    def first(self) -> Hart:
        """Hart 0."""
        return self.harts[0]

    @property
    def variant(self) -> bool:
        """Whether this is a variant of another configuration, for measurements and single tests."""
        return self.extends is not None

    @property
    def has_rtl(self) -> bool:
        """Whether the platform has an RTL design; otherwise only the model executes its programs."""
        return self.top is not None

    @property
    def has_tile(self) -> bool:
        """Whether a co-simulation can take one of the harts from the design."""
        return sum(hart.base != "rv64i" for hart in self.harts) == 1

    def tile(self) -> int:
        """The number of the one hart that a co-simulation takes from the design: of RV32.

        Raises:
            TrapezeError: there is none, or more than one.
        """
        found = [number for number, hart in enumerate(self.harts) if hart.base != "rv64i"]
        if len(found) != 1:
            raise TrapezeError(
                f"configuration {self.name} has {len(found) or 'no'} RV32 hart{'s' if len(found) > 1 else ''}, and "
                f"engine timed takes one from the RTL; use --engine {'rtl' if self.has_rtl else 'model'}"
            )
        return found[0]

    def design(self) -> str:
        """The CAPI2 core that holds the platform.

        Raises:
            TrapezeError: there is none, the platform is for the model alone.
        """
        if self.top is None:
            raise TrapezeError(f"configuration {self.name} has no RTL, only the model runs it; use --engine model")
        return self.top

    @property
    def corner(self) -> bool:
        """Whether this combines values that are rarely chosen, to be tested and not to be used."""
        return self.name.startswith(CORNER)

    @property
    def platform(self) -> Platform:
        """All of it as one value: harts, addresses, wires."""
        harts = self.every or self.harts
        regions = own_map.regions(self.map, harts, self.regions) if self.regions else None
        return platform.complete(self.name, self.map, harts, regions, self.clocks, self.shared_memory)

    def changed(self, **values: Any) -> Config:
        """The same with other properties of hart 0."""
        return replace(self, harts=(replace(self.first, **values), *self.harts[1:]))

    def labels(self, hart: int | None = None) -> dict[str, str]:
        """How rows of results name interrupt scheme and ABI: of a hart, or of all, where not all have the same."""
        of = self.harts if hart is None else (self.harts[hart],)
        names = {"scheme": [one.scheme for one in of], "abi": [one.abi for one in of]}
        return {name: " + ".join(dict.fromkeys(values)) for name, values in names.items()}

    def to_json(self) -> dict[str, Any]:
        """All that is set, after defaults, as result files keep it; with several harts each of them, too."""
        own = {"top": self.top, "map": self.map, "extends": self.extends} | self.first.to_json()
        own |= {"harts": [one.to_json() for one in self.harts]} if len(self.harts) > 1 else {}
        own |= {"regions": {one.name: one.to_json() for one in self.regions}} if self.regions else {}
        own |= {"shared_memory": asdict(self.shared_memory)} if self.shared_memory is not None else {}
        return own | ({"clocks": asdict(self.clocks)} if self.clocks != DEFAULT_CLOCKS else {})


def every_name(folder: Path | None = None, corners: bool = True) -> list[str]:
    """The names of all configurations, sorted; `corners`: those that are there to be tested, too."""
    found = (folder or paths.CONFIGS).glob("*.yaml")
    return sorted(path.stem for path in found if corners or not path.stem.startswith(CORNER))


def names(
    folder: Path | None = None, variants: bool = True, several_harts: bool = True, corners: bool = True
) -> list[str]:
    """The names of all configurations that there is a design of, sorted.

    Args:
        folder: Where their files are.
        variants: Those that extend another one, too.
        several_harts: Those of more than one hart, too.
        corners: Include those that exist only for tests.
    """
    folder = folder or paths.CONFIGS
    loaded = {name: load(name, folder) for name in every_name(folder, corners)}
    return [
        name
        for name, one in loaded.items()
        if one.has_rtl and (variants or not one.variant) and (several_harts or len(one.harts) == 1)
    ]


def load(name: str, folder: Path | None = None) -> Config:
    """Read a configuration.

    Raises:
        TrapezeError: there is none of that name, or its file breaks the schema.
    """
    folder = folder or paths.CONFIGS
    return _load(name, folder, _state(folder))


def _state(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Changes when a file of the folder does: names, times, sizes."""
    found = [(one, one.stat()) for one in folder.iterdir() if one.suffix in (".yaml", ".json")]
    return tuple(sorted((one.name, about.st_mtime_ns, about.st_size) for one, about in found))


@cache
def _load(name: str, folder: Path, state: tuple[tuple[str, int, int], ...]) -> Config:
    """As `load`; files are read and checked once for each `state`, since checking takes longer than all else."""
    del state
    known = every_name(folder)
    if name not in known:
        raise TrapezeError(f"unknown configuration '{name}'; {choices(name, known)}")
    raw = _read(name, folder, known, ())
    return _config(name, raw, _schema(folder), str(folder / f"{name}.yaml"))


def _schema(folder: Path) -> Path:
    own = folder / "config.schema.json"
    return own if own.exists() else SCHEMA


def whole(name: str) -> dict[str, Any]:
    """The content of a configuration's file upon that of the one it extends.

    Raises:
        TrapezeError: there is none of that name, or its file breaks the schema.
    """
    known = every_name()
    if name not in known:
        raise TrapezeError(f"unknown configuration '{name}'; {choices(name, known)}")
    return _read(name, paths.CONFIGS, known, ())


def complete(name: str, raw: dict[str, Any], where: str) -> Config:
    """A configuration from the whole content of a file, checked against the schema; `where` names the file.

    Raises:
        TrapezeError: values of the file contradict each other.
    """
    return _config(name, raw, SCHEMA, where)


def _read(name: str, folder: Path, known: list[str], seen: tuple[str, ...]) -> dict[str, Any]:
    """The content of a file upon that of the file it extends; checked. `seen`: what led here, outermost first."""
    path = folder / f"{name}.yaml"
    raw: dict[str, Any] = load_yaml(path, _schema(folder))
    if "extends" not in raw:
        return raw
    base, way = raw["extends"], (*seen, name)
    if base not in known:
        raise TrapezeError(f"{path}: extends: unknown configuration '{base}'; {choices(base, known)}")
    if base in way:
        raise TrapezeError(f"{path}: extends: goes round in a circle: {' -> '.join((*way, base))}")
    under = _read(base, folder, known, way)
    whole = merge(under, raw)
    # Without the key the schema asks for everything.
    validate({key: value for key, value in whole.items() if key != "extends"}, _schema(folder), str(path))
    return whole


def merge(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Mappings key by key, everything else as `over` has it; a region that `under` adds and `over` removes is gone."""
    known = [key for key in over if isinstance(under.get(key), dict)]
    both = {key: merge(under[key], over[key]) for key in known if isinstance(over[key], dict)}
    removed = [key for key in known if over[key] is None and "like" in under[key]]
    return {key: value for key, value in (under | over | both).items() if key not in removed}


def _defaults(rules: dict[str, Any]) -> dict[str, Any]:
    return {key: rule["default"] for key, rule in rules.items() if "default" in rule}


def _irq(raw: dict[str, Any], rules: dict[str, Any], where: str) -> dict[str, Any]:
    """The fields that come from `irq`, complete; `where` names the file."""
    scheme = raw["scheme"]
    for key in raw:
        if key in IRQ_KEYS and scheme not in IRQ_KEYS[key]:
            raise TrapezeError(f"{where}: irq.{key}: not for scheme {scheme}, only for {', '.join(IRQ_KEYS[key])}")
    own = {key: value for key, value in _defaults(rules).items() if scheme in IRQ_KEYS.get(key, (scheme,))} | raw
    if scheme in IRQ_KEYS["sources"]:
        needed = own["line_base"] + own["lines"]
        own.setdefault("sources", needed)
        if not needed <= own["sources"] <= MAX_SOURCES:
            raise TrapezeError(
                f"{where}: irq.sources: {own['sources']} is not possible; line_base {own['line_base']} and "
                f"{own['lines']} lines need {needed}, and a CLIC has at most {MAX_SOURCES}"
            )
    if own.get("uintr") and not own["user"]:
        raise TrapezeError(f"{where}: irq.uintr: needs irq.user")
    return own


def _pmp(raw: dict[str, Any], rules: dict[str, Any], where: str) -> dict[str, Any]:
    """The fields that come from `pmp`, complete; `where` names the file."""
    own = _defaults(rules) | raw
    if not own["regions"] and (own["grain"] or own["smepmp"]):
        raise TrapezeError(f"{where}: pmp: grain and smepmp need regions, which are 0")
    return own


def _map(name: str, where: str) -> str:
    """The name of a memory map that there is."""
    known = sorted(path.stem for path in paths.MAPS.glob("*.json"))
    if name not in known:
        raise TrapezeError(f"{where}: map: unknown memory map '{name}'; {choices(name, known)}")
    return name


def _require_for_uintr(full: dict[str, Any], where: str) -> None:
    """What user interrupts from hart to hart need, where a file wants them."""
    irq = full["irq"]
    if not irq.get("uintr"):
        return
    if "a" not in full["isa"]["extensions"]:
        raise TrapezeError(f"{where}: irq.uintr: needs the extension a")
    if full.get("top") and (
        irq["scheme"] != "fastirq" or irq.get("banks") == 0 or not full.get("pmp", {}).get("regions")
    ):
        raise TrapezeError(f"{where}: irq.uintr: a design needs scheme fastirq with banks, and pmp.regions")


def _require_for_whole_frames(irq: dict[str, Any], where: str) -> None:
    """What frames of all registers need, where a file wants them."""
    if irq.get("whole_frames") and (irq.get("banks") == 0 or irq.get("user")):
        raise TrapezeError(f"{where}: irq.whole_frames: needs banks, which are not 0, and goes without user")


def _hart(full: dict[str, Any], rules: dict[str, Any], where: str) -> Hart:
    """A hart of a file's content, complete; `where` names the file."""
    extensions = full["isa"]["extensions"]
    if "d" in extensions and "f" not in extensions:
        raise TrapezeError(f"{where}: isa.extensions: d needs f")
    if full["abi"] == "lp64d" and "d" not in extensions:
        raise TrapezeError(f"{where}: abi: lp64d needs extension d")
    _require_for_uintr(full, where)
    _require_for_whole_frames(full["irq"], where)
    if (name := full.get("timing")) is not None:
        if full["isa"]["base"] != "rv64i":
            raise TrapezeError(f"{where}: timing: only of rv64i; the time of {full['isa']['base']} is that of its RTL")
        timing.load(name, f"{where}: timing")
    elif "memory_latency" in full:
        raise TrapezeError(f"{where}: memory_latency: needs timing, a number of which it replaces")
    return Hart(
        base=full["isa"]["base"],
        extensions=tuple(sorted(extensions, key=ORDER.index)),
        abi=full["abi"],
        supervisor=full["isa"].get("supervisor", False),
        reset_vector=full["reset_vector"],
        hart_id=full["hart_id"],
        timing=name,
        memory_latency=full.get("memory_latency"),
        **(_defaults(rules["core"]["properties"]) | full.get("core", {})),
        **_irq(full["irq"], rules["irq"]["properties"], where),
        **_pmp(full.get("pmp", {}), rules["pmp"]["properties"], where),
    )


def _harts(full: dict[str, Any], rules: dict[str, Any], schema: Path, where: str) -> Iterator[Hart]:
    """The harts of a file with `harts`, each an entry upon the rest of the file; its number is added to `hart_id`."""
    common = {key: value for key, value in full.items() if key not in ("harts", "extends")}
    entries = [merge(common | {"hart_id": common["hart_id"] + n}, entry) for n, entry in enumerate(full["harts"])]
    # Beside a hart of which there is no design, others need not name theirs.
    alone = {"top": None} if "top" not in full and any(one["isa"]["base"] == "rv64i" for one in entries) else {}
    for number, entry in enumerate(entries):
        place = f"{where}: harts.{number}"
        whole = entry | (alone if entry["isa"]["base"] != "rv64i" else {})
        validate(whole, schema, place)
        yield _hart(whole, rules, place)


def _require_own_ids(harts: Sequence[Hart], where: str) -> None:
    """Refuse two harts of one `hart_id`.

    Raises:
        TrapezeError: names them.
    """
    known: dict[int, int] = {}
    for number, hart in enumerate(harts):
        if (other := known.setdefault(hart.hart_id, number)) != number:
            raise TrapezeError(
                f"{where}: harts.{number}: has hart_id {hart.hart_id}, which harts.{other} has; give it another one"
            )


def _with_own_map(made: Config, regions: dict[str, Any], clocks: dict[str, Any], where: str) -> Config:
    """The configuration with what its file says of addresses and clocks; `where` names the file."""
    whole = replace(made, regions=own_map.changes(regions), clocks=Clocks(**clocks))
    try:
        own_map.regions(made.map, made.harts, whole.regions)
        if made.has_rtl:
            own_map.require_design(whole.regions)
    except MapError as error:
        raise TrapezeError(f"{where}: {error}") from None
    return whole


def _config(name: str, raw: dict[str, Any], schema: Path, where: str) -> Config:
    rules = json.loads(SCHEMA.read_text())["properties"]
    full = _defaults(rules) | raw
    harts = tuple(_harts(full, rules, schema, where)) if "harts" in full else (_hart(full, rules, where),)
    _require_own_ids(harts, where)
    if "top" in full and any(hart.base == "rv64i" for hart in harts):
        raise TrapezeError(f"{where}: top: there is no design of an rv64i hart, only the model has one; leave top out")
    made = Config(name, full["summary"], full.get("top"), harts, _map(full["map"], where), full.get("extends"))
    if "shared_memory" in full:
        if made.has_rtl or not made.has_tile:
            raise TrapezeError(f"{where}: shared_memory: is for harts of rv64i beside one of RV32")
        memory = SharedMemory(**full["shared_memory"])
        if memory.turn == 0 and memory.beats > MOST_UNBOUNDED:
            raise TrapezeError(
                f"{where}: shared_memory: without turns (turn: 0) at most {MOST_UNBOUNDED} beats are modelled, and "
                f"{memory.beats} are asked for; say turn: 1"
            )
        made = replace(made, shared_memory=memory)
    return _with_own_map(made, full.get("regions", {}), full.get("clocks", {}), where)
