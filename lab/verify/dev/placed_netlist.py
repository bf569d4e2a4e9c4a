# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A design that nextpnr has placed on an ECP5, as Verilog: one module, each cell as what it does.

Cells with a model of their own (hw/board/test/ecp5_cells.v) are instances. A block of RAM is named `ram<n>`; it is read
when the simulation begins, from `<name>.hex`, so that another program needs no other simulator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

MODELLED = ("DP16KD", "MULT18X18D", "EHXPLLL")
WORDS = 16
"""Words of 18 bits in each of the 64 parameters of a block of RAM, 20 bits apart."""


class UnknownCellError(Exception):
    """A cell, or an option of one, that this does not know."""


def _net(bits: list[int | str]) -> str | None:
    """The wire at a pin; None: nothing is there."""
    return None if not bits else f"n{bits[0]}" if isinstance(bits[0], int) else f"1'b{bits[0]}"


def table(values: str, inputs: tuple[str, ...]) -> str:
    """What a look-up table does: `values` has the highest address first, the last input is its highest bit."""
    if "1" not in values or "0" not in values:
        return f"1'b{values[0]}"
    high, low = values[: len(values) // 2], values[len(values) // 2 :]
    if high == low:
        return table(low, inputs[:-1])
    return f"({inputs[-1]} ? {table(high, inputs[:-1])} : {table(low, inputs[:-1])})"


class _Cell:
    """A cell; its pins float to 1, as in the FPGA, and have constants and inverters in front of them."""

    def __init__(self, name: str, raw: Mapping[str, Any]) -> None:
        self.name, self.kind, self.pins = name, raw["type"], raw["connections"]
        self.options: dict[str, str] = {key: str(value).strip() for key, value in raw["parameters"].items()}

    def pin(self, name: str) -> str:
        """An input."""
        mux = self.options.get(f"{name}MUX", name)
        if mux in ("0", "1"):
            return f"1'b{mux}"
        wire = _net(self.pins.get(name, [])) or "1'b1"
        return f"(!{wire})" if mux == "INV" else wire

    def out(self, name: str) -> str | None:
        """The wire of an output that is used."""
        return _net(self.pins.get(name, []))

    def drive(self, name: str, value: str) -> Iterator[str]:
        """An assignment to an output that is used."""
        if wire := self.out(name):
            yield f"assign {wire} = {value};"


def _comb(cell: _Cell) -> Iterator[str]:
    if cell.options.get("MODE") == "RAMW_BLOCK":  # nothing but the place that a write port takes
        return
    init, mode = cell.options["INITVAL"][-16:].rjust(16, "0"), cell.options.get("MODE", "LOGIC")
    inputs = tuple(cell.pin(name) for name in "ABCD")
    value = table(init, inputs)
    if mode == "CCU2":
        alone = cell.options.get("CCU2_INJECT1") == "YES"
        carry = cell.pin("FCI")
        pair = "1'b0" if alone else table(init[-4:], inputs[:2])
        yield from cell.drive("FCO", f"({value} ? {carry} : {pair})")
        value = value if alone else f"({value} ^ {carry})"
    elif mode == "DPRAM":
        ram = f"ram_{cell.name}"
        yield f"reg [15:0] {ram} = 16'b{init};"
        address = ", ".join(cell.pin(f"WAD{bit}") for bit in (3, 2, 1, 0))
        yield f"always @(posedge {cell.pin('WCK')}) if ({cell.pin('WRE')}) {ram}[{{{address}}}] <= {cell.pin('WD')};"
        value = f"{ram}[{{{', '.join(cell.pin(name) for name in 'ACBD')}}}]"
    elif mode != "LOGIC":
        raise UnknownCellError(f"{cell.kind} {mode}")
    yield from cell.drive("F", value)
    if cell.out("FXA"):
        yield from cell.drive("OFX", f"({cell.pin('M')} ? {cell.pin('FXB')} : {cell.pin('FXA')})")
    else:
        yield from cell.drive("OFX", f"({cell.pin('M')} ? {cell.pin('F1')} : {value})")


def _flip_flop(cell: _Cell) -> Iterator[str]:
    wire = cell.out("Q")
    if wire is None:
        return
    begin = int(cell.options.get("REGSET") == "SET")
    reset = cell.pin("LSR") if cell.pins.get("LSR") else "1'b0"
    enable = cell.pin("CE")
    data = cell.pin("DI" if cell.options.get("SD", "1") == "1" else "M")
    own = f"q_{cell.name}"
    yield f"reg {own} = 1'b{begin};"
    yield f"assign {wire} = {own};"
    edges = f"posedge {cell.pin('CLK')}"
    if cell.options.get("SRMODE") == "ASYNC" and reset != "1'b0":
        yield f"wire r_{cell.name} = {reset};"
        reset = f"r_{cell.name}"
        edges += f" or posedge {reset}"
    yield f"always @({edges}) if ({reset}) {own} <= 1'b{begin}; else if ({enable}) {own} <= {data};"


def _ram_port(cell: _Cell) -> Iterator[str]:
    for number, (data, address) in enumerate(zip(("C1", "A1", "D1", "B1"), ("D0", "B0", "C0", "A0"), strict=True)):
        yield from cell.drive(f"WDO{number}", cell.pin(data))
        yield from cell.drive(f"WADO{number}", cell.pin(address))


OUTPUTS = {"DP16KD": ("DO",), "MULT18X18D": ("P",), "EHXPLLL": ("CLKOP", "LOCK")}
"""How the names of the outputs of modelled cells begin."""

INPUTS = {
    "DP16KD": (
        *(f"{name}{port}{bit}" for port in "AB" for name, n in (("DI", 18), ("AD", 14), ("CS", 3)) for bit in range(n)),
        *(f"{name}{port}" for port in "AB" for name in ("CE", "OCE", "CLK", "WE", "RST")),
    ),
    "MULT18X18D": (*(f"{name}{bit}" for name in "AB" for bit in range(18)), "SIGNEDA", "SIGNEDB"),
    "EHXPLLL": ("CLKI", "CLKFB"),
}
WIDTHS = ("DATA_WIDTH_A", "DATA_WIDTH_B")
MODES = ("WRITEMODE_A", "WRITEMODE_B")


def _modelled(cell: _Cell, name: str) -> Iterator[str]:
    if cell.kind == "DP16KD" and not cell.pins.get("CLKA"):
        raise UnknownCellError(f"{cell.kind} whose port A is not used")
    pins = [f".{pin}({cell.pin(pin)})" for pin in INPUTS[cell.kind]]
    used = {pin: bits for pin, bits in cell.pins.items() if bits and pin not in INPUTS[cell.kind]}
    pins += [f".{pin}({_net(bits)})" for pin, bits in used.items() if pin.startswith(OUTPUTS[cell.kind])]
    options = []
    if cell.kind == "DP16KD":
        odd = {"REGMODE_A": "NOREG", "REGMODE_B": "NOREG"}
        odd |= {f"CLK{port}MUX": f"CLK{port}" for port in "AB" if cell.pins.get(f"CLK{port}")}  # the other is not used
        if wrong := [key for key, value in odd.items() if cell.options.get(key, value) != value]:
            raise UnknownCellError(f"{cell.kind} with {wrong[0]} {cell.options[wrong[0]]}")
        options = [f".{key}({int(cell.options[key], 2)})" for key in WIDTHS]
        options += [f'.{key}("{cell.options[key]}")' for key in MODES]
    clocked = {key: value for key, value in cell.options.items() if key.startswith("REG_") and key.endswith("_CLK")}
    if any(value != "NONE" for value in clocked.values()):
        raise UnknownCellError(f"{cell.kind} with registers")
    chosen = f"#({', '.join(options)}) " if options else ""
    yield f"{cell.kind} {chosen}{name} ({', '.join(pins)});"


def rams(design: Mapping[str, Any]) -> dict[str, str]:
    """The blocks of RAM: their names in the design, and in the simulator."""
    found = sorted(name for name, raw in design["cells"].items() if raw["type"] == "DP16KD")
    return {name: f"ram{number}" for number, name in enumerate(found)}


def contents(design: Mapping[str, Any]) -> dict[str, str]:
    """What each block of RAM begins with, by its name in the simulator: words in hexadecimal."""
    made = {}
    for name, short in rams(design).items():
        given = design["cells"][name]["parameters"]
        words = []
        for part in range(64):
            value = int(given.get(f"INITVAL_{part:02X}", "0"), 2)
            words += [value >> 20 * word & 0x3FFFF for word in range(WORDS)]
        made[short] = "".join(f"{word:05x}\n" for word in words)
    return made


def verilog(design: Mapping[str, Any], top: str) -> str:
    """A placed design as Verilog.

    Args:
        design: Module of what nextpnr wrote (`--write`).
        top: Name for the module.

    Raises:
        UnknownCellError: there is a cell that this does not know.
    """
    names = rams(design)
    lines: list[str] = []
    pads: dict[str, list[str]] = {}
    wires = {f"n{bit}" for raw in design["cells"].values() for bits in raw["connections"].values() for bit in bits}
    for number, (name, raw) in enumerate(design["cells"].items()):
        cell = _Cell(str(number), raw)
        if cell.kind == "TRELLIS_COMB":
            lines += _comb(cell)
        elif cell.kind == "TRELLIS_FF":
            lines += _flip_flop(cell)
        elif cell.kind == "TRELLIS_RAMW":
            lines += _ram_port(cell)
        elif cell.kind == "DCCA":
            lines += cell.drive("CLKO", cell.pin("CLKI"))
        elif cell.kind == "TRELLIS_IO":
            port, _, place = name.removesuffix("$tr_io").partition("[")
            bit = f"[{place}" if place else ""
            if cell.options["DIR"] == "INPUT":
                lines += cell.drive("O", f"{port}{bit}")
                pads.setdefault(f"input  {port}", []).append(bit)
            else:
                lines.append(f"assign {port}{bit} = {cell.pin('I')};")
                pads.setdefault(f"output {port}", []).append(bit)
        elif cell.kind in MODELLED:
            lines += _modelled(cell, names.get(name, f"u{number}"))
        else:
            raise UnknownCellError(cell.kind)
    ports = []
    for pad, bits in pads.items():
        kind, port = pad.split()
        ports.append(f"{kind} wire {f'[{len(bits) - 1}:0] ' if bits[0] else ''}{port}")
    declared = "".join(f"wire {wire};\n" for wire in sorted(wires))
    return f"module {top} (\n  " + ",\n  ".join(ports) + f"\n);\n{declared}" + "\n".join(lines) + "\nendmodule\n"
