// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Running firmware on an engine: stimulus in, stamps, console and traces out.
 */
#ifndef TRAPEZE_SIM_KERNEL_SESSION_H
#define TRAPEZE_SIM_KERNEL_SESSION_H

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/dynamic_engine.h"
#include "kernel/programs.h"
#include "kernel/spans.h"
#include "kernel/stamps.h"
#include "kernel/stimulus.h"

namespace trapeze {

/** What happens in a run, in the order of cycles. */
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_retire(const tz_retire& record) = 0;
  virtual void on_claim(const tz_claim& claim) = 0;
  /** `line` of `hart` has `level` from `cycle` on. */
  virtual void on_line(std::uint64_t cycle, unsigned hart, unsigned line, bool level) = 0;
  /** Whether on_activity() is to be called. */
  virtual bool watches_activity() const { return false; }
  virtual void on_activity(const tz_activity&) {}
  /** Whether on_post() is to be called: before on_retire() of what retires in the same cycle or
   * later. */
  virtual bool watches_posts() const { return false; }
  virtual void on_post(const tz_post&) {}
  /** A span has ended, some time ago. */
  virtual void on_span(const std::string& /*name*/, std::uint64_t /*from*/, std::uint64_t /*to*/) {}
};

/** CRC-32 (IEEE 802.3, reflected, as in zlib) of `bytes`, continuing from `crc` (0 at the start). */
std::uint32_t crc32(std::uint32_t crc, std::string_view bytes);

/** Cycles in which no instruction retired and no line changed, with all harts asleep. */
struct Quiet {
  std::uint64_t since = 0;
  std::uint64_t retired = 0;  ///< instructions by then
};

/** What is known of one hart in a run. */
struct HartRun {
  tz_hart_state now{};  ///< where it is; its exit is below
  bool exited = false;
  std::uint32_t exit_code = 0;
  std::uint64_t exit_cycle = 0;
};

/** A hart begins its program anew: as if somebody reset it and loaded the program. */
struct Restart {
  unsigned hart = 0;
  std::uint64_t cycle = 0;
};

/** The host's side of a run. A value: keep a copy with an engine snapshot and both can be taken back. */
struct RunState {
  Stimulus stimulus;
  StampTracker stamps;
  SpanTracker spans;
  std::uint64_t cycle = 0;    ///< cycles executed
  std::uint64_t retired = 0;  ///< instructions retired
  std::uint32_t console_crc = 0;
  std::vector<HartRun> harts;     ///< empty before the first cycle
  std::size_t restarts = 0;       ///< that were made
  bool exited = false;            ///< the run was ended by an exit: the first that is not 0 ...
  unsigned exit_hart = 0;         ///< ... of this hart; else the last of all harts that have a program of their own, or
  std::uint32_t exit_code = 0;    ///< the first one if all run the same
  bool asleep = false;            ///< the run was ended because nothing can end its sleep ...
  Quiet quiet;                    ///< ... which is seen by this
  bool stopped = false;           ///< ... because somebody asked to stop
  bool over_budget = false;       ///< ... by an interrupt or a span that took too long
  std::optional<Injection> late;  ///< that did not keep the budget: that one, or one whose marker had not executed when
                                  ///< the program ended

  bool ended() const { return exited || asleep || stopped || over_budget; }
};

/** Somebody who talks to the console while the run goes on. */
class ConsoleInput {
 public:
  virtual ~ConsoleInput() = default;
  /** Bytes that have come since the last call. Called every some ten thousand cycles. */
  virtual std::string poll(const RunState& state) = 0;
  /** Nothing else can wake the harts: waits for bytes. Empty: none will come any more, or the run is to stop. */
  virtual std::string await() = 0;
};

/** Drives one engine. */
class Session {
 public:
  using ConsoleSink = std::function<void(std::string_view)>;

  explicit Session(Engine& engine);

  /** Load programs, of which it depends how a run ends. */
  void load(const Programs& programs);
  /** One program for all harts, checked against the engine (throws Error). */
  void load(const ElfFile& elf) { load(Programs({elf}, engine_.info())); }

  /** Where console output goes; empty: nowhere. */
  void set_console(ConsoleSink sink) { console_sink_ = std::move(sink); }

  /** Who talks to the console; null: nobody. With somebody, harts that sleep and that bytes may wake end no run. */
  void set_input(ConsoleInput* input) { input_ = input; }

  /** Whether bytes have come, which the console gets. */
  bool receive(const RunState& state);

  /** Who watches every instruction; null: nobody, which is much faster. */
  void set_observer(Observer* observer) { observer_ = observer; }

  /** Runs end when an interrupt's marker has not executed within so many cycles of its edge; without: whatever they
   * take. An interrupt whose marker never executes has not kept it either. */
  void set_budget(std::optional<std::uint64_t> cycles) { budget_ = cycles; }

  /** How many instructions each of several harts executes in turn, see tz_run_args.turn. */
  void set_turn(std::uint64_t instructions) { turn_ = instructions; }

  /** A run ends when the program of this hart does, whatever others do; without: when all have ended, or at the first
   * exit code that is not 0. */
  void set_last_hart(std::optional<unsigned> hart) { last_hart_ = hart; }

  /** Harts that begin anew, in the order of cycles; each has a program of its own (`programs`, which stays there). */
  void set_restarts(std::vector<Restart> restarts, const Programs& programs) {
    restarts_ = std::move(restarts);
    programs_ = &programs;
  }

  /** Who is asked now and then whether the run is to stop; empty: nobody. */
  void set_stop(std::function<bool()> asked) { stop_asked_ = std::move(asked); }

  /** Execute until the firmware exits, an interrupt exceeds the budget, somebody asks to stop, or cycle `until` is the
   * next one. */
  void advance(RunState& state, std::uint64_t until) { execute(state, until, false); }

  /** The rest of a run, to which no stimulus will be added: it ends, too, when nothing can end the harts' sleep. */
  void complete(RunState& state, std::uint64_t until) { execute(state, until, true); }

  /** One step of the engine's interface for debuggers, see tz_debug_api::step(); cycle `until` ends it at the latest.
   */
  tz_step_result step(RunState& state, std::uint64_t until);

  /** Of the last call: records and claims that the engine reported. */
  std::span<const tz_retire> records() const { return {records_.data(), last_.num_records}; }
  std::span<const tz_claim> claims() const { return {claims_.data(), last_.num_claims}; }

 private:
  void execute(RunState& state, std::uint64_t until, bool whole);
  void begin_cycle(RunState& state);
  /** Make the restarts that are due, and return the cycle of the next one. */
  std::uint64_t restart(RunState& state);
  void judge_sleep(RunState& state, const tz_run_result& result);
  bool wakes_by_input(std::uint64_t retired);
  tz_run_args arguments(const RunState& state, std::uint64_t until);
  void absorb(RunState& state, const tz_run_result& result);
  void absorb_instructions(RunState& state, const tz_run_result& result);
  void settle(RunState& state);
  void finish_spans(RunState& state);
  void show_console(RunState& state, const tz_run_result& result) const;
  void finish_console(RunState& state);
  void show_spans(RunState& state);
  std::optional<unsigned> line_of(unsigned hart, unsigned id) const;
  void absorb_harts(RunState& state);
  void show(const tz_run_result& result);

  Engine& engine_;
  ConsoleSink console_sink_;
  std::function<bool()> stop_asked_;
  ConsoleInput* input_ = nullptr;
  std::uint64_t polled_ = 0;              ///< cycle in which a step looked at the input
  std::optional<std::uint64_t> awaited_;  ///< instructions retired when it was waited for
  Observer* observer_ = nullptr;
  std::optional<std::uint64_t> budget_;
  std::uint64_t turn_ = 1;
  std::optional<unsigned> last_hart_;
  std::vector<Restart> restarts_;
  const Programs* programs_ = nullptr;
  unsigned own_programs_ = 0;  ///< harts with a program of their own
  std::vector<tz_retire> records_;
  std::vector<tz_claim> claims_;
  std::vector<tz_hart_state> harts_;
  std::vector<std::uint8_t> console_;
  std::vector<tz_rise> rises_;
  std::vector<tz_activity> activities_;
  std::vector<tz_hit> hits_;
  std::vector<tz_post> posts_;
  tz_run_result last_{};
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_SESSION_H
