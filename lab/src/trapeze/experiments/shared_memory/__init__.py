# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The kind `shared-memory`: a real-time hart at the memory that a busy Linux uses, and what Linux loses by it."""

from __future__ import annotations

from trapeze.experiments.measuring import Kind
from trapeze.experiments.shared_memory import measure

KINDS = {"shared-memory": Kind(measure.check, measure.measure, prepare=measure.prepare)}
