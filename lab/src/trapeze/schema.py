# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""YAML and JSON against JSON Schemas, with errors that a person can act on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import fastjsonschema
import yaml
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.exceptions import best_match

from trapeze.errors import TrapezeError, choices

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def _validator(schema: Path) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema.read_text()))


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
    """One line for a violation: where it is, what it is, what would be right."""
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
    error = best_match(_validator(schema).iter_errors(value))
    if error is not None:
        raise TrapezeError(f"{name}: {_explain(error)}")


def read_text(path: Path) -> str:
    """The text of a file, with the file named in the error if it cannot be had."""
    try:
        return path.read_text()
    except FileNotFoundError:
        raise TrapezeError(f"{path}: no such file") from None
    except UnicodeDecodeError:
        raise TrapezeError(f"{path}: not a text file") from None
    except OSError as error:
        raise TrapezeError(f"{path}: cannot be read: {error.strerror}") from None


def load_yaml(path: Path, schema: Path) -> Any:
    """A YAML file, checked against its schema.

    Raises:
        TrapezeError: the file cannot be read, is not YAML or breaks the schema.
    """
    try:
        value = yaml.load(read_text(path), Loader=_Loader)  # noqa: S506 (a safe loader)
    except yaml.YAMLError as error:
        raise TrapezeError(f"{path}: not YAML: {' '.join(str(error).split())}") from None
    validate(value, schema, str(path))
    return value


def load_json(path: Path, schema: Path, large: bool = False) -> Any:
    """A JSON file, checked against its schema, which has to be a simple one for `large` files.

    Raises:
        TrapezeError: the file cannot be read, is not JSON or breaks the schema.
    """
    try:
        value = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise TrapezeError(f"{path}: not JSON: {error}") from None
    if not (large and accepts(value, schema)):
        validate(value, schema, str(path))
    return value
