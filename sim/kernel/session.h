// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Running firmware on an engine. In: stimulus and console input. Out: stamps, console output and traces.
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
#include "kernel/event_log.h"
#include "kernel/programs.h"
#include "kernel/spans.h"
#include "kernel/stamps.h"
#include "kernel/stimulus.h"

namespace trapeze {

/** Receives what happens in a run, in order of cycles. */
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
  /** Whether on_post() is to be called. A post is reported before on_retire() of any instruction that retires in the
   * same cycle or later. */
  virtual bool watches_posts() const { return false; }
  virtual void on_post(const tz_post&) {}
  /** A span has ended, in this cycle or earlier. */
  virtual void on_span(const std::string& /*name*/, std::uint64_t /*from*/, std::uint64_t /*to*/) {}
};

/** CRC-32 (IEEE 802.3, reflected, as in zlib) of `bytes`, continuing from `crc` (0 at the start). */
std::uint32_t crc32(std::uint32_t crc, std::string_view bytes);

/** Since when all harts sleep, no instruction has retired and no line has changed. */
struct Quiet {
  std::uint64_t since = 0;
  std::uint64_t retired = 0;  ///< number of instructions retired at that time
};

/** State of one hart in a run. */
struct HartRun {
  tz_hart_state now{};  ///< its position; its exit code is in the fields below
  bool exited = false;
  std::uint32_t exit_code = 0;
  std::uint64_t exit_cycle = 0;
};

/** A hart begins its program anew, as after a reset and a load of the program. */
struct Restart {
  unsigned hart = 0;
  std::uint64_t cycle = 0;
};

/** State of a run on the host's side. A value: a copy of it, kept with an engine snapshot, takes the run back to that
 * point. */
struct RunState {
  Stimulus stimulus;
  StampTracker stamps;
  SpanTracker spans;
  std::uint64_t cycle = 0;    ///< cycles executed
  std::uint64_t retired = 0;  ///< instructions retired
  std::uint32_t console_crc = 0;
  std::vector<HartRun> harts;     ///< state of each hart; empty before the first cycle
  std::size_t restarts = 0;       ///< restarts made so far
  bool exited = false;            ///< an exit ended the run: the first exit with a code that is not 0 ...
  unsigned exit_hart = 0;         ///< ... by this hart; else the last exit of all harts with programs of their own, or
  std::uint32_t exit_code = 0;    ///< the first exit if all harts run the same program
  bool asleep = false;            ///< the run ended because nothing can wake the harts ...
  Quiet quiet;                    ///< ... which is found out with this
  bool stopped = false;           ///< the run ended because the caller asked to stop
  bool reached = false;           ///< the run ended because what was to end it came, see Until
  bool over_budget = false;       ///< the run ended because an interrupt or a span took longer than its budget
  std::optional<Injection> late;  ///< the interrupt that exceeded the budget, or one whose marker had not executed when
                                  ///< the program ended
                                  ///< the program ended

  bool ended() const { return exited || asleep || stopped || reached || over_budget; }
};

/** Source of console input while the run goes on. */
class ConsoleInput {
 public:
  virtual ~ConsoleInput() = default;
  /** Bytes that have come since the last call. It is called at intervals of some ten thousand cycles. */
  virtual std::string poll(const RunState& state) = 0;
  /** Waits for bytes, when only console input can still wake the harts. Empty: no more will come, or the run is to
   * stop. */
  virtual std::string await() = 0;
};

/** Drives one engine through a run. */
class Session {
 public:
  using ConsoleSink = std::function<void(std::string_view)>;

  explicit Session(Engine& engine);

  /** Loads the programs. They also decide which exit ends a run. */
  void load(const Programs& programs);
  /** Loads one program for all harts, after a check that the engine fits it (throws Error). */
  void load(const ElfFile& elf) { load(Programs({elf}, engine_.info())); }

  /** Sets the log of chosen events; null: none. Its addresses are watched in the place of those of spans, of which
   * there must be none. */
  void set_log(EventLog* log) { log_ = log; }

  /** Sets the receiver of console output; empty: output is dropped. */
  void set_console(ConsoleSink sink) { console_sink_ = std::move(sink); }

  /** Sets the source of console input; null: none. With a source, a run does not end while harts sleep that input may
   * wake. */
  void set_input(ConsoleInput* input) { input_ = input; }

  /** Polls the source of console input and passes the bytes to the engine. True if bytes have come. */
  bool receive(const RunState& state);

  /** Sets the observer of every instruction; null: none, which is much faster. */
  void set_observer(Observer* observer) { observer_ = observer; }

  /** Sets whether runs may have edges of lines, whose interrupts are followed through their handlers. That takes time
   * on an engine whose harts take turns; without edges such harts are not followed. */
  void set_edges(bool any) { edges_ = any; }

  /** Sets the budget: a run ends when an interrupt's marker has not executed within so many cycles of its edge.
   * Nothing: no limit. An interrupt whose marker never executes exceeds the budget, too. */
  void set_budget(std::optional<std::uint64_t> cycles) { budget_ = cycles; }

  /** Sets how many instructions each of several harts executes in turn, see tz_run_args.turn. */
  void set_turn(std::uint64_t instructions) { turn_ = instructions; }

  /** Sets the hart whose program's end ends a run, whatever other harts do. Nothing: a run ends when all programs
   * have ended, or at the first exit code that is not 0. */
  void set_last_hart(std::optional<unsigned> hart) { last_hart_ = hart; }

  /** Sets the harts that begin anew, in order of cycles. Each of them has a program of its own in `programs`, which
   * must outlive the session. */
  void set_restarts(std::vector<Restart> restarts, const Programs& programs) {
    restarts_ = std::move(restarts);
    programs_ = &programs;
  }

  /** Sets the function that is called at intervals and says whether the run is to stop; empty: none. */
  void set_stop(std::function<bool()> asked) { stop_asked_ = std::move(asked); }

  /** Executes until the firmware exits, an interrupt exceeds the budget, the caller asks to stop, or cycle `until` is
   * the next one. */
  void advance(RunState& state, std::uint64_t until) { execute(state, until, false); }

  /** Executes the rest of a run; no stimulus may be added later. It also ends when nothing can wake the harts. */
  void complete(RunState& state, std::uint64_t until) { execute(state, until, true); }

  /** Makes one step through the engine's interface for debuggers, see tz_debug_api::step(). The step ends before
   * cycle `until`. */
  tz_step_result step(RunState& state, std::uint64_t until);

  /** Records and claims that the engine reported in the last call. */
  std::span<const tz_retire> records() const { return {records_.data(), last_.num_records}; }
  std::span<const tz_claim> claims() const { return {claims_.data(), last_.num_claims}; }

 private:
  void execute(RunState& state, std::uint64_t until, bool whole);
  void begin_cycle(RunState& state);
  /** Makes the restarts that are due. Returns the cycle of the next one. */
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
  std::uint64_t polled_ = 0;              ///< cycle in which step() last looked at the input
  std::optional<std::uint64_t> awaited_;  ///< number of retired instructions when the session last waited for input
  Observer* observer_ = nullptr;
  EventLog* log_ = nullptr;
  bool edges_ = true;
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
