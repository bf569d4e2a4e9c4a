# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The kind `throughput`: events in a span of cycles."""

from __future__ import annotations

from trapeze.experiments.measuring import Kind
from trapeze.experiments.throughput import measure

KINDS = {
    "throughput": Kind(measure.check, measure.measure, beside=True),
}
