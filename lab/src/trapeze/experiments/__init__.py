# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Experiments: their definition, and a package for each way of measuring."""
