# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Reference model of the CLIC, one call per clock cycle.

Written from the specification (RISC-V Fast Interrupts, v0.10; registers: commit 5f5f98d) and from the timing that
`hw/irq/clic/README.md` promises, not from the RTL.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

CONFIG = 0x0000
SOURCES = 0x1000
MACHINE_MODE = 0b11 << 6
USER_VIEW = 0x8000
"""Offset of user mode's view."""


@dataclass(frozen=True)
class Offer:
    """An offer to the core."""

    id: int
    level: int
    shv: bool
    user: bool = False


@dataclass(frozen=True)
class Access:
    """A bus access granted in a cycle: byte offset of the word, byte enables, data of a write (None: a read)."""

    offset: int
    enables: int = 15
    data: int | None = None

    def byte(self, lane: int) -> int | None:
        """The byte written to a lane, None if the access does not write it."""
        if self.data is None or not self.enables >> lane & 1:
            return None
        return self.data >> (8 * lane) & 0xFF


@dataclass
class Source:
    """State of one interrupt source."""

    wire: bool = False
    """Sample of the wire at the end of the last cycle."""
    edge_pending: bool = False
    enabled: bool = False
    shv: bool = False
    edge: bool = False
    negative: bool = False
    user: bool = False
    """The mode bit as written. It has an effect while nmbits is 1."""
    ctl: int = 0
    """All 8 bits of ctl."""

    @property
    def pending(self) -> bool:
        """Value that software reads as ip."""
        return self.edge_pending if self.edge else self.wire != self.negative


@dataclass
class Clic:
    """The controller.

    Attributes:
        count: Number of sources.
        ctl_bits: Implemented bits of ctl.
        pipelined: The tree has a register stage.
        has_user: Sources may be user mode's (docs/user-level-interrupts.md).
        claims: How often each source was claimed with clear while edge-triggered.
    """

    count: int
    ctl_bits: int
    pipelined: bool
    has_user: bool = False
    sources: list[Source] = field(default_factory=list)
    enabled: set[int] = field(default_factory=set)
    wires: int = 0
    mnlbits: int = 0
    nmbits: int = 0
    unlbits: int = 0
    claims: dict[int, int] = field(default_factory=dict)
    claimed: int | None = None
    """Source that was claimed with clear in the cycle before: it is not offered in this one."""
    writing: bool = False
    """A write was granted in the cycle before."""
    written: int | None = None
    """Source that this write was for."""
    kept: bool = True
    """The winner may still be offered: no write has ended it, nor, with the pipelined tree, its wire."""
    found: tuple[int | None, ...] = (None, None)
    """Winner found in the cycle before, and in the cycle before that."""

    def __post_init__(self) -> None:
        self.sources = [Source(ctl=self._legal_ctl(0)) for _ in range(self.count)]

    def _legal_ctl(self, value: int) -> int:
        return value | (0xFF >> self.ctl_bits)

    def is_user(self, source: Source) -> bool:
        """Whether the source belongs to user mode."""
        return bool(self.nmbits) and source.user

    def level(self, source: Source) -> int:
        """The level of an interrupt."""
        keep = 0xFF00 >> (self.unlbits if self.is_user(source) else self.mnlbits) & 0xFF
        return source.ctl & keep | ~keep & 0xFF

    def winner(self) -> int | None:
        """The source with the largest mode and ctl; among several, the one with the highest id.

        Candidates are sources that will be pending and enabled in the next cycle, without the effects of this cycle's
        claim and write.
        """
        able = [(not self.is_user(s), s.ctl, i) for i in self.enabled if (s := self.sources[i]).pending]
        return max(able)[2] if able else None

    def offer(self) -> Offer | None:
        """The offer of this cycle."""
        best = self.found[self.pipelined]
        if best is None or best == self.claimed or not self.kept:
            return None
        source = self.sources[best]
        level = self.level(source)
        return Offer(best, level, source.shv, self.is_user(source)) if level > 0 else None

    def grants(self, access: Access | None) -> bool:
        """Whether an access is granted in this cycle; with the pipelined tree not in the cycle after a write."""
        return access is None or not (self.pipelined and self.writing)

    def read(self, offset: int) -> int:
        """The word that a read of an offset returns in this cycle."""
        view, offset = offset & USER_VIEW, offset & ~USER_VIEW
        if offset == CONFIG:
            return self.unlbits << 24 | (0 if view else self.nmbits << 4 | self.mnlbits)
        index = (offset - SOURCES) // 4
        if not 0 <= index < self.count:
            return 0
        s = self.sources[index]
        if view and not self.is_user(s):
            return 0
        attributes = (0 if self.is_user(s) else MACHINE_MODE) | s.negative << 2 | s.edge << 1 | s.shv
        return s.ctl << 24 | attributes << 16 | s.enabled << 8 | s.pending

    def step(self, wires: int, claim: bool = False, clear: bool = False, access: Access | None = None) -> None:
        """End a cycle.

        Args:
            wires: The inputs in this cycle, one bit each.
            claim: The core takes the offer of this cycle.
            clear: With a claim: clear it if it is edge-triggered.
            access: Granted in this cycle.
        """
        offer = self.offer()
        self.claimed = None
        arrived = []
        moved, self.wires = wires ^ self.wires, wires
        while moved:
            lowest = moved & -moved
            moved -= lowest
            s = self.sources[lowest.bit_length() - 1]
            if s.edge and s.wire == s.negative:
                arrived.append(s)
                s.edge_pending = True
            s.wire = not s.wire
        self.found = (self.winner(), self.found[0])
        best = self.found[self.pipelined]
        self.kept = best is None or (self.sources[best].enabled and self.sources[best].pending)
        if claim and clear and offer is not None:
            self.claimed = offer.id
            if self.sources[offer.id].edge:
                self.sources[offer.id].edge_pending = False
                self.claims[offer.id] = self.claims.get(offer.id, 0) + 1
        self.written = None
        self.writing = access is not None and access.data is not None
        if access is not None and access.data is not None:
            self._write(access)
        for s in arrived:
            s.edge_pending = s.edge

    def _write(self, access: Access) -> None:
        view, offset = access.offset & USER_VIEW, access.offset & ~USER_VIEW
        if offset == CONFIG:
            if (byte := access.byte(0)) is not None and not view:
                self.mnlbits = min(byte & 15, 8)
                self.nmbits = byte >> 4 & 1 if self.has_user else 0
            if (byte := access.byte(3)) is not None and self.has_user:
                self.unlbits = min(byte & 15, 8)
            return
        index = (offset - SOURCES) // 4
        if not 0 <= index < self.count:
            return
        s = self.sources[index]
        if view and not self.is_user(s):
            return
        self.written = index
        before = replace(s)
        if (byte := access.byte(2)) is not None:
            s.shv, s.edge, s.negative = bool(byte & 1), bool(byte & 2), bool(byte & 4)
            if self.has_user and not view:
                s.user = not byte & 0x80
        s.edge_pending = s.edge_pending and s.edge
        if (byte := access.byte(0)) is not None and s.edge:
            s.edge_pending = bool(byte & 1)
        if (byte := access.byte(1)) is not None:
            s.enabled = bool(byte & 1)
            (self.enabled.add if s.enabled else self.enabled.discard)(index)
        if (byte := access.byte(3)) is not None:
            s.ctl = self._legal_ctl(byte)
        if index == self.found[self.pipelined]:
            self.kept &= self._keeps(before, s, access.byte(0))

    def _keeps(self, before: Source, after: Source, ip: int | None) -> bool:
        """Whether the winner stays pending and enabled after a write to it.

        A source that a write turns level-triggered does not: its wire may have any level, so the search must find it
        anew.
        """
        if after.edge:
            pending = before.edge if ip is None else bool(ip & 1)
        else:
            pending = (before.edge, before.negative) == (after.edge, after.negative)
        return after.enabled and pending
