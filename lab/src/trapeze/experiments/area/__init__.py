# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The kinds `clic-area` and `core-area`: what CLIC and core cost in gates."""

from __future__ import annotations

from trapeze.experiments.area import measure, report
from trapeze.experiments.measuring import Kind

KINDS = {
    "clic-area": Kind(
        measure.check_clic, measure.measure_clic, report.show, report.clic_figures, measure.prepare, silicon=True
    ),
    "core-area": Kind(
        measure.check_core, measure.measure_core, report.show, report.core_figures, measure.prepare, silicon=True
    ),
}
