# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Bitstreams: a configuration with its firmware on a board with an ECP5, by Yosys, nextpnr and ecppack.

Boards are files in `synth/boards`; the design around the SoC is `hw/board`.
"""
