# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The state of a hart's interrupts, instruction by instruction from a trace, and what it means for one line.

Unknown state is None: in a trace that does not begin with the reset, until a record writes it or implies it. Interrupts
that user mode takes itself are not followed, because they have no gates.

Source: docs/core.md, docs/fastirq.md, hw/irq/clic/README.md.
"""

from __future__ import annotations

from collections.abc import Sequence

from trapeze.explaining.gates import Change, Gate, Source, Timelines
from trapeze.platform.isa import FRAME_E, FRAME_E_BYTES, FRAME_I, FRAME_I_BYTES, Csr, Mstatus
from trapeze.simulation.traces import Edge, Raised, Record, Retired, Stored, Taken

NEXT = (f"{Csr.MNXTI:#x}", "mnxti")
JUMP = (f"{Csr.JALMNXTI:#x}", "jalmnxti")
"""CSRs that give a program the next interrupt. Listings may have them by number, as objdump has."""

TABLE = (f"{Csr.MTVT:#x}", "mtvt")
THRESHOLD = (f"{Csr.MINTTHRESH:#x}", "mintthresh")

MACHINE, USER = 3, 0
WORD = 0xFFFF_FFFF
OFFER = 2
"""Cycles from the grant of a store that lets a source through to its offer, without a stage in the tree."""

IP, IE, ATTR, CTL = range(4)
"""Bytes of a source's registers."""

RESET = {ATTR: 0xC0}
"""What they are after reset; the others are 0."""

SHV, EDGE, LOW = 1, 2, 4
"""Bits of a source's attr."""


def _mpp(status: int) -> int:
    return MACHINE if status & Mstatus.MPP == Mstatus.MPP_M else USER


def _names(one: Retired, csr: tuple[str, ...]) -> bool:
    """Whether an instruction accesses a CSR, whether or not the record says that it wrote it."""
    return any(word in csr for word in one.operands.replace(" ", "").split(","))


def chained(trace: Sequence[Record], place: int) -> Retired | None:
    """The emret that went on to the interrupt at a place of a trace; None: the hart took it by itself."""
    behind = (trace[at] for at in range(place + 1, len(trace)))
    after = next((one for one in behind if isinstance(one, Retired | Taken)), None)
    return after if isinstance(after, Retired) and after.goes_on_to else None


def asks(one: Retired) -> bool:
    """Whether an instruction may have claimed an interrupt for its program; the trace has no record of that claim."""
    return _names(one, NEXT + JUMP)


def entries(trace: Sequence[Record]) -> set[int]:
    """Places in a trace where a hart took an interrupt by itself."""
    taken = (place for place, one in enumerate(trace) if isinstance(one, Taken))
    return {place for place in taken if chained(trace, place) is None}


class Replay:
    """A hart, as far as its interrupts go, and the gates of one of its lines."""

    def __init__(self, source: Source | None) -> None:
        """Begin with the state after reset, or with nothing known."""
        known = source is not None and source.reset
        zero = 0 if known else None
        self._source = source
        self._enabled, self._previous_enabled = zero, zero
        self._mode, self._previous_mode = MACHINE, zero
        self._level, self._previous_level = zero, zero
        self._threshold, self._local, self._fast = zero, zero, zero
        self._level_bits = zero
        self._registers: dict[int, int] = {}
        self._known = known
        self._sp: int | None = None
        self._scratch: int | None = None
        self._memory: dict[int, int] = {}
        self._wire, self._edge = zero, zero
        self._claimed: int | None = None
        self._table: int | None = None
        if source is not None and not source.hart.has_clic:
            self._fast = 0
            self._threshold = self._level = self._previous_level = 0
        self.gates = Timelines(self._shut())
        self._cause: Record | None = None

    # What is shut.

    def _byte(self, which: int) -> int | None:
        if self._source is None:
            return None
        return self._of(self._source.number, which)

    def _of(self, number: int | None, which: int) -> int | None:
        """A byte of a source."""
        if number is None:
            return None
        reset = RESET.get(which, 0) if self._known else None
        return self._registers.get(4 * number + which, reset)

    def _own_level(self, number: int) -> int | None:
        """Of a source: the top bits of its ctl, ones below."""
        ctl = self._of(number, CTL)
        if self._claimed is not None and self._source is not None and number == self._source.number:
            return self._claimed
        if ctl is None or self._level_bits is None or self._source is None:
            return None
        absent = (1 << (8 - self._source.hart.ctl_bits)) - 1
        return ctl | absent | (0xFF >> min(self._level_bits, 8))

    def _pending(self) -> bool | None:
        source = self._source
        if source is None or self._wire is None:
            return None
        if not source.hart.has_clic:
            return bool(self._wire)
        attr = self._byte(ATTR)
        if attr is None:
            return None
        return (
            (None if self._edge is None else bool(self._edge)) if attr & EDGE else bool(self._wire) != bool(attr & LOW)
        )

    def _shut(self) -> dict[Gate, tuple[bool | None, str]]:
        """The gates as they are, each with a word on it."""
        nothing: dict[Gate, tuple[bool | None, str]] = dict.fromkeys(Gate, (None, ""))
        source, user = self._source, self._mode == USER
        mie = None if self._enabled is None else not self._enabled and not user
        th = self._threshold
        if source is None:
            above = None if th is None else th > 0
            return nothing | {Gate.MIE: (mie, "mstatus.MIE is 0"), Gate.THRESHOLD: (above, f"the threshold is {th}")}
        pending = self._pending()
        found: dict[Gate, tuple[bool | None, str]] = nothing | {
            Gate.MIE: (mie, "mstatus.MIE is 0"),
            Gate.PENDING: (None if pending is None else not pending, ""),
        }
        if not source.hart.has_clic:
            local = None if self._local is None else not self._local >> source.number & 1
            open_ = dict.fromkeys((Gate.ENABLE, Gate.THRESHOLD, Gate.LEVEL), (False, ""))
            return found | open_ | {Gate.LOCAL: (local, f"mie.{source.number} is 0")}
        attr, enable, own = self._byte(ATTR), self._byte(IE), self._own_level(source.number)
        if source.hart.user and (attr is None or not attr & 0x80):
            return nothing
        found[Gate.LOCAL] = (False, "")
        found[Gate.ENABLE] = (None if enable is None else not enable & 1, "")
        if own is not None and th is not None:
            found[Gate.THRESHOLD] = (own <= th and not user, f"the threshold is {th}, the line's level {own}")
        if own is not None and (own == 0 or self._level is not None):
            running = f"level {self._level} runs, the line's is {own}" if own else "the line's level is 0"
            found[Gate.LEVEL] = (own == 0 or (own <= (self._level or 0) and not user), running)
        return found

    def _note(self, cycle: int, by: Record, opens: int | None = None) -> None:
        """What a record has done from a cycle on; `opens`: from which on, if it lets the source through."""
        for gate, (shut, what) in self._shut().items():
            since = cycle if opens is None or shut else opens
            self.gates.note(gate, Change(since, shut, by, what))

    # What happens.

    def run(self, trace: Sequence[Record]) -> Timelines:
        """Follow a trace."""
        taken = entries(trace)
        self._claimed = self._level_when_taken(trace)
        for place, one in enumerate(trace):
            if isinstance(one, Edge):
                self._line(one)
            elif isinstance(one, Raised):
                self._trap(one.cycle, one, None, None)
            elif isinstance(one, Taken):
                if place in taken:
                    self._trap(one.cycle + 1, one, one.level, one.number)
                else:
                    self._cause = one
            else:
                self._retire(one)
        return self.gates

    def _level_when_taken(self, trace: Sequence[Record]) -> int | None:
        """The line's level, where the trace does not begin with the reset and no store in it changes that."""
        source = self._source
        if source is None or self._known or not source.registers:
            return None
        own = source.registers + 4 * source.number
        stored = (one.store.address for one in trace if isinstance(one, Retired) and one.store is not None)
        if any(own <= at <= own + CTL or at == source.configuration for at in stored):
            return None
        levels = (one.level for one in trace if isinstance(one, Taken) and one.number == source.number)
        return next(levels, None)

    def _line(self, one: Edge) -> None:
        source = self._source
        if source is None or one.line != source.line:
            return
        attr = self._byte(ATTR) or 0
        if attr & EDGE and one.high != bool(attr & LOW) and bool(self._wire) != one.high:
            self._edge = 1
        self._wire = int(one.high)
        sampled = one.cycle + source.hart.line_delay + 1
        self._note(sampled, one, sampled + source.stages)

    def _trap(self, cycle: int, by: Taken | Raised, level: int | None, number: int | None) -> None:
        """An interrupt (with its level and number) or an exception."""
        fast = isinstance(by, Taken) and (self._fast is None or bool(self._fast & 1))
        self._previous_enabled, self._previous_mode, self._previous_level = self._enabled, self._mode, self._level
        attr = None
        if isinstance(by, Taken):
            self._level = level
            if self._mode == MACHINE:
                self._previous_enabled = 1  # else it had not been taken
            attr = self._of(number, ATTR)
            source = self._source
            if (
                source is not None
                and number == source.number
                and attr is not None
                and attr & (EDGE | SHV) == EDGE | SHV
            ):
                self._edge = 0
        self._enabled = 0
        if fast:
            nested = None if self._fast is None or attr is None else self._fast >> 1 & attr & SHV
            self._enabled = nested
            self._push()
        self._mode = MACHINE
        self._note(cycle, by)

    def _words(self) -> tuple[tuple[str, ...], int]:
        e = self._source is not None and self._source.hart.base == "rv32e"
        return (FRAME_E, FRAME_E_BYTES) if e else (FRAME_I, FRAME_I_BYTES)

    def _frame_cause(self) -> int | None:
        """Where the mcause of the frame at sp is."""
        return None if self._sp is None else (self._sp & ~3) + 4 * self._words()[0].index("mcause") & WORD

    def _push(self) -> None:
        """A frame, as far as emret needs it."""
        if self._previous_mode == USER:
            self._sp, self._scratch = self._scratch, self._sp
        if self._sp is None:
            return
        self._sp = self._sp - self._words()[1] & WORD
        at = self._frame_cause()
        if at is None or self._previous_enabled is None or self._previous_level is None:
            return
        mpp = (self._previous_mode if self._previous_mode is not None else MACHINE) << 28
        self._memory[at] = mpp | self._previous_enabled << 27 | self._previous_level << 16

    def _cause_is(self, value: int | None) -> None:
        """mcause was written."""
        if self._source is None or not self._source.hart.has_clic:
            return
        self._previous_mode = None if value is None else MACHINE if value >> 28 & 3 == MACHINE else USER
        self._previous_enabled = None if value is None else value >> 27 & 1
        self._previous_level = None if value is None else value >> 16 & 0xFF

    def _return(self, one: Retired) -> None:
        if one.name == "emret":
            at = self._frame_cause()
            self._cause_is(None if at is None else self._memory.get(at))
            if one.goes_on_to:
                cause = self._cause if isinstance(self._cause, Taken) else None
                self._level = None if cause is None else cause.level
                number = None if cause is None else cause.number
                attr = self._of(number, ATTR)
                self._enabled = None if attr is None or self._fast is None else self._fast >> 1 & attr & SHV
                return
            if self._sp is not None:
                self._sp = self._sp + self._words()[1] & WORD
            if self._previous_mode == USER:
                self._sp, self._scratch = self._scratch, self._sp
        self._enabled, self._level = self._previous_enabled, self._previous_level
        self._mode = MACHINE if self._previous_mode is None else self._previous_mode
        self._previous_enabled, self._previous_mode = 1, USER
        if self._mode == USER:
            self._threshold = 0

    def _retire(self, one: Retired) -> None:
        if one.mode != self._mode:
            self._mode = one.mode
            self._note(one.cycle, one)
        if one.result is not None and one.result.name == "sp":
            self._sp = one.result.value
        if one.name in ("mret", "emret"):
            self._return(one)
            self._note(one.cycle, self._cause if one.goes_on_to and self._cause is not None else one)
        elif one.csr is not None or asks(one):
            self._csr(one)
            self._note(one.cycle, one)
        elif one.store is not None:
            self._store(one, one.store)

    def _csr(self, one: Retired) -> None:
        name, value = (one.csr.name, one.csr.value) if one.csr is not None else ("", 0)
        if name == "mstatus":
            if self._enabled is None and one.result is not None:
                self._enabled = one.result.value >> 3 & 1  # what it read
                self._note(one.cycle - 1, one)
            self._enabled, self._previous_enabled = value >> 3 & 1, value >> 7 & 1
            self._previous_mode = _mpp(value)
        elif name == "mie":
            self._local = value
        elif name in THRESHOLD:
            self._threshold = value & 0xFF
        elif name == "mcause":
            self._cause_is(value)
        elif name == "mfastirq":
            self._fast = value & 3
        elif name == "mscratch":
            self._scratch = value
        elif _names(one, NEXT):
            self._handed_out(one)
        elif name in TABLE:
            self._table = value
        elif _names(one, JUMP) and one.result is not None and one.result.value == one.pc:
            self._enabled, self._level = 1, None

    def _handed_out(self, one: Retired) -> None:
        """mnxti: its operand changes MIE, and it may claim the interrupt whose table entry it returns."""
        if one.result is None:
            self._level = None
        elif one.result.value:
            number = None if self._table is None else (one.result.value - self._table) // 4
            self._level = None if number is None else self._own_level(number)
        last = one.operands.rpartition(",")[2].strip()
        if one.name in ("csrrsi", "csrrci", "csrsi", "csrci"):
            if int(last, 0) & Mstatus.MIE:
                self._enabled = int("s" in one.name.removeprefix("csr"))
        elif last not in ("zero", *NEXT):
            self._enabled = None

    def _store(self, one: Retired, store: Stored) -> None:
        source = self._source
        if store.bytes == 4:
            self._memory[store.address] = store.value
        if (
            source is None
            or not source.registers
            or not (source.configuration <= store.address < source.registers + 4 * source.hart.sources)
        ):
            return
        written = {store.address + at: store.value >> 8 * at & 0xFF for at in range(store.bytes)}
        for address, value in written.items():
            if address == source.configuration:
                self._level_bits = value & 0xF
            elif address >= source.registers:
                self._register(address - source.registers, value, written)
        granted = one.granted[-1] if one.granted else one.cycle - 1
        self._note(granted + 1, one, granted + OFFER + source.stages)

    def _register(self, offset: int, value: int, written: dict[int, int]) -> None:
        """A byte of a source was written."""
        source = self._source
        own = source is not None and offset // 4 == source.number
        if source is not None and own:
            before = self._byte(offset % 4) or 0
            if offset % 4 == IP and (self._byte(ATTR) or 0) & EDGE:
                self._edge = value & 1
            elif offset % 4 == ATTR and value & EDGE and not before & EDGE:
                self._edge = written.get(source.registers + offset - ATTR, 0) & 1
        self._registers[offset] = value
