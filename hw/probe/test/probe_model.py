# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Reference model of the latency probe, written from its README: one call of `step` for each clock cycle."""

from __future__ import annotations

from dataclasses import dataclass, field

CONTROL, ALARM_LAT, LAST, MAX, MIN = 0x00, 0x10, 0x14, 0x18, 0x1C
SUM_LO, SUM_HI, SQUARES_LO, SQUARES_MID, SQUARES_HI, SCALE = 0x20, 0x24, 0x28, 0x2C, 0x30, 0x34
HISTOGRAM = 0x800
WE, CLEAR, BREAK_ALARM, BREAK_MAX = 1 << 0, 1 << 1, 1 << 4, 1 << 5

RECORDING = 7
"""Cycles after an acknowledge in which nothing else is measured."""
WORD = 0xFFFF_FFFF


@dataclass(frozen=True)
class Parameters:
    """Parameters of the design."""

    width: int
    depth: int
    missed_width: int
    bins: int
    moments: bool
    break_output: bool

    @property
    def most(self) -> int:
        """Largest latency that can be stored."""
        return (1 << self.width) - 1

    @property
    def options(self) -> bool:
        """There are registers beyond the first 32 bytes."""
        return self.bins > 0 or self.moments


@dataclass
class Statistics:
    """What a clear forgets."""

    num: int = 0
    missed: int = 0
    alarm: bool = False
    overflow: bool = False
    last: int = 0
    max: int = 0
    min: int = 0
    sum: int = 0
    squares: int = 0
    histogram: list[int] = field(default_factory=list)


class Probe:
    """The probe. Read the outputs of a cycle first, then call `step` with the inputs of this cycle."""

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self.samples: list[int | None] = [None] * parameters.depth
        self.irq = self.ack = False
        self.reset()

    def reset(self) -> None:
        """Reset everything but the samples."""
        self.we = False
        self.break_alarm = self.break_max = False
        self.alarm_lat: int | None = None
        self.scale = 0
        self.elapsed: int | None = None
        self.rest = 0
        self.pending = 0
        self.break_output = False
        self._forget()

    def _forget(self) -> None:
        self.is_now = Statistics(histogram=[0] * self.parameters.bins)
        self.sweep = self.parameters.bins

    @property
    def idle(self) -> bool:
        """Nothing is being measured or recorded."""
        return self.elapsed is None and self.rest == 0 and self.sweep == 0

    def step(self, irq: bool, ack: bool, write: tuple[int, int] | None) -> None:
        """Let a clock cycle pass, with these inputs and this write accepted on s01."""
        now, limits = self.is_now, self.parameters
        irq_rise, ack_rise = irq and not self.irq, ack and not self.ack
        address, data = write if write is not None else (None, 0)
        address = self._plain(address) if address is not None else None
        clear = address == CONTROL and bool(data & CLEAR)
        blocked = limits.bins > 0 and (clear or self.sweep > 0)
        recording = self.rest > 0
        self.break_output = self._record()
        self.sweep = max(self.sweep - 1, 0)

        if irq_rise and (self.elapsed is not None or recording or blocked):
            now.missed = min(now.missed + 1, (1 << limits.missed_width) - 1)
        if self.elapsed is not None:
            self.elapsed += 1
            now.overflow |= self.elapsed > limits.most
            if blocked:
                self.elapsed = None
            elif ack_rise:
                self.pending = min(self.elapsed, limits.most)
                self.rest = RECORDING
                self.elapsed = None
            elif not self.we:
                self.elapsed = None
        elif irq_rise and self.we and not recording and not blocked:
            self.elapsed = 0

        if address == CONTROL:
            self.we = bool(data & WE)
            self.break_alarm = limits.break_output and bool(data & BREAK_ALARM)
            self.break_max = limits.break_output and bool(data & BREAK_MAX)
            if clear:
                self._forget()
        elif address == ALARM_LAT:
            self.alarm_lat = data & limits.most
        elif address == SCALE and limits.bins:
            self.scale = data & 31
        self.irq, self.ack = irq, ack

    def _record(self) -> bool:
        """Go on with the recording of a latency; return whether break_o pulses in the next cycle."""
        now, latency = self.is_now, self.pending
        if not self.rest:
            return False
        self.rest -= 1
        pulse = False
        if self.rest == 5:  # the second of seven cycles compares with the maximum
            pulse = self.break_max and now.num > 0 and latency > now.max
        if self.rest == 1 and self.alarm_lat is not None and latency > self.alarm_lat:
            now.alarm = True
            pulse = self.break_alarm
        if self.rest == 0:
            if now.num < self.parameters.depth:
                self.samples[now.num] = latency
            now.max = max(now.max, latency) if now.num else latency
            now.min = min(now.min, latency) if now.num else latency
            now.last = latency
            if now.num < 0xFFFF:
                now.sum += latency
                now.squares += latency * latency
            now.num = min(now.num + 1, 0xFFFF)
            if self.parameters.bins:
                now.histogram[min(latency >> self.scale, self.parameters.bins - 1)] += 1
        return pulse

    def _plain(self, address: int) -> int:
        """An address of s01 without the bits that are not decoded."""
        return address & 0xFFC if self.parameters.options else address & 0x1C

    def read(self, address: int) -> int:
        """Value of a register in this cycle."""
        address, now, limits = self._plain(address), self.is_now, self.parameters
        if address < ALARM_LAT:
            value = self.we | now.alarm << 2 | now.overflow << 3 | self.break_alarm << 4 | self.break_max << 5
            return value | now.missed << 8 | now.num << 16
        if address >= HISTOGRAM:
            index = (address - HISTOGRAM) // 4
            return now.histogram[index] if index < limits.bins else 0
        values = {ALARM_LAT: self.alarm_lat or 0, LAST: now.last, MAX: now.max, MIN: now.min}
        if limits.moments:
            values |= {SUM_LO: now.sum & WORD, SUM_HI: now.sum >> 32}
            values |= {SQUARES_LO: now.squares & WORD, SQUARES_MID: now.squares >> 32 & WORD}
            values[SQUARES_HI] = now.squares >> 64
        if limits.bins:
            values[SCALE] = self.scale
        return values.get(address, 0)

    def sample(self, address: int) -> int | None:
        """Word of the sample RAM in this cycle, None if it is not defined."""
        index = address // 4 % self.parameters.depth
        if self.rest == 1 and index == self.is_now.num:
            return None  # written in this cycle
        return self.samples[index]
