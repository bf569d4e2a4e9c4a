# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The registers of a hart's CLIC, as far as the stores of a trace say what they are.

Unknown is None: in a trace that does not begin with the reset, until a store writes it. User mode has a view of its
own, in which it reaches only its own sources, and cannot change whose they are.

Source: hw/irq/clic/README.md, docs/user-level-interrupts.md.
"""

from __future__ import annotations

from trapeze.explaining.gates import Source
from trapeze.simulation.traces import Stored

MACHINE, USER = 3, 0

IP, IE, ATTR, CTL = range(4)
"""Bytes of a source's registers."""

SHV, EDGE, LOW, OWNER = 1, 2, 4, 0x80
"""Bits of a source's attr. OWNER: it is machine mode's, where the controller has modes."""

RESET = {ATTR: 0xC0}
"""What the bytes are after reset; the others are 0."""

LEVEL_BITS = {MACHINE: 0, USER: 3}
"""Bytes of the controller's own register that split ctl into level and priority, for the sources of each mode."""

MODES = 0x30
"""Bits of its first byte: whether sources may be user mode's (nmbits)."""


class Controller:
    """A CLIC and its sources."""

    def __init__(self, source: Source | None) -> None:
        """Begin with the state after reset, or with nothing known; without a source there is no controller."""
        self._source = source
        self._known = source is not None and source.reset
        self._own: dict[int, int] = {}
        self._bytes: dict[int, int] = {}
        self._owners: dict[int, int] = {}

    def byte(self, number: int | None, which: int) -> int | None:
        """A byte of a source; the mode bits of attr are in `owner`."""
        if number is None:
            return None
        return self._bytes.get(4 * number + which, RESET.get(which, 0) if self._known else None)

    def _configuration(self, offset: int) -> int | None:
        return self._own.get(offset, 0 if self._known else None)

    def owner(self, number: int | None) -> int | None:
        """The mode that handles a source."""
        if self._source is None or not self._source.hart.user:
            return MACHINE
        modes = self._configuration(0)
        if modes is None or number is None:
            return None
        if not modes & MODES:
            return MACHINE
        return self._owners.get(number, MACHINE if self._known else None)

    @property
    def given(self) -> int:
        """How many sources are user mode's."""
        modes = self._configuration(0) or 0
        return sum(one == USER for one in self._owners.values()) if modes & MODES else 0

    def level(self, number: int, owner: int | None) -> int | None:
        """The level of a source with this owner: the top bits of its ctl, ones below."""
        if self._source is None or owner is None:
            return None
        ctl, bits = self.byte(number, CTL), self._configuration(LEVEL_BITS[owner])
        if ctl is None or bits is None:
            return None
        absent = (1 << (8 - self._source.hart.ctl_bits)) - 1
        return ctl | absent | (0xFF >> min(bits & 0xF, 8))

    def holds(self, address: int, number: int | None = None) -> bool:
        """Whether a register is there: of the controller, or of one source and of what is common to all."""
        return self._offset(address, number) is not None

    def _offset(self, address: int, number: int | None = None) -> tuple[int, bool] | None:
        """A register: its offset from those of source 0, or below 0 for the controller's own; and whose view it is."""
        source = self._source
        if source is None or not source.registers:
            return None
        for base, user in ((source.configuration, False), (source.user_view, True)):
            if not base:
                continue
            if base <= address < base + 4:
                return address - base - 4, user
            offset = address - base - (source.registers - source.configuration)
            first, last = (0, source.hart.sources) if number is None else (number, number + 1)
            if 4 * first <= offset < 4 * last:
                return offset, user
        return None

    def write(self, store: Stored) -> dict[int, tuple[int | None, int]]:
        """Take a store; the bytes of sources that it wrote, by offset: what they were, and what they are."""
        written: dict[int, tuple[int | None, int]] = {}
        for at in range(store.bytes):
            place = self._offset(store.address + at)
            value = store.value >> 8 * at & 0xFF
            if place is None:
                continue
            offset, user = place
            if offset < 0:
                if not user or offset + 4 == LEVEL_BITS[USER]:
                    self._own[offset + 4] = value
                continue
            number, which = divmod(offset, 4)
            if user and self.owner(number) == MACHINE:
                continue
            if which == ATTR and not user:
                self._owners[number] = MACHINE if value & OWNER else USER
            written[offset] = self.byte(number, which), value
            self._bytes[offset] = value
        return written
