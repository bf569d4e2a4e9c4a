# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""YAML and JSON against JSON Schemas, with errors that a person can act on."""

from __future__ import annotations

import json
import math
import os
import stat
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import fastjsonschema
import yaml
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.exceptions import best_match
from referencing import Registry

from trapeze.common.errors import TrapezeError, choices
from trapeze.common.limits import MAX_TEXT

_MAX_DEPTH = 100
"""Deepest nesting of YAML: more than any schema here has."""

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def _validator(schema: Path) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema.read_text()))


def composed(schema: Mapping[str, Any], parts: Iterable[Mapping[str, Any]]) -> Draft202012Validator:
    """A schema that refers to parts of others by their `$id`."""
    registry: Registry[Any] = Registry().with_contents((part["$id"], part) for part in parts)
    return Draft202012Validator(schema, registry=registry)


_FOREIGN = {
    "prefixItems",
    "contains",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedItems",
    "unevaluatedProperties",
}
"""What fastjsonschema ignores, or understands as an older draft does."""


def _keys(schema: object) -> Iterator[str]:
    """All keys of a schema, keywords among them."""
    if isinstance(schema, dict):
        yield from schema
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _keys(part)


@cache
def _compiled(schema: Path) -> Callable[[object], object]:
    """A check that is many times as fast as the one that can explain: records have half a million values."""
    value = json.loads(schema.read_text())
    if foreign := _FOREIGN & set(_keys(value)):
        raise ValueError(f"{schema.name}: no schema for large files: {', '.join(sorted(foreign))}")
    value.pop("$id", None)  # ours are no addresses, and references are local
    compiled: Callable[[object], object] = fastjsonschema.compile(value, use_default=False)
    return compiled


def accepts(value: object, schema: Path) -> bool:
    """Whether a value keeps to a schema, which has to be a simple one."""
    try:
        _compiled(schema)(value)
    except fastjsonschema.JsonSchemaException:
        return False
    return True


def _explain(error: ValidationError) -> str:
    """One line for a violation: its place, the error, and what would be right."""
    where = ".".join(str(part) for part in error.absolute_path)
    at = f"{where}: " if where else ""
    instance: Any = error.instance
    rule: Any = error.validator_value
    schema: Any = error.schema
    if error.validator == "additionalProperties" and isinstance(instance, dict):
        known = list(schema.get("properties", {}))
        strange = [str(key) for key in instance if key not in known]
        if strange:
            return f"{at}unknown key '{strange[0]}'; {choices(strange[0], known)}"
    if error.validator == "required" and isinstance(instance, dict):
        lacking = [repr(key) for key in rule if key not in instance]
        return f"{at}missing key{'s' if len(lacking) > 1 else ''} {', '.join(lacking)}"
    if error.validator == "enum":
        return f"{at}{instance!r} is not a choice; {choices(str(instance), map(str, rule))}"
    return f"{at}{error.message}"


def validate(value: object, schema: Path, name: str) -> None:
    """Check a value against a schema file.

    Raises:
        TrapezeError: names `name`, the place in it and what is wrong.
    """
    check(value, _validator(schema), name)


def check(value: object, validator: Draft202012Validator, name: str) -> None:
    """Check a value.

    Raises:
        TrapezeError: names `name`, the place in it and what is wrong.
    """
    error = best_match(validator.iter_errors(value))
    if error is not None:
        raise TrapezeError(f"{name}: {_explain(error)}")


def read_text(path: Path) -> str:
    """The text of a file, or of a pipe, with the file named in the error if it cannot be had.

    Raises:
        TrapezeError: it is a device or a folder, has no end, or is not text.
    """
    try:
        with path.open("rb") as file:
            kind = os.fstat(file.fileno()).st_mode
            if not stat.S_ISREG(kind) and not stat.S_ISFIFO(kind):
                raise TrapezeError(f"{path}: not a regular file; name one")
            data = file.read(MAX_TEXT + 1)
    except FileNotFoundError:
        raise TrapezeError(f"{path}: no such file") from None
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise TrapezeError(f"{path}: cannot be read: {reason}") from None
    if len(data) > MAX_TEXT:
        raise TrapezeError(f"{path}: has more than {MAX_TEXT >> 20} MiB; no such file is that large")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise TrapezeError(f"{path}: not a text file") from None


@contextmanager
def _parsing(path: Path, kind: str) -> Iterator[None]:
    """Turn what a parser raises into an error that names the file."""
    try:
        yield
    except RecursionError:
        raise TrapezeError(f"{path}: not {kind} that can be read: nested too deeply") from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise TrapezeError(f"{path}: not {kind}: {' '.join(str(error).split())}") from None


def _finite(text: str) -> float:
    """A number of JSON.

    Raises:
        ValueError: it is none, or too large for one.
    """
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is not a number that can be compared")
    return value


def load_toml(path: Path) -> dict[str, Any]:
    """A TOML file.

    Raises:
        TrapezeError: the file cannot be read or is not TOML.
    """
    with _parsing(path, "TOML"):
        return tomllib.loads(read_text(path))


def _too_deep(text: str) -> bool:
    """Whether YAML is nested so deeply that the loader, which is written in C, may overflow its stack."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > _MAX_DEPTH:
            return True
    return False


def read_yaml(path: Path, check: Callable[[Any], None]) -> Any:
    """A YAML file.

    Args:
        path: The file.
        check: Refuses a content that is not right.

    Raises:
        TrapezeError: the file cannot be read, is not YAML or is not right.
    """
    with _parsing(path, "YAML"):
        text = read_text(path)
        if _too_deep(text):
            raise RecursionError
        value = yaml.load(text, Loader=_Loader)  # noqa: S506 (a safe loader)
        check(value)
    return value


def load_yaml(path: Path, schema: Path) -> Any:
    """A YAML file, checked against its schema.

    Raises:
        TrapezeError: the file cannot be read, is not YAML or breaks the schema.
    """
    return read_yaml(path, lambda value: validate(value, schema, str(path)))


def load_json(path: Path, schema: Path, large: bool = False) -> Any:
    """A JSON file, checked against its schema, which has to be a simple one for `large` files.

    Raises:
        TrapezeError: the file cannot be read, is not JSON or breaks the schema.
    """
    with _parsing(path, "JSON"):
        value = json.loads(read_text(path), parse_float=_finite, parse_constant=_finite)
        if not (large and accepts(value, schema)):
            validate(value, schema, str(path))
    return value
