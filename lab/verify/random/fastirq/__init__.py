# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Random programs for configurations with fastirq, for lockstep."""
