# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Parts of `generate.py`: a reader for each kind of source, and a writer for each kind of generated file."""
