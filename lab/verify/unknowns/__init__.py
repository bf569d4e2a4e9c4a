# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Unknown values: a simulator that has them shows that none reaches what software or another block sees."""
