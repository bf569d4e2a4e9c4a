# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Silicon cost: area in gates by Yosys, and LUTs, flip-flops and frequency on an ECP5 by Yosys and nextpnr.

What the flows use stands in the room `synth/`: the cell library, the mapping script, the wrapper that registers pins.
"""
