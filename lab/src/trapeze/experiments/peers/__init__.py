# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The kind `peers`: other open cores beside ours."""

from __future__ import annotations

from trapeze.experiments.measuring import Kind
from trapeze.experiments.peers import figures, measure

KINDS = {
    "peers": Kind(measure.check, measure.measure, measure.show, figures.figures, measure.prepare, silicon=True),
}
