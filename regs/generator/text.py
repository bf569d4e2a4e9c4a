# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Common parts of the generated files of all languages."""

from __future__ import annotations

NOTICE = "Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0"
ORIGIN = "Generated from the SystemRDL in regs by regs/generate.py; do not edit."
ISA_ORIGIN = "Generated from regs/isa by regs/generate.py; do not edit."


def camel(name: str) -> str:
    """`irq_ie` as `IrqIe`."""
    return "".join(part.capitalize() for part in name.split("_"))
