# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Instruction encodings as three parties read them that share no line: GNU binutils, the core's ID stage, the model.

Each is asked for a list of words, and says of every word which `instruction.Instruction` it is, or nothing.
"""
