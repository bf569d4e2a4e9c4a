# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Trapeze as a CPU of LiteX: core and CLIC from their plain Verilog, one Wishbone manager, LiteX's interrupt lines.

The core's three OBI ports share the Wishbone bus: loads and stores come first, then frames of fastirq, then
instructions. A port gets its grant in the cycle of the acknowledge, and its answer from a register in the next cycle.
So the order of the grants is the order in which the bus has made the accesses, which is what the core asks of its data
and frame ports.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from litex.gen import LiteXModule, Open
from litex.soc.cores.cpu import CPU, CPU_GCC_TRIPLE_RISCV32
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import wishbone
from migen import Case, Cat, ClockSignal, If, Instance, Mux, Replicate, ResetSignal, Signal

from trapeze_litex.variants import VARIANTS

RESET = 0x8000_0000
"""Where the core begins, fixed in its Verilog."""

DEVICES = 0xC000_0000
"""From here on there are devices. Instructions are not fetched from there, and frames are not stored there."""

CLIC = 0xE000_0000
CLIC_SIZE = 0x8000
FIRST_LINE = 16
"""Source of the CLIC, and bit of mip, that line 0 of LiteX is."""

SOURCES = 64
CLIC_LINES = 32
CLINT_LINES = 16

RELEASES = 8
"""Accesses in a row after which the bus is released for a cycle, so that other managers get their turn."""


def verilog() -> Path:
    """The folder with a folder of Verilog for each configuration.

    It is in the package; TRAPEZE_VERILOG names another one, such as `verilog` of a release's archive.
    """
    given = os.environ.get("TRAPEZE_VERILOG")
    return Path(given) if given else Path(__file__).parent / "verilog"


class Port(LiteXModule):  # type: ignore[misc]
    """One OBI port of the core: the vectors of its instance and the fields of these, as `obi_pkg` has them."""

    def __init__(self) -> None:
        """Take the vectors apart."""
        self.request, self.answer = Signal(84), Signal(36)
        self.wdata, self.addr, self.be = Signal(32), Signal(32), Signal(4)
        self.we, self.req, self.device = Signal(), Signal(), Signal()
        self.taken, self.answered = Signal(), Signal()  # by the bus
        self.gnt, self.rvalid, self.err, self.rdata = Signal(), Signal(), Signal(), Signal(32)
        self.comb += [
            Cat(self.wdata, self.addr, self.be, self.we, self.req).eq(self.request[:70]),
            self.answer.eq(Cat(self.rdata, self.err, self.rvalid, self.gnt)),
            self.device.eq(self.req & (self.addr >= DEVICES)),
        ]


class Bridge(LiteXModule):  # type: ignore[misc]
    """The bus of the ports: the first one that wants it gets it, and keeps it until the acknowledge."""

    def __init__(self, ports: list[tuple[Port, Any]], bus: Any) -> None:
        """Connect them.

        Args:
            ports: The most important first; each with whether its request is one for this bus.
            bus: Wishbone, with word addresses.
        """
        self.rdata, self.err = Signal(32), Signal()
        busy, done = Signal(), Signal()
        owner, chosen, first = (Signal(max=len(ports)) for _ in range(3))
        row = Signal(max=RELEASES + 1)
        choice: Any = len(ports) - 1
        wanted: Any = 0
        for number, (_, wants) in reversed(list(enumerate(ports))):
            choice = Mux(wants, number, choice)
            wanted = wanted | wants
        self.comb += [
            first.eq(choice),
            chosen.eq(Mux(busy, owner, first)),
            bus.cyc.eq(wanted & (row != RELEASES)),
            bus.stb.eq(bus.cyc),
            done.eq(bus.cyc & (bus.ack | bus.err)),
        ]
        self.sync += [
            busy.eq(bus.cyc & ~done),
            owner.eq(chosen),
            self.rdata.eq(bus.dat_r),
            self.err.eq(bus.err),
            If(~bus.cyc, row.eq(0)).Elif(done, row.eq(row + 1)),
        ]
        drive = {}
        for number, (port, _) in enumerate(ports):
            drive[number] = [
                bus.adr.eq(port.addr[2:32]),
                bus.we.eq(port.we),
                bus.sel.eq(port.be),
                bus.dat_w.eq(port.wdata),
            ]
            self.comb += port.taken.eq(done & (chosen == number))
            self.sync += port.answered.eq(port.taken)
        self.comb += Case(chosen, drive)


class Trapeze(CPU):  # type: ignore[misc]
    """The CPU: `--cpu-type trapeze`."""

    category = "softcore"
    family = "riscv"
    name = "trapeze"
    human_name = "Trapeze"
    variants = tuple(VARIANTS)
    data_width = 32
    endianness = "little"
    gcc_triple = CPU_GCC_TRIPLE_RISCV32
    linker_output_format = "elf32-littleriscv"
    nop = "nop"
    io_regions = {DEVICES: 0x1_0000_0000 - DEVICES}  # noqa: RUF012 # as LiteX declares it

    @property
    def mem_map(self) -> dict[str, int]:
        """Where LiteX puts what an SoC does not place itself."""
        return {"main_ram": 0x4000_0000, "rom": RESET, "sram": 0x9000_0000, "csr": 0xF000_0000}

    @property
    def gcc_flags(self) -> str:
        """Of the configuration, and how crt0.S and irq.h know it."""
        scheme = "CLIC" if self.has_clic else "CLINT"
        fast = " -DTRAPEZE_LITEX_FAST" if self.has_fastirq else ""
        # Without Zbs, which the core has: GCC 12.2 fails on strtof of LiteX's C library with it.
        march = "-march=rv32imc_zicsr_zifencei_zba_zbb -mabi=ilp32"
        return f"{march} -D__trapeze__ -DTRAPEZE_LITEX_{scheme}{fast} "

    def __init__(self, platform: Any, variant: str = "standard") -> None:
        """Add the CPU to a platform."""
        self.platform = platform
        self.variant = variant
        self.configuration = VARIANTS[variant]
        self.has_clic = not self.configuration.startswith("mcu-clint")
        self.has_fastirq = self.configuration.startswith("mcu-fastirq")
        self.reset = Signal()
        self.interrupt = Signal(CLIC_LINES if self.has_clic else CLINT_LINES)
        self.bus = wishbone.Interface(data_width=32, address_width=32, addressing="word")
        self.periph_buses = [self.bus]
        self.memory_buses: list[Any] = []

        self.data_port, self.frame_port, self.instr_port = data, frame, instr = Port(), Port(), Port()
        inside = Signal()
        self.bridge = Bridge(
            [
                (data, data.req & ~inside),
                (frame, frame.req & ~frame.device),
                (instr, instr.req & ~instr.device),
            ],
            self.bus,
        )
        offer, claim, pending = Signal(24), Signal(2), Signal(19)
        if self.has_clic:
            self._add_clic(data, inside, offer, claim)
        else:
            self.comb += self._answers(data, 0, 0, 0, 0)
            self.sync += pending.eq(Cat(Replicate(0, 3), self.interrupt))
        for port in (frame, instr):
            refused = Signal()
            self.sync += refused.eq(port.device)
            self.comb += self._answers(port, port.device, refused, 1, 0)

        reset = ResetSignal("sys") | self.reset
        self.cpu_params = {
            "i_clk_i": ClockSignal("sys"),
            "i_rst_ni": ~reset,
            "o_instr_req_o": instr.request,
            "i_instr_rsp_i": instr.answer,
            "o_data_req_o": data.request,
            "i_data_rsp_i": data.answer,
            "o_frame_req_o": frame.request,
            "i_frame_rsp_i": frame.answer,
            "i_irq_pending_i": pending,
            "i_irq_offer_i": offer,
            "o_irq_claim_o": claim,
            "o_post_clic_o": Open(),
            "o_post_o": Open(),
            "i_post_i": Signal(43),
            "o_sleep_o": Open(),
            "i_debug_req_i": 0,
            "i_trigger_i": 0,
            "o_debug_stop_time_o": Open(),
            "o_rvfi_o": Open(),
            "o_irq_event_o": Open(),
            "o_observe_o": Open(),
            "i_inspect_i": Signal(78),
        }
        self._add_source("trapeze_core.v")

    def _add_source(self, name: str) -> None:
        path = verilog() / self.configuration / name
        if not path.is_file():
            raise FileNotFoundError(
                f"{path}: no Verilog of {self.configuration}; `make litex` makes a package that has it"
            )
        self.platform.add_source(str(path))

    def _add_clic(self, data: Port, inside: Any, offer: Any, claim: Any) -> None:
        """The controller, which the data port reaches at once: a store that masks a line takes effect behind it."""
        request, answer, lines = Signal(84), Signal(36), Signal(SOURCES)
        self.comb += [
            inside.eq(data.req & (data.addr[15:32] == CLIC >> 15)),
            request.eq(Cat(data.request[:69], inside, data.request[70:])),
            lines.eq(Cat(Replicate(0, FIRST_LINE), self.interrupt)),
            self._answers(data, inside & answer[34], answer[33], answer[32], answer[:32]),
        ]
        self.specials += Instance(
            "tz_clic",
            i_clk_i=ClockSignal("sys"),
            i_rst_ni=~(ResetSignal("sys") | self.reset),
            i_req_i=request,
            o_rsp_o=answer,
            i_irq_i=lines,
            i_pulse_i=Signal(SOURCES),
            o_offer_o=offer,
            i_claim_i=claim,
        )
        self._add_source("tz_clic.v")

    def _answers(self, port: Port, taken: Any, answered: Any, err: Any, rdata: Any) -> list[Any]:
        """The port's answers: the bus's, and others, which never meet these."""
        return [
            port.gnt.eq(port.taken | taken),
            port.rvalid.eq(port.answered | answered),
            port.err.eq(Mux(answered, err, self.bridge.err)),
            port.rdata.eq(Mux(answered, rdata, self.bridge.rdata)),
        ]

    def add_soc_components(self, soc: Any) -> None:
        """Name the window of the CLIC in the SoC's map: CLIC_BASE of generated/mem.h."""
        if self.has_clic:
            soc.bus.add_region("clic", SoCRegion(origin=CLIC, size=CLIC_SIZE, cached=False, linker=True))

    def set_reset_address(self, reset_address: int) -> None:
        """Take the address where the core is to begin.

        Raises:
            ValueError: It is not where it does.
        """
        if reset_address != RESET:
            raise ValueError(f"Trapeze begins at {RESET:#x}, not at {reset_address:#x}")
        self.reset_address = reset_address

    def do_finalize(self) -> None:
        """Add the core."""
        self.specials += Instance("trapeze_core", **self.cpu_params)
