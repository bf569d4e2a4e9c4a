# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Blocks of the main program that use the platform's devices: as sources of interrupts, and their registers."""

from __future__ import annotations

from verify.random.clic.handlers import pack
from verify.random.clic.main import Main
from verify.random.programs.blocks import devices


def timer(main: Main) -> None:
    """Let the timer's source become pending soon."""
    rng, platform, clic = main.rng, main.platform, main.clic
    value = pack(0, rng.choice((0, 1, 1)), rng.choice((0, 1, 0, 1, 2, 3, 4, 5)), main.control())
    if value >> 17 & 3 == 2:
        value &= ~(1 << 18)
    main.text(f"li x6, {clic.word(7):#x}", f"li x5, {value:#x}", "sw x5, 0(x6)")
    main.text(f"li x6, {platform.mtime:#x}", "lw x5, 0(x6)", f"addi x5, x5, {rng.choice((0, 5, 30, 100, 300))}")
    main.text(f"li x6, {platform.mtimecmp:#x}", "sw x5, 0(x6)", "sw x0, 4(x6)")


def software(main: Main) -> None:
    """The software interrupt, on or off."""
    rng, platform, clic = main.rng, main.platform, main.clic
    value = pack(rng.choice((0, 1)), rng.choice((0, 1)), main.attributes(), main.control())
    main.text(f"li x6, {clic.word(3):#x}", f"li x5, {value:#x}", "sw x5, 0(x6)")
    main.text(f"li x6, {platform.msip:#x}", f"li x5, {rng.choice((0, 1, 1))}", "sw x5, 0(x6)")
    main.work.some(3)
    if rng.random() < 0.5:
        main.text(f"li x6, {platform.msip:#x}", "sw x0, 0(x6)")


def external(main: Main) -> None:
    """The UART asks for attention because it has nothing to send."""
    rng, platform, clic = main.rng, main.platform, main.clic
    value = pack(0, rng.choice((0, 1)), rng.choice((0, 1, 2, 3)), main.control())
    main.text(f"li x6, {clic.word(11):#x}", f"li x5, {value:#x}", "sw x5, 0(x6)")
    main.text(f"li x6, {platform.uart_ier:#x}", "li x5, 2", "sb x5, 0(x6)")


def a_device(main: Main) -> None:
    """Registers of the UART, the clock or the latency measurement, read and written while nothing interrupts."""
    to = devices.Emitter(main.rng, main.platform, main.text, "x6", "x5", lambda: main.nops(3))
    with main.locked():
        main.rng.choice((devices.uart, devices.clock, devices.bench))(to)
        # The program sends a byte by UART at its end.
        to.point(main.platform.uart)
        for name in ("mcr", "fcr", "ier"):
            to.store(main.platform.uart_registers[name] - main.platform.uart, 0, "sb")
