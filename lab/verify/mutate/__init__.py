# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Mutation testing of the RTL: wrong designs, made one at a time, that the tests must find; see README.md."""
