# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Work with a known result: what a program computes while interrupts go on around it.

Every operation is written as assembly and remembered, so that the registers and the memory it leaves are known
beforehand from `model`. Whatever happens to the program on the way, its results must be these.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from verify.random.instructions import arithmetic
from verify.random.instructions.asm import Asm
from verify.random.instructions.isa import Base

MEMORY = "work"
"""Label of the memory that the work uses."""
MEMORY_BYTES = 128
TEMP = 5
"""Register that holds an address or a counter meanwhile unless another one is named; nothing else is held in it."""


@dataclass
class State:
    """Registers by number, and memory."""

    registers: dict[int, int]
    memory: bytearray

    def copy(self) -> State:
        """An independent copy."""
        return State(dict(self.registers), bytearray(self.memory))


Step = Callable[[State], None]

_LOADS: dict[str, tuple[int, bool]] = {
    "lb": (1, True),
    "lbu": (1, False),
    "lh": (2, True),
    "lhu": (2, False),
    "lw": (4, False),
}
_STORES = {"sb": 1, "sh": 2, "sw": 4}
_BRANCHES: dict[str, Callable[[int, int], bool]] = {
    "beq": lambda a, b: a == b,
    "bne": lambda a, b: a != b,
    "blt": lambda a, b: arithmetic.signed(a) < arithmetic.signed(b),
    "bge": lambda a, b: arithmetic.signed(a) >= arithmetic.signed(b),
    "bltu": lambda a, b: a < b,
    "bgeu": lambda a, b: a >= b,
}
_SLOW = ("div", "divu", "rem", "remu", "mul", "mulhu")


def _extend(value: int, size: int, is_signed: bool) -> int:
    sign = 1 << (8 * size - 1)
    return (value - 2 * sign if is_signed and value & sign else value) & arithmetic.MASK


class Work:
    """Emits work into a text and remembers it.

    Attributes:
        steps: what was emitted so far, in the order of execution.
        registers: that it uses.
        temp: register that holds an address, a counter or a sum meanwhile.
    """

    def __init__(
        self,
        rng: random.Random,
        asm: Asm,
        registers: tuple[int, ...],
        temp: int = TEMP,
        has_memory: bool = True,
    ) -> None:
        self.steps: list[Step] = []
        self.registers = registers
        self.temp = temp
        self._has_memory = has_memory
        self._rng = rng
        self._asm = asm

    @property
    def base(self) -> Base:
        """The instructions that there are."""
        return self._asm.base

    def some(self, most: int) -> None:
        """Emit up to `most` operations, one at least."""
        for _ in range(self._rng.randint(1, most)):
            draw = self._rng.random()
            if draw < 0.55 or (draw < 0.85 and not self._has_memory):
                self.steps.append(self._arithmetic())
            elif draw < 0.85:
                self.steps.append(self._access())
            elif draw < 0.95:
                self._branch()
            else:
                self._loop()

    def _any(self) -> int:
        return self._rng.choice(self.registers)

    def _arithmetic(self) -> Step:
        rng, asm, known = self._rng, self._asm, self.base.known
        unary = known(arithmetic.UNARY)
        rd, first, second = self._any(), self._any(), self._any()
        draw = rng.random()
        if rng.random() < 0.15:
            asm.op("c.nop")  # the next one begins in the middle of a word, or no longer
        if draw < 0.6:
            name = rng.choice((rng.random() < 0.3 and known(_SLOW)) or known(arithmetic.BINARY))
            asm.op(name, f"x{rd}", f"x{first}", f"x{second}")
            function, second_value = arithmetic.BINARY[name], None
        elif draw < 0.75 and unary:
            name = rng.choice(unary)
            asm.op(name, f"x{rd}", f"x{first}")
            function, second_value = arithmetic.UNARY[name], 0
        elif draw < 0.9:
            name, value = rng.choice(known(arithmetic.IMMEDIATE)), rng.randint(-2048, 2047)
            asm.op(name, f"x{rd}", f"x{first}", value)
            function, second_value = arithmetic.IMMEDIATE[name], value & arithmetic.MASK
        else:
            name, value = rng.choice(known(arithmetic.SHIFT)), rng.randrange(32)
            asm.op(name, f"x{rd}", f"x{first}", value)
            function, second_value = arithmetic.SHIFT[name], value

        def step(state: State) -> None:
            other = state.registers[second] if second_value is None else second_value
            state.registers[rd] = function(state.registers[first], other)

        return step

    def _access(self) -> Step:
        rng, asm = self._rng, self._asm
        register = self._any()
        is_load = rng.random() < 0.5
        name = rng.choice(tuple(_LOADS if is_load else _STORES))
        size = _LOADS[name][0] if is_load else _STORES[name]
        offset = rng.randrange(MEMORY_BYTES - size + 1)
        if rng.random() < 0.6:
            offset -= offset % size
        asm.text(f"la x{self.temp}, {MEMORY}")
        asm.op(name, f"x{register}", f"{offset}(x{self.temp})")

        def load(state: State) -> None:
            value = int.from_bytes(state.memory[offset : offset + size], "little")
            state.registers[register] = _extend(value, size, _LOADS[name][1])

        def store(state: State) -> None:
            value = state.registers[register] & ((1 << 8 * size) - 1)
            state.memory[offset : offset + size] = value.to_bytes(size, "little")

        return load if is_load else store

    def _branch(self) -> None:
        """Over some arithmetic, or not."""
        rng, asm = self._rng, self._asm
        name, first, second = rng.choice(tuple(_BRANCHES)), self._any(), self._any()
        over = asm.label("over")
        asm.op(name, f"x{first}", f"x{second}", over)
        inner = [self._arithmetic() for _ in range(rng.randint(1, 3))]
        asm.place(over)

        def step(state: State) -> None:
            if not _BRANCHES[name](state.registers[first], state.registers[second]):
                for one in inner:
                    one(state)

        self.steps.append(step)

    def _loop(self) -> None:
        rng, asm = self._rng, self._asm
        count, again = rng.randint(2, 12), asm.label("again")
        asm.text(f"li x{self.temp}, {count}")
        asm.place(again)
        inner = [self._arithmetic() for _ in range(rng.randint(1, 3))]
        asm.text(f"addi x{self.temp}, x{self.temp}, -1", f"bnez x{self.temp}, {again}")

        def step(state: State) -> None:
            for _ in range(count):
                for one in inner:
                    one(state)

        self.steps.append(step)

    def checksum(self) -> Callable[[State], int]:
        """Emit the sum of all registers into the temporary one, turned each time; returns what it must be."""
        asm = self._asm
        turn = 7 if self.base.has("rori") else 31
        asm.text(f"mv x{self.temp}, x0")
        for register in self.registers:
            self._rotate()
            asm.op("add", f"x{self.temp}", f"x{self.temp}", f"x{register}")

        def total(state: State) -> int:
            value = 0
            for register in self.registers:
                value = arithmetic.BINARY["add"](arithmetic.SHIFT["rori"](value, turn), state.registers[register])
            return value

        return total

    def _rotate(self) -> None:
        """The temporary register by 7 to the right, or without Zbb, and without another register, by 1 to the left."""
        asm, temp = self._asm, f"x{self.temp}"
        if self.base.has("rori"):
            asm.op("rori", temp, temp, 7)
            return
        low, done = asm.label("low"), asm.label("turned")
        asm.text(f"bgez {temp}, {low}", f"slli {temp}, {temp}, 1", f"ori {temp}, {temp}, 1", f"j {done}")
        asm.place(low)
        asm.text(f"slli {temp}, {temp}, 1")
        asm.place(done)

    def run(self, state: State) -> None:
        """Do all of it once."""
        for step in self.steps:
            step(state)
