# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The bench around the netlist: it resets the design, lets it run a program, and looks at everything that comes out.

After the reset these are never X: valid signals (requests, retirements, claims, bytes of the console, exits), outputs
without a valid signal, and the payload of a valid signal while that is high.

What software may find in any state holds a value: the integer registers, whose content lockstep judges, and memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from trapeze.common import paths
from trapeze.platform.configurations import Config
from verify.dev.release import structures
from verify.unknowns.netlist import Netlist, Parts

PICKED = "picked.txt"
"""File with a 0 or 1 for each register: those with 1 start with zero instead of X."""

_OF = {"rvfi": "rvfi_valid_o", "irq_event": "irq_event_valid_o", "exit_code": "exit_valid_o"}
"""Outputs by hart that mean something while another one is high, by the beginning of their names."""
_FRAME = ("observe_frame_we_o", "observe_frame_addr_o")
_PORTS = ("data", "instr", "frame")

_TEXT = """`timescale 1ns/1ns
// Generated; do not edit.
module bench;
  reg clk = 1'b0, clk_bench = 1'b0, rst_n = 1'b1;
  integer cycle = 0, until_cycle = 0, i;
  reg picked [0:{last}];
{wires}
  {top} dut (
{ports}
  );
  initial begin
    if (!$value$plusargs("until=%d", until_cycle)) until_cycle = 1000000;
    $readmemb("{picked_file}", picked);
{start}
    #1 rst_n = 1'b0;
    repeat (8) begin
      #5 clk = ~clk;
      clk_bench = clk;
    end
    rst_n = 1'b1;
    forever begin
      #5 clk = ~clk;
      clk_bench = clk & bench_active_o;
    end
  end

  task unknown(input [8*48-1:0] what);
    begin
      $display("\\nunknown %0s in cycle %0d", what, cycle);
      $finish;
    end
  endtask

  always @(posedge clk) if (rst_n) begin
{checks}
    if (uart_tx_valid_o === 1'b1) $write("%c", uart_tx_data_o);
    if (|exit_valid_o === 1'b1) begin
      $display("\\nexit %0d", {code});
      $finish;
    end
    cycle = cycle + 1;
    if (cycle > until_cycle) $finish;
  end
endmodule
"""

_INPUTS = {"clk_i": "clk", "clk_bench_i": "clk_bench", "rst_ni": "rst_n", "uart_tx_ready_i": "1'b1"}


def _check(name: str, bits: str, when: str = "") -> str:
    condition = f"{when} && " if when else ""
    return f'    if ({condition}^{bits} === 1\'bx) unknown("{name}");'


def _slice(vector: str, width: int, place: int, of: int) -> str:
    """One element of a vector of so many."""
    if of == 1:
        return vector
    return f"{vector}[{width * place} +: {width}]" if width > 1 else f"{vector}[{place}]"


def _outputs(netlist: Netlist, harts: int) -> Iterator[str]:
    """Checks of the outputs. Of an array by hart the first element has the highest bits."""
    for name, (way, width) in netlist.ports.items():
        if way != "output":
            continue
        owner = next((valid for start, valid in _OF.items() if name.startswith(start) and name != valid), None)
        if name == "uart_tx_data_o":
            yield _check(name, name, "uart_tx_valid_o === 1'b1")
        elif owner is not None or name in _FRAME:
            for hart in range(harts):
                place = harts - 1 - hart
                own = _slice(name, width // harts, place, harts)
                valid = _slice(owner, 1, hart, harts) if owner else _slice("observe_frame_req_o", 1, place, harts)
                yield _check(f"{name} of hart {hart}", own, f"{valid} === 1'b1")
        else:
            yield _check(name, name)


def _part(parts: Parts, low: int, high: int) -> str:
    """An expression for these bits of a hart's requests; empty: they are constant, or an output."""
    found = []
    for name, first, last in parts:
        begin, end = max(first, low), min(last, high)
        if begin <= end:
            found.append(f"dut.{name} " + ("" if first == last else f"[{end}:{begin}]"))
    return f"{{{', '.join(found)}}}" if found else ""


def _requests(netlist: Netlist) -> Iterator[str]:
    """Checks of what the cores ask for. Data count in a write, byte by byte; a frame has whole words."""
    text = (paths.ROOT / "hw/common/rtl/obi_pkg.sv").read_text()
    fields = next(bits for name, bits in structures(text) if name == "obi_req_t")
    width = fields[0][1] + 1
    at = {name: (low, high) for name, high, low in fields}
    harts = len(netlist.requests)
    for hart, parts in enumerate(netlist.requests):
        for port, name in enumerate(_PORTS):

            def bits(low: int, high: int, parts: Parts = parts, base: int = width * port) -> str:
                return _part(parts, base + low, base + high)

            frame = {one: _slice(f"observe_frame_{one}_o", 1, harts - 1 - hart, harts) for one in ("req", "we")}
            req, we = (bits(*at[one]) or (frame[one] if name == "frame" else "") for one in ("req", "we"))
            asks = f"{req} === 1'b1" if req else ""
            for field in ("req", "prv", "atop", "we", "be", "addr"):
                if found := bits(*at[field]):
                    yield _check(f"{field} of hart {hart}, {name}", found, "" if field == "req" else asks)
            for byte in range(4 if we else 0):
                lane = bits(at["wdata"][0] + 8 * byte, at["wdata"][0] + 8 * byte + 7)
                enabled = bits(at["be"][0] + byte, at["be"][0] + byte) or "1'b1"
                if lane:
                    when = f"{asks} && {we} === 1'b1 && {enabled} === 1'b1"
                    yield _check(f"wdata of hart {hart}, {name}", lane, when)


def _start(config: Config, netlist: Netlist) -> Iterator[str]:
    """Memories, registers that are picked, and the integer registers."""
    for number, name in enumerate(netlist.registers):
        yield f"    if (picked[{number}]) dut.{name} = 0;"
    for name, words in netlist.memories.items():
        if ".u_regfile." in name:
            yield f"    for (i = 0; i < {words}; i = i + 1) dut.{name} [i] = 32'h5a5a0000 + i;"
    for memory in config.platform.memories:
        for name, words in netlist.memories.items():
            if name.endswith(f".u_{memory.name}.mem"):
                yield f"    for (i = 0; i < {words}; i = i + 1) dut.{name} [i] = 0;"
                yield f'    $readmemh("{memory.name}.hex", dut.{name} );'


def text(config: Config, netlist: Netlist, top: str) -> str:
    """The bench, in Verilog."""
    wires, ports = [], []
    for name, (way, width) in netlist.ports.items():
        if way == "output":
            wires.append(f"  wire [{width - 1}:0] {name};")
        ports.append(f"    .{name}({name if way == 'output' else _INPUTS.get(name, f'{width}' + chr(39) + 'd0')})")
    harts = len(config.harts)
    # One program runs on all harts: the first one that exits ends the run.
    code = _slice("exit_code_o", 32, 0, harts)
    for hart in reversed(range(harts - 1)):
        code = f"exit_valid_o[{hart}] ? {_slice('exit_code_o', 32, harts - 1 - hart, harts)} : {code}"
    return _TEXT.format(
        top=top,
        last=len(netlist.registers) - 1,
        wires="\n".join(wires),
        ports=",\n".join(ports),
        picked_file=PICKED,
        start="\n".join(_start(config, netlist)),
        checks="\n".join([*_outputs(netlist, harts), *_requests(netlist)]),
        code=code,
    )
