# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The kind `context-switch`: what a kernel takes from one task to another."""

from __future__ import annotations

from trapeze.experiments.context_switch import measure
from trapeze.experiments.measuring import Kind

KINDS = {
    "context-switch": Kind(measure.check, measure.measure, beside=True),
}
