# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Random programs for every configuration: instructions, exceptions, interrupts."""
