// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Lines that a user of GDB has raised, each until its interrupt is served, as a device holds its line until it is
 * served.
 *
 * An interrupt with an entry of its own is served once it enters its handler. At an entry that interrupts of a CLIC
 * share, the handler asks by xnxti or jalxnxti which ones are pending, and a level must still be high then: it is
 * served once it is handed out, or when the handler returns without asking.
 *
 * Source: RISC-V CLIC, "Interrupt handling software" and the description of xnxti.
 */
#ifndef TRAPEZE_SIM_GDB_HELD_LINES_H
#define TRAPEZE_SIM_GDB_HELD_LINES_H

#include <functional>
#include <utility>
#include <vector>

#include "kernel/dynamic_engine.h"

namespace trapeze::gdb {

class HeldLines {
 public:
  /** `lower` is called for a line that has been served. */
  HeldLines(Engine& engine, std::function<void(unsigned hart, unsigned line)> lower)
      : engine_(engine), lower_(std::move(lower)) {}

  /** A line is raised. False: it is held already. */
  bool hold(unsigned hart, unsigned line);
  /** It was lowered. */
  void forget(unsigned hart, unsigned line);
  void clear() { lines_.clear(); }

  void on_claim(const tz_claim& claim);
  /** A hart is at the first instruction of a handler. */
  void on_entry(unsigned hart);
  void on_retire(const tz_retire& record);

 private:
  struct Line {
    unsigned hart;
    unsigned line;
    unsigned id;           ///< id of its interrupt
    bool claimed = false;  ///< a handler is entered for it
    bool shared = false;   ///< it runs, from an entry that interrupts share
    unsigned depth = 0;    ///< with `shared`: handlers that have interrupted it
  };
  void serve(unsigned hart, const std::function<bool(Line&)>& served);
  bool enters_shared(unsigned hart) const;
  bool served_by(Line& line, const tz_retire& record) const;

  Engine& engine_;
  std::function<void(unsigned hart, unsigned line)> lower_;
  std::vector<Line> lines_;
};

}  // namespace trapeze::gdb

#endif  // TRAPEZE_SIM_GDB_HELD_LINES_H
