# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The state of a hart's interrupts, instruction by instruction from a trace, and what it means for one line.

Unknown state is None: in a trace that does not begin with the reset, until a record writes it or implies it.

Source: docs/core.md, docs/fastirq.md, docs/user-level-interrupts.md, hw/irq/clic/README.md, fw/monitor/README.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trapeze.explaining.controller import ATTR, EDGE, IE, IP, LOW, MACHINE, SHV, USER, Controller
from trapeze.explaining.gates import Change, Gate, Source, Timelines
from trapeze.platform.isa import FRAME_E, FRAME_E_BYTES, FRAME_I, FRAME_I_BYTES, Csr, Mstatus, Ustatus
from trapeze.simulation.traces import Edge, Judged, Raised, Record, Retired, Stored, Taken, TaskState

LETTERS = {MACHINE: "m", USER: "u"}
"""With which the names of a mode's CSRs begin."""

ENABLES = {MACHINE: Mstatus.MIE, USER: Ustatus.UIE}
PREVIOUS = {MACHINE: Mstatus.MPIE, USER: Ustatus.UPIE}
"""Bits of a mode's status."""

ROLES = {
    spelling: (mode, role)
    for mode, letter in LETTERS.items()
    for role in ("status", "intthresh", "cause", "fastirq", "scratch", "tvt", "nxti")
    for spelling in (f"{letter}{role}", f"{Csr[f'{letter}{role}'.upper()]:#x}")
}
"""What each CSR is to which mode. Listings may have a CSR by its number, as objdump has."""

JUMP = (f"{Csr.JALMNXTI:#x}", "jalmnxti")
"""A CSR that goes on to machine mode's next interrupt."""

RETURNS = {"mret": MACHINE, "emret": MACHINE, "uret": USER, "euret": USER}
"""Instructions that end the handlers of each mode."""

ROWS = ("pmpcfg", "pmpaddr", "mseccfg")
"""How the names of CSRs with rows of memory protection begin."""

WORD = 0xFFFF_FFFF
OFFER = 2
"""Cycles from the grant of a store that lets a source through to its offer, without a stage in the tree."""


def _mpp(status: int) -> int:
    return MACHINE if status & Mstatus.MPP == Mstatus.MPP_M else USER


def _csrs(one: Retired) -> list[str]:
    """The operands of an instruction that accesses a CSR, whether or not the record says that it wrote it."""
    return one.operands.replace(" ", "").split(",") if one.name.startswith("csr") else []


def _next(one: Retired) -> int | None:
    """The mode whose next interrupt an instruction asks for by xnxti; None: it does not."""
    asked = (ROLES[word] for word in _csrs(one) if word in ROLES)
    return next((mode for mode, role in asked if role == "nxti"), None)


def chained(trace: Sequence[Record], place: int) -> Retired | None:
    """The emret or euret that went on to the interrupt at a place of a trace; None: the hart took it by itself."""
    behind = (trace[at] for at in range(place + 1, len(trace)))
    after = next((one for one in behind if isinstance(one, Retired | Taken)), None)
    return after if isinstance(after, Retired) and after.goes_on_to else None


def asks(one: Retired) -> bool:
    """Whether an instruction may have claimed an interrupt for its program; the trace has no record of that claim."""
    return _next(one) is not None or any(word in JUMP for word in _csrs(one))


def entries(trace: Sequence[Record]) -> set[int]:
    """Places in a trace where a hart took an interrupt by itself."""
    taken = (place for place, one in enumerate(trace) if isinstance(one, Taken))
    return {place for place in taken if chained(trace, place) is None}


@dataclass
class Mode:
    """What a privilege mode has for its interrupts: the registers that traps and returns change, and those of software.

    `previous` is the mode that machine mode returns to; user mode returns to itself.
    """

    enabled: int | None
    previous_enabled: int | None
    level: int | None
    previous_level: int | None
    threshold: int | None
    fast: int | None
    previous: int | None
    scratch: int | None = None
    table: int | None = None


class Replay:
    """A hart, as far as its interrupts go, and the gates of one of its lines."""

    def __init__(self, source: Source | None) -> None:
        """Begin with the state after reset, or with nothing known."""
        known = source is not None and source.reset
        zero = 0 if known else None
        self._source = source
        self._user_irq = source is not None and source.hart.user
        self._controller = Controller(source)
        self._of = {mode: Mode(zero, zero, zero, zero, zero, zero, zero) for mode in LETTERS}
        self._mode: int | None = MACHINE if known or not self._user_irq else None
        self._local = zero
        self._known = known
        self._sp: int | None = None
        self._memory: dict[int, int] = {}
        self._wire, self._edge = zero, zero
        self._claimed: tuple[int, int] | None = None
        self._searches = zero
        self._rows: Retired | None = None
        self._moved: Record | None = None
        self._word, self._held_back = zero, False
        self._last: Retired | None = None
        self._trap_of: Taken | Retired | None = None
        machine = self._of[MACHINE]
        if source is not None and not source.hart.has_clic:
            machine.threshold = machine.level = machine.previous_level = 0
        if source is not None and source.hart.scheme != "fastirq":
            machine.fast = self._of[USER].fast = 0
        self.gates = Timelines(self._shut())
        self._cause: Record | None = None

    # What is shut.

    def _byte(self, which: int) -> int | None:
        return None if self._source is None else self._controller.byte(self._source.number, which)

    def _owner(self, number: int | None) -> int | None:
        """The mode that handles a source."""
        if self._claimed is not None and self._source is not None and number == self._source.number:
            return self._claimed[1]
        return self._controller.owner(number)

    def _level_of(self, number: int) -> int | None:
        if self._claimed is not None and self._source is not None and number == self._source.number:
            return self._claimed[0]
        return self._controller.level(number, self._owner(number))

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
        found: dict[Gate, tuple[bool | None, str]] = dict.fromkeys(Gate, (None, ""))
        source = self._source
        owner = MACHINE if source is None else self._owner(source.number)
        found[Gate.WORD] = self._shut_by_word(owner)
        if owner is None:
            return found
        of = self._of[owner]
        # User mode does not keep machine mode's interrupts back.
        above = owner == MACHINE and self._mode == USER
        mie = None if of.enabled is None else not of.enabled and not above
        found[Gate.MODE] = (False if owner == MACHINE else None if self._mode is None else self._mode != USER, "")
        found[Gate.MIE] = (mie, f"{LETTERS[owner]}status.{LETTERS[owner].upper()}IE is 0")
        th = of.threshold
        if source is None:
            found[Gate.THRESHOLD] = (None if th is None else th > 0, f"the threshold is {th}")
            return found
        pending = self._pending()
        found[Gate.PENDING] = (None if pending is None else not pending, "")
        if not source.hart.has_clic:
            local = None if self._local is None else not self._local >> source.number & 1
            found |= dict.fromkeys((Gate.ENABLE, Gate.THRESHOLD, Gate.LEVEL, Gate.FRAME), (False, ""))
            return found | {Gate.LOCAL: (local, f"mie.{source.number} is 0")}
        enable, own = self._byte(IE), self._level_of(source.number)
        found[Gate.LOCAL] = (False, "")
        found[Gate.ENABLE] = (None if enable is None else not enable & 1 and not self._held_back, "")
        if own is not None and th is not None:
            found[Gate.THRESHOLD] = (own <= th and not above, f"the threshold is {th}, the line's level {own}")
        if own is not None and (own == 0 or of.level is not None):
            running = f"level {of.level} runs, the line's is {own}" if own else "the line's level is 0"
            found[Gate.LEVEL] = (own == 0 or (own <= (of.level or 0) and not above), running)
        searched = False if owner == MACHINE or (of.fast is not None and not of.fast & 1) else self._searches
        searched = None if searched and of.fast is None else searched
        moved = "sp left the range that was known" if self._rows is None else "rows were written"
        found[Gate.FRAME] = (None if searched is None else bool(searched), moved)
        return found

    def _shut_by_word(self, owner: int | None) -> tuple[bool | None, str]:
        """Whether a monitor holds the line's interrupt back; it masks the source until the program gets it."""
        if self._source is None or self._source.word is None or owner == USER:
            return False, ""
        if self._held_back:
            return True, "the monitor holds it back"
        return (None if self._word is None else not self._word), "the monitor's word is 0"

    def _note(self, cycle: int, by: Record, opens: int | None = None) -> None:
        """What a record has done from a cycle on; `opens`: from which on, if it lets the source through."""
        for gate, (shut, what) in self._shut().items():
            since = cycle if opens is None or shut else opens
            self.gates.note(gate, Change(since, shut, self._by(gate, by), what))

    def _by(self, gate: Gate, by: Record) -> Record:
        """Who did something to a gate in the place of a record.

        That frames are searched for has a cause before it; and a monitor changes its word for what the program did.
        """
        if gate is Gate.WORD and isinstance(by, Retired) and by.mode == MACHINE:
            return self._trap_of or by
        if gate is Gate.FRAME and isinstance(by, Judged) and by.searches:
            return self._rows or self._moved or by
        return by

    # What happens.

    def run(self, trace: Sequence[Record]) -> Timelines:
        """Follow a trace; tasks are no matter of gates."""
        trace = [one for one in trace if not isinstance(one, TaskState)]
        taken = entries(trace)
        self._claimed = self._as_taken(trace)
        if not self._known and trace:
            first = next((one for one in trace if isinstance(one, Judged)), None)
            self._searches = int(first is not None and not first.searches)
            self._note(0, trace[0])
        for place, one in enumerate(trace):
            if isinstance(one, Taken):
                if place in taken:
                    self._interrupt(one, self._entered(trace, place))
                else:
                    self._cause = one
            else:
                self._happens(one)
        return self.gates

    def _serves(self, number: int) -> bool:
        """Whether machine mode runs for an interrupt of this number."""
        return isinstance(self._trap_of, Taken) and self._trap_of.number == number

    def _happens(self, one: Record) -> None:
        """What is no interrupt."""
        if isinstance(one, Edge):
            self._line(one)
        elif isinstance(one, Raised):
            self._trap(one.cycle, one, MACHINE, None, None)
        elif isinstance(one, Judged):
            self._judged(one)
        elif isinstance(one, Retired):
            self._retire(one)

    def _entered(self, trace: Sequence[Record], place: int) -> int:
        """The mode that handles the interrupt at a place of a trace."""
        one = trace[place]
        owner = self._owner(one.number) if isinstance(one, Taken) else None
        if owner is not None:
            return owner
        behind = (trace[at] for at in range(place + 1, len(trace)))
        return next((after.mode for after in behind if isinstance(after, Retired)), MACHINE)

    def _as_taken(self, trace: Sequence[Record]) -> tuple[int, int] | None:
        """The line's level and mode, where the trace does not begin with the reset and no store in it changes them."""
        source = self._source
        if source is None or self._known or not source.registers:
            return None
        stored = (one.store.address for one in trace if isinstance(one, Retired) and one.store is not None)
        if any(self._controller.holds(at, source.number) for at in stored):
            return None
        for place, one in enumerate(trace):
            if isinstance(one, Taken) and one.number == source.number and one.level is not None:
                return one.level, self._entered(trace, place)
        return None

    def _line(self, one: Edge) -> None:
        source = self._source
        if source is None or one.line != source.line:
            return
        attr = self._byte(ATTR) or 0
        if attr & EDGE and one.high != bool(attr & LOW) and self._wire != int(one.high):
            self._edge = 1
        self._wire = int(one.high)
        sampled = one.cycle + source.hart.line_delay + 1
        self._note(sampled, one, sampled + source.stages)

    def _judged(self, one: Judged) -> None:
        self._searches = int(one.searches)
        self._note(one.cycle, one)
        if not one.searches and self._mode == USER:
            self._rows = None

    def _interrupt(self, one: Taken, mode: int) -> None:
        self._trap(one.cycle + 1, one, mode, one.level, one.number)

    def _trap(self, cycle: int, by: Taken | Raised, mode: int, level: int | None, number: int | None) -> None:
        """An interrupt (with its level and number) or an exception, which a mode handles."""
        self._trap_of = by if isinstance(by, Taken) else self._last
        of = self._of[mode]
        fast = isinstance(by, Taken) and (of.fast is None or bool(of.fast & 1))
        of.previous_enabled, of.previous, of.previous_level = of.enabled, self._mode, of.level
        attr = None
        if isinstance(by, Taken):
            of.level = level
            if self._mode == mode:
                of.previous_enabled = 1  # else it had not been taken
            attr = self._controller.byte(number, ATTR)
            own = self._source is not None and number == self._source.number
            if own and attr is not None and attr & (EDGE | SHV) == EDGE | SHV:
                self._edge = 0
        of.enabled = 0
        if fast:
            of.enabled = self._nested(of, attr)
            self._push(of)
        self._mode, self._moved = mode, by
        self._note(cycle, by)

    def _nested(self, of: Mode, attr: int | None) -> int | None:
        """Whether the handler of a source begins with interrupts enabled, under fastirq."""
        return None if of.fast is None or attr is None else of.fast >> 1 & attr & SHV

    def _words(self) -> tuple[tuple[str, ...], int]:
        e = self._source is not None and self._source.hart.base == "rv32e"
        return (FRAME_E, FRAME_E_BYTES) if e else (FRAME_I, FRAME_I_BYTES)

    def _frame_cause(self) -> int | None:
        """Where the xcause of the frame at sp is."""
        return None if self._sp is None else (self._sp & ~3) + 4 * self._words()[0].index("mcause") & WORD

    def _push(self, of: Mode) -> None:
        """A frame, as far as emret and euret need it."""
        if of is self._of[MACHINE] and of.previous == USER:
            self._sp, of.scratch = of.scratch, self._sp
        if self._sp is None:
            return
        self._sp = self._sp - self._words()[1] & WORD
        at = self._frame_cause()
        if at is None or of.previous_enabled is None or of.previous_level is None:
            return
        mpp = (of.previous if of.previous is not None else MACHINE) << 28
        self._memory[at] = mpp | of.previous_enabled << 27 | of.previous_level << 16

    def _cause_is(self, of: Mode, value: int | None) -> None:
        """xcause was written."""
        if self._source is None or not self._source.hart.has_clic:
            return
        of.previous = None if value is None else MACHINE if value >> 28 & 3 == MACHINE else USER
        of.previous_enabled = None if value is None else value >> 27 & 1
        of.previous_level = None if value is None else value >> 16 & 0xFF

    def _return(self, one: Retired) -> None:
        mode = RETURNS[one.name]
        of = self._of[mode]
        fast = one.name.startswith("e")
        if fast:
            at = self._frame_cause()
            self._cause_is(of, None if at is None else self._memory.get(at))
            if one.goes_on_to:
                cause = self._cause if isinstance(self._cause, Taken) else None
                of.level = None if cause is None else cause.level
                number = None if cause is None else cause.number
                of.enabled = self._nested(of, self._controller.byte(number, ATTR))
                return
            if self._sp is not None:
                self._sp = self._sp + self._words()[1] & WORD
        to = USER if mode == USER else MACHINE if of.previous is None else of.previous
        if fast and mode == MACHINE and of.previous == USER:
            self._sp, of.scratch = of.scratch, self._sp
        of.enabled, of.level = of.previous_enabled, of.previous_level
        of.previous_enabled, of.previous = 1, USER
        if to == USER and self._mode != USER:
            self._of[MACHINE].threshold = 0
        self._mode, self._moved = to, one

    def _retire(self, one: Retired) -> None:
        if one.mode != self._mode:
            self._mode = one.mode
            self._note(one.cycle, one)
        self._last = one
        if one.result is not None and one.result.name == "sp":
            self._sp, self._moved = one.result.value, one
        if one.name in RETURNS:
            self._return(one)
            self._note(one.cycle, self._cause if one.goes_on_to and self._cause is not None else one)
        elif one.csr is not None or asks(one):
            self._csr(one)
            self._note(one.cycle, one)
        elif one.store is not None:
            self._store(one, one.store)

    def _csr(self, one: Retired) -> None:
        name, value = (one.csr.name, one.csr.value) if one.csr is not None else ("", 0)
        if name.startswith(ROWS):
            self._rows = one
        mode, role = ROLES.get(name, (MACHINE, name))
        of = self._of[mode]
        if role == "status":
            self._status(one, mode, value)
        elif role == "mie":
            self._local = value
        elif role == "intthresh":
            of.threshold = value & 0xFF
        elif role == "cause":
            self._cause_is(of, value)
        elif role == "fastirq":
            of.fast = value & 3
        elif role == "scratch":
            of.scratch = value
        elif (asked := _next(one)) is not None:
            self._handed_out(one, asked)
        elif role == "tvt":
            of.table = value
        elif any(word in JUMP for word in _csrs(one)) and one.result is not None and one.result.value == one.pc:
            of.enabled, of.level = 1, None

    def _status(self, one: Retired, written: int, value: int) -> None:
        """Mode's status was written; machine mode's has the bits of user mode's, too."""
        modes = (MACHINE, USER) if written == MACHINE and self._user_irq else (written,)
        for mode in modes:
            if self._of[mode].enabled is None and one.result is not None:
                self._of[mode].enabled = int(bool(one.result.value & ENABLES[mode]))  # what it read
                self._note(one.cycle - 1, one)
        for mode in modes:
            self._of[mode].enabled = int(bool(value & ENABLES[mode]))
            self._of[mode].previous_enabled = int(bool(value & PREVIOUS[mode]))
        if written == MACHINE:
            self._of[MACHINE].previous = _mpp(value)

    def _handed_out(self, one: Retired, mode: int) -> None:
        """An xnxti changes xIE by its operand, and it may claim the interrupt whose table entry it returns."""
        of = self._of[mode]
        if one.result is None:
            of.level = None
        elif one.result.value:
            number = None if of.table is None else (one.result.value - of.table) // 4
            of.level = None if number is None else self._level_of(number)
        last = one.operands.rpartition(",")[2].strip()
        if one.name in ("csrrsi", "csrrci", "csrsi", "csrci"):
            if int(last, 0) & ENABLES[mode]:
                of.enabled = int("s" in one.name.removeprefix("csr"))
        elif last != "zero" and last not in ROLES:
            of.enabled = None

    def _store(self, one: Retired, store: Stored) -> None:
        source = self._source
        if store.bytes == 4:
            self._memory[store.address] = store.value
        if source is not None and source.word == store.address and store.bytes == 4:
            self._word = store.value
            self._note(one.cycle, one)
        if source is None or not self._controller.holds(store.address):
            return
        written = self._controller.write(store)
        own = 4 * source.number
        if (ip := written.get(own + IP)) is not None and (self._byte(ATTR) or 0) & EDGE:
            self._edge = ip[1] & 1
        if (attr := written.get(own + ATTR)) is not None and attr[1] & EDGE:
            if attr[0] is None and ip is None:
                self._edge = None  # it is forgotten only if edges did not count before
            elif not (attr[0] or 0) & EDGE:
                self._edge = 0 if ip is None else ip[1] & 1
        if source.word is not None and (ie := written.get(own + IE)) is not None:
            self._held_back = not ie[1] & 1 and one.mode == MACHINE and self._serves(source.number)
        granted = one.granted[-1] if one.granted else one.cycle - 1
        self._note(granted + 1, one, granted + OFFER + source.stages)
