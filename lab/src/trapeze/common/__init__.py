# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What every part of the laboratory uses: errors, paths, files, processes, what people read on a terminal."""
