# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Registers of all blocks as a C++ header, for the simulator's debugger."""

from __future__ import annotations

from collections.abc import Iterator

from generator.description import Field, Region, Register
from generator.text import NOTICE, ORIGIN, camel

_HEAD = f"""// {NOTICE}
//
// {ORIGIN}
/**
 * @file
 * Blocks and their registers. Offsets in bytes, widths in bits.
 */
#ifndef TRAPEZE_DEVICES_HPP_
#define TRAPEZE_DEVICES_HPP_

#include <cstdint>
#include <span>
#include <string_view>

namespace trapeze::devices {{

/** A value of a field that has a name. */
struct Value {{
  std::uint32_t value;
  std::string_view name;
}};

struct Field {{
  std::string_view name;
  unsigned low;
  unsigned width;
  std::span<const Value> values;
}};

/** A register, or `count` of them, `stride` apart. `mode`: the field that must be set for it to be there, in the place
 * of another one; empty: none. */
struct Register {{
  std::string_view name;
  std::uint32_t offset;
  unsigned width;
  unsigned count;
  std::uint32_t stride;
  bool readable;
  std::string_view mode;
  std::span<const Field> fields;
}};

struct Block {{
  std::string_view name;
  std::span<const Register> registers;
}};
"""


def _text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _array(kind: str, name: str, rows: list[str]) -> Iterator[str]:
    yield f"inline constexpr {kind} {name}[] = {{"
    yield from (f"    {row}," for row in rows)
    yield "};"


def _field(field: Field, values: str) -> str:
    return f"{{{_text(field.name)}, {field.lsb}, {field.width}, {values}}}"


def _register(register: Register, fields: str) -> str:
    readable = "true" if "r" in register.access else "false"
    where = f"0x{register.offset:x}, {register.width}, {register.count}, {register.stride}"
    return f"{{{_text(register.name)}, {where}, {readable}, {_text(register.mode or '')}, {fields}}}"


def _block(block: Region) -> Iterator[str]:
    """The registers of a block: values and fields in front of what has them."""
    rows = []
    for register in block.registers:
        name = f"k{camel(block.name)}{camel(register.mode or '')}{camel(register.name)}"
        fields = []
        for field in register.fields:
            values = f"{name}{camel(field.name)}Values" if field.values else "{}"
            if field.values:
                named = [f"{{0x{one.value:x}, {_text(one.name)}}}" for one in field.values]
                yield from _array("Value", values, named)
            fields.append(_field(field, values))
        yield from _array("Field", f"{name}Fields", fields)
        rows.append(_register(register, f"{name}Fields"))
    yield from _array("Register", f"k{camel(block.name)}Registers", rows)
    yield ""


def render(blocks: list[Region]) -> str:
    """The header."""
    lines = [_HEAD, *(line for block in blocks for line in _block(block))]
    lines += _array("Block", "kBlocks", [f"{{{_text(one.name)}, k{camel(one.name)}Registers}}" for one in blocks])
    lines += ["", "}  // namespace trapeze::devices", "", "#endif  // TRAPEZE_DEVICES_HPP_", ""]
    return "\n".join(lines)
