# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Mutations that nobody chose: drawn by Yosys over the hardware, found by the gates or proven to change nothing."""
