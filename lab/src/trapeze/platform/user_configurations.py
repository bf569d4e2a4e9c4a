# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Configurations of the user's own: a file anywhere (`--config ./mine.yaml`), and one with parameters set (`--set`).

A file is one like those of `configs/`; it may extend one of these by name, or another file by its path from there. Its
configuration is named after the file and what is in it, one with parameters set after these: the name is that of the
simulator that is built for it, once.
"""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from trapeze.common.errors import TrapezeError, choices
from trapeze.common.schema import load_yaml, validate
from trapeze.platform import configurations
from trapeze.platform.configurations import Config

SUFFIXES = (".yaml", ".yml")

NOT_SET = ("schema", "summary", "extends", "harts", "regions", "clocks")
"""Keys of a file that are no parameters."""

DIGITS = 8
"""Digits of the hash in the name of a file's configuration."""

_HART_NAMED = re.compile(r"hart(\d+)-(.+)")
_OF_HART = re.compile(r"harts\.(\d+)\.(.+)")


def is_path(name: str) -> bool:
    """Whether a name is that of a file."""
    return "/" in name or name.endswith(SUFFIXES)


def choose(name: str, settings: Sequence[str] = (), folder: Path | None = None) -> Config:
    """A configuration by its name or by the path of its file, with parameters set.

    Args:
        name: As on the command line. That of one with parameters set, `mcu-fastirq.banks-4`, is one, too.
        settings: Parameters, `KEY=VALUE` each.
        folder: Where paths begin; None: the working directory.

    Raises:
        TrapezeError: there is none, its file is wrong, or a parameter is.
    """
    if not is_path(name):
        name, named = _named(name)
        settings = (*named, *settings)
        if not settings:
            return configurations.load(name)
        return _with(name, configurations.whole(name) | {"extends": name}, settings, ("--config", name))
    path = (folder or Path()) / name
    if not path.exists():
        raise TrapezeError(f"{path}: no such file; name one like those of configs/, or one of `trapeze configs`")
    raw = _whole(path, ())
    digest = hashlib.sha256(json.dumps(raw, sort_keys=True).encode()).hexdigest()[:DIGITS]
    stem = re.sub(r"[^A-Za-z0-9_-]", "-", path.stem)
    words = ("--config", str(path))
    if settings:
        return _with(f"{stem}.{digest}", raw, settings, words)
    return replace(configurations.complete(f"{stem}.{digest}", raw, str(path)), own=words)


def _named(name: str) -> tuple[str, tuple[str, ...]]:
    """What a name of `_with` was made of; another name as it is."""
    base, *parts = name.split(".")
    known = configurations.every_name()
    if name in known or base not in known:
        return name, ()
    short = {key.replace("_", "-"): key for key in sorted(parameters(), key=len)}
    settings = []
    for part in parts:
        hart, text = (found[1], found[2]) if (found := _HART_NAMED.fullmatch(part)) is not None else ("", part)
        key = next((one for one in reversed(short) if text.startswith(f"{one}-")), None)
        if key is None:
            return name, ()
        value = text.removeprefix(f"{key}-")
        value = value.replace("-", ",") if parameters()[short[key]][1].get("type") == "array" else value
        settings.append(f"{f'harts.{hart}.' if hart else ''}{short[key]}={value}")
    return base, tuple(settings)


def _whole(path: Path, seen: tuple[Path, ...]) -> dict[str, Any]:
    """The content of a file upon that of the one it extends; checked. `seen`: what led here."""
    raw: dict[str, Any] = load_yaml(path, configurations.SCHEMA)
    if "extends" not in raw:
        return raw
    base = str(raw["extends"])
    if is_path(base):
        under_file = path.parent / base
        if under_file.resolve() in (one.resolve() for one in (*seen, path)):
            raise TrapezeError(f"{path}: extends: goes round in a circle: {base} extends this file")
        under = _whole(under_file, (*seen, path))
    else:
        known = configurations.every_name()
        if base not in known:
            raise TrapezeError(f"{path}: extends: unknown configuration '{base}'; {choices(base, known)}")
        under = configurations.whole(base)
    made = configurations.merge(under, raw)
    _require(made, str(path))
    return made


def _require(raw: Mapping[str, Any], where: str) -> None:
    """Without the key `extends` the schema asks for everything."""
    validate({key: value for key, value in raw.items() if key != "extends"}, configurations.SCHEMA, where)


def parameters() -> dict[str, tuple[tuple[str, ...], Mapping[str, Any]]]:
    """Every parameter that can be set, by its own name: where it stands in a file, and its rules."""
    rules = json.loads(configurations.SCHEMA.read_text())["properties"]
    return {way[-1]: (way, rule) for way, rule in _leaves(rules, ()) if way[0] not in NOT_SET}


def _leaves(rules: Mapping[str, Any], way: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    for name, rule in rules.items():
        if rule.get("type") == "object":
            yield from _leaves(rule.get("properties", {}), (*way, name))
        else:
            yield (*way, name), rule


def _with(name: str, raw: Mapping[str, Any], settings: Sequence[str], words: tuple[str, ...]) -> Config:
    """A configuration with parameters set."""
    full = copy.deepcopy(dict(raw))
    where = " ".join(f"--set {one}" for one in settings)
    named = {}
    for text in settings:
        way, value = _setting(text)
        if ".".join(way) in named:
            raise TrapezeError(f"--set {text}: {way[-1]} is set twice; give one")
        _put(full, way, value, text)
        named[".".join(way)] = re.sub(r"[^A-Za-z0-9]+", "-", f"{way[-1]}-{_written(value)}").strip("-")
        if way[0] == "harts":
            named[".".join(way)] = f"hart{way[1]}-{named['.'.join(way)]}"
    _require(full, where)
    both = f"{name}.{'.'.join(named[key] for key in sorted(named))}"
    own = (*words, *(word for one in settings for word in ("--set", one)))
    summary = f"{full['summary']}; {', '.join(settings)}"
    return replace(configurations.complete(both, full | {"summary": summary}, where), own=own)


def _written(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value).lower()


def _setting(text: str) -> tuple[tuple[str, ...], object]:
    """What `KEY=VALUE` sets: where it stands in a file, and its value.

    Raises:
        TrapezeError: there is no such parameter, or no value.
    """
    key, equals, value = text.partition("=")
    if not key.strip():
        raise TrapezeError(f"--set '{text}': names no parameter; use --set KEY=VALUE, such as banks=4")
    hart: tuple[str, ...] = ()
    name = key.strip()
    if (found := _OF_HART.fullmatch(name)) is not None:
        hart, name = ("harts", found[1]), found[2]
    known = parameters()
    dotted = {".".join(way): short for short, (way, _) in known.items()}
    short = dotted.get(name, name)
    if short not in known:
        raise TrapezeError(f"--set {text}: unknown parameter '{name}'; {choices(name, known)}")
    if not equals or not value.strip():
        raise TrapezeError(f"--set {text}: has no value; use --set {key}=VALUE")
    way, rule = known[short]
    if rule.get("type") == "array":
        return (*hart, *way), [word.strip() for word in value.strip(" []").split(",") if word.strip()]
    try:
        return (*hart, *way), yaml.safe_load(value)
    except yaml.YAMLError:
        raise TrapezeError(f"--set {text}: '{value}' is no value; use a number, a word, true or false") from None


def _put(raw: dict[str, Any], way: Sequence[str], value: object, text: str) -> None:
    """Set a value in the content of a file."""
    place: Any = raw
    for step in way[:-1]:
        if isinstance(place, list) or step == "harts":
            place = _hart(raw, place, step, text)
        else:
            place = place.setdefault(step, {})
    place[way[-1]] = value


def _hart(raw: Mapping[str, Any], place: Any, step: str, text: str) -> Any:
    """The next place on the way to an entry of `harts`."""
    harts = raw.get("harts", [])
    if step == "harts":
        if not harts:
            raise TrapezeError(f"--set {text}: the configuration has one hart; leave out harts.N.")
        return harts
    if int(step) >= len(place):
        raise TrapezeError(f"--set {text}: there is no hart {step}; use harts.0 to harts.{len(place) - 1}")
    return place[int(step)]
