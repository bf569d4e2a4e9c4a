# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Experiments: how rows are measured, and a package for each kind of experiment."""
