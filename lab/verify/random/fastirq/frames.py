# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Blocks of the main program of random programs for fastirq in which every word of a frame is known beforehand.

The program fills its registers with constants and waits for one interrupt, whose handler knows them: it may store
without having loaded, so that nothing has waited for a word before, and what the program finds in its registers
afterwards must be what the handler left in the frame.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from verify.random.clic.handlers import pack
from verify.random.fastirq import layout as at
from verify.random.fastirq.handlers import TABLES
from verify.random.fastirq.layout import EMRET, MFRAME, MPIE, MPP, Check
from verify.random.fastirq.main import FastMain

_INTERRUPT = 1 << 31
_MASK = 0xFFFFFFFF


@dataclass
class _Frame:
    """A frame and what is known of it.

    Attributes:
        main: what to emit into.
        words: its words, None where one is not known.
        known: its bytes, None where one is not known.
    """

    main: FastMain
    words: list[int | None]
    known: list[int | None] = field(init=False)

    def __post_init__(self) -> None:
        """Words to bytes."""
        self.known = []
        for word in self.words:
            self.known += list(word.to_bytes(4, "little")) if word is not None else [None] * 4

    def value(self, offset: int, size: int) -> int | None:
        """What a load must bring, without sign."""
        found = self.known[offset : offset + size] if offset >= 0 else [None]
        if len(found) < size or None in found:
            return None
        return int.from_bytes(bytes(one for one in found if one is not None), "little")

    def store(self, offset: int, size: int, value: int) -> None:
        """What is known after a store; what is outside does not matter."""
        for index in range(size):
            if 0 <= offset + index < len(self.known):
                self.known[offset + index] = value >> 8 * index & 0xFF

    def may_store(self, offset: int, size: int) -> bool:
        """Not mepc, nor what the level and the mode are in mcause."""
        mepc = self.main.layout.mepc
        return not any(mepc <= one < mepc + 4 or mepc + 6 <= one < mepc + 8 for one in range(offset, offset + size))

    def register(self, number: int) -> int | None:
        """What a register must be after the return."""
        return self.value(self.main.layout.offset(number), 4)


def _prepare(main: FastMain, entries: dict[int, str], lowest: int) -> None:
    """Save the registers, lead sources to these labels, let only what is above `lowest` through."""
    layout = main.layout
    main.off()
    main.raw(*(f"sw x{number}, {at.AREA + 4 * index}(x3)" for index, number in enumerate(layout.caller)))
    main.only_level(lowest)
    for source, label in entries.items():
        main.text(f"la x6, {label}")
        for index in range(TABLES):
            main.text(f"la x5, fast_table{index} + {4 * source}", "sw x6, 0(x5)")
    main.text("fence.i", f"sw x0, {at.DONE}(x3)")


def _constants(main: FastMain, source: int) -> dict[int, int]:
    """Fill all registers, raise the source, wait. Returns the registers' values until the handler has run."""
    rng, layout = main.rng, main.layout
    address, one, seen = main.temps
    values = {number: rng.choice((rng.getrandbits(32), rng.getrandbits(11))) for number in layout.caller}
    values |= {address: main.clic.word(source), one: 1, seen: 0}
    order = list(values)
    rng.shuffle(order)
    main.raw(*(f"li x{number}, {values[number]:#x}" for number in order))
    main.on()
    main.text("sb x6, 0(x5)")
    again = main.asm.label("again")
    main.asm.place(again)
    main.text(f"lw x7, {at.DONE}(x3)", f"beqz x7, {again}")
    return values


def _compare(main: FastMain, frame: _Frame) -> None:
    """Registers are what the frame was; then what they were before."""
    layout = main.layout
    last, _, total = main.temps
    main.text("mv x7, x0")
    expected = 0
    for number in layout.caller:
        value = frame.register(number)
        if number == total or value is None:
            continue
        main.raw(f"add x{total}, x{total}, x{number}")
        expected += value
    main.raw(f"li x{last}, {expected & _MASK:#x}")
    main.require("x7", "x5", Check.FRAME)
    main.off()
    for source in (main.sources.special, main.sources.fault):
        main.text(f"li x6, {main.clic.word(source):#x}", "sh x0, 0(x6)")
    for index in range(TABLES):
        source = main.sources.fault
        main.text(f"la x5, fast_table{index} + {4 * source}", f"la x6, {main.handlers.name(source, index)}")
        main.text("sw x6, 0(x5)")
    main.text("fence.i", "csrw mintthresh, x0")
    main.raw(*(f"lw x{number}, {at.AREA + 4 * index}(x3)" for index, number in enumerate(layout.caller)))
    main.on()


def _configure(main: FastMain, source: int, ctl: int) -> None:
    value = pack(0, 1, main.rng.choice((3, 7)), ctl)
    main.text(f"li x6, {main.clic.word(source):#x}", f"li x5, {value:#x}", "sw x5, 0(x6)")


def blind_stores(main: FastMain) -> None:
    """A handler stores into its frame, without a look at it, while that leaves; loads must bring what is known."""
    rng, asm, layout, special = main.rng, main.asm, main.layout, main.sources.special
    handler, back = asm.label("blind"), asm.label("back")
    _prepare(main, {special: handler}, 254)
    _configure(main, special, 255)
    values = _constants(main, special)
    main.raw(f"j {back}", ".balign 4, 0")
    asm.place(handler)
    cause = _INTERRUPT | MPP | MPIE | special
    frame = _Frame(main, [*(values[number] for number in layout.caller), None, cause])
    free = list(layout.caller)
    rng.shuffle(free)
    done = free.pop()
    loaded: list[tuple[int, int, int]] = []
    end, place = 4 * layout.words, rng.choice((0, 0, rng.randrange(64)))
    for _ in range(rng.randint(2, 14)):
        if rng.random() < 0.3:
            main.raw(*["nop"] * rng.choice((1, 2, 3, 6)))
        if rng.random() < 0.2:
            main.raw(f"csrw {MFRAME:#x}, sp")
        size = rng.choice((1, 2, 4, 4))
        draw = rng.random()
        offset = (
            place if draw < 0.4 else rng.randint(0, end - size) if draw < 0.8 else rng.choice((-3, -2, -1, end - 2))
        )
        place = (place + rng.choice((1, 3, 4, 4, 5))) % (end - 4)
        if rng.random() < 0.6 and frame.may_store(offset, size):
            source, value = rng.choice((("x0", 0), ("li", rng.randint(-2048, 2047) & _MASK)))
            if source == "li":
                source = f"x{free[-1]}"
                main.raw(f"li {source}, {value - (1 << 32) if value >> 31 else value}")
            main.raw(f"{ {1: 'sb', 2: 'sh', 4: 'sw'}[size] } {source}, {offset}(sp)")
            frame.store(offset, size, value)
            continue
        if offset < 0 or len(free) < 4:
            continue
        register = free.pop()
        main.raw(f"{ {1: 'lbu', 2: 'lhu', 4: 'lw'}[size] } x{register}, {offset}(sp)")
        if (value_there := frame.value(offset, size)) is not None:
            loaded.append((register, value_there, offset))
    for register, value, _ in loaded:
        main.raw(f"li x{done}, {value:#x}")
        main.kit.require(f"x{register}", f"x{done}", Check.FRAME)
    main.raw(f"li x{done}, 1", f"sw x{done}, {at.DONE}(x3)", f".4byte {EMRET:#x}")
    asm.place(back)
    _compare(main, frame)


def overlap(main: FastMain) -> None:
    """A handler moves sp so that the next frame lies upon a part of its own, which it leaves by all the same."""
    rng, asm, layout = main.rng, main.asm, main.layout
    special, second = main.sources.special, main.sources.fault
    lower, upper, back = asm.label("lower"), asm.label("upper"), asm.label("back")
    _prepare(main, {special: lower, second: upper}, 253)
    _configure(main, special, 254)
    _configure(main, second, 255)
    values = _constants(main, special)
    main.raw(f"j {back}", ".balign 4, 0")

    # The second frame begins so many words below the first one.
    distance = rng.randint(2, layout.words)
    asm.place(lower)
    inner = {number: rng.getrandbits(32) for number in layout.caller}
    address, one, seen = rng.sample(layout.caller, 3)
    inner |= {address: main.clic.word(second), one: 1, seen: 0}
    main.raw(f"addi sp, sp, {layout.size - 4 * distance}", f"sw x0, {at.DONE}(x3)")
    main.raw(*(f"li x{number}, {value:#x}" for number, value in inner.items()), "csrsi mstatus, 8")
    again = asm.label("again")
    main.raw(f"sb x{one}, 0(x{address})")
    asm.place(again)
    main.raw(f"lw x{seen}, {at.DONE}(x3)", f"beqz x{seen}, {again}")
    main.raw(f"addi sp, sp, -{layout.size - 4 * distance}")
    if rng.random() < 0.3:
        main.raw(f"lw x{seen}, 0(sp)")
    if rng.random() < 0.4:
        main.raw(f"csrw {MFRAME:#x}, sp", *["nop"] * rng.choice((0, 3, 30)))
    main.raw(f".4byte {EMRET:#x}")

    asm.place(upper)
    # With its last word the whole frame has left.
    main.raw(
        f"lw x{one}, {4 * layout.words - 4}(sp)", f"li x{one}, 1", f"sw x{one}, {at.DONE}(x3)", f".4byte {EMRET:#x}"
    )

    cause = _INTERRUPT | MPP | MPIE
    above = [*(inner[number] for number in layout.caller), None, cause | 254 << 16 | second]
    words = [*(values[number] for number in layout.caller), None, cause | special]
    count = layout.words - distance
    asm.place(back)
    _compare(main, _Frame(main, [*above[distance : distance + count], *words[count:]]))
