// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Reading what is on the bus, for debuggers. Only in the variant with waves and registers.
//
// A read may change a device, so it is made in a simulation that is thrown away. There the engine puts a request of its
// own in front of the bus matrix of a hart, where the requests of its data port arrive, and holds back all others
// (device_port.vlt). It does so in the cycle in which the clock is held: the instructions that have retired have had
// their effects by then, and those behind them have none.
#include <array>
#include <utility>

#include "rtl/rtl_engine.h"

using namespace trapeze::rtl;

namespace {

/** Places in obi_pkg::obi_req_t and obi_rsp_t, in words of 32 bits. The data port is the first manager: the lowest
 * bits.
 */
namespace request {
constexpr unsigned kAddress = 1;
constexpr unsigned kRest = 2;
constexpr unsigned kLanesBit = 0;
constexpr std::uint32_t kValid = 1U << 5;
constexpr unsigned kHartBit = 14;
constexpr std::uint32_t kMachineMode = 3U << 18;
}  // namespace request
namespace response {
constexpr unsigned kData = 0;
constexpr unsigned kRest = 1;
constexpr std::uint32_t kError = 1U << 0;
constexpr std::uint32_t kGrant = 1U << 2;
}  // namespace response

/** Cycles that a hart may take to come to a boundary, and a device to grant a request; wait states make it long. */
constexpr unsigned kPatience = 100'000;

/** The ports of a hart at its bus matrix. */
struct BusPort {
  const EData* made;      ///< requests as they are without the engine's
  EData* forced;          ///< with a bit for each bit of the requests that is the engine's
  EData* value;           ///< the engine's
  const EData* response;  ///< the answers
  std::size_t words;      ///< words of the first three
};

template <std::size_t Words, std::size_t ResponseWords>
BusPort port_of(const VlWide<Words>& made, VlWide<Words>& forced, VlWide<Words>& value,
                const VlWide<ResponseWords>& response) {
  return {made.data(), forced.data(), value.data(), response.data(), Words};
}

std::vector<BusPort> ports([[maybe_unused]] Vsim___024root& root) {
  std::vector<BusPort> all;
#define TZ_PORT(hart, prefix) \
  all.push_back(port_of(root.prefix##req, root.prefix##req__VforceEn, root.prefix##req__VforceVal, root.prefix##rsp));
  TZ_BUS_PORTS(TZ_PORT)
#undef TZ_PORT
  return all;
}

/** Holds back every request of a hart. */
void block(const BusPort& port) {
  for (std::size_t i = 0; i < port.words; ++i) {
    port.forced[i] = ~EData{0};
    port.value[i] = 0;
  }
}

/** While it lives, the simulation is one that is thrown away. */
class Aside {
 public:
  explicit Aside(tz_engine& engine, VerilatedContext& context)
      : engine_(engine), context_(context), asserts_(context.assertOn()), here_(engine.save()) {
    context_.assertOn(false);  // no port of the design would withdraw a request
#if VM_TRACE
    wave_ = std::move(engine_.wave);
#endif
  }
  ~Aside() {
    engine_.restore(*here_);
    context_.assertOn(asserts_);
#if VM_TRACE
    engine_.wave = std::move(wave_);
#endif
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

 private:
  tz_engine& engine_;
  VerilatedContext& context_;
  bool asserts_;
  std::unique_ptr<Snapshot> here_;
#if VM_TRACE
  std::unique_ptr<Waves> wave_;
#endif
};

}  // namespace

tz_status tz_engine::read_bus(std::uint32_t hart, std::uint64_t address, std::uint32_t lanes, std::uint32_t& value) {
  const std::vector<BusPort> all = ports(*io_);
  if (all.empty()) return fail(TZ_ERR_SUPPORT, "a netlist shows no device registers; use the model engine");
  if (hart >= all.size()) return fail(TZ_ERR_ARGUMENT, "configuration '" TZ_CONFIG "' has no such hart");
  if (address >> 32 != 0) return fail(TZ_ERR_ADDRESS, "the bus has 32 bits of address");
  const BusPort& port = all[hart];
  const Aside aside(*this, context_);

  // To a boundary of the hart. A request that the bus matrix has not granted would stay there.
  bool boundary = state_.held && state_.harts[hart].held.retired;
  if (!state_.held) begin_cycle();
  for (unsigned cycle = 0; !boundary && cycle < kPatience; ++cycle) {
    const bool waits = (port.made[request::kRest] & request::kValid) != 0;
    boundary = (io_->rvfi_valid_o >> hart & 1U) != 0 || (io_->observe_idle_o[hart] != 0 && !waits) ||
               (io_->sleep_o >> hart & 1U) != 0;
    if (boundary) break;
    end_cycle();
    begin_cycle();
  }
  for (const BusPort& each : all) block(each);
  port.value[request::kAddress] = static_cast<EData>(address);
  port.value[request::kRest] =
      request::kMachineMode | hart << request::kHartBit | request::kValid | lanes << request::kLanesBit;
  top_->eval();
  bool granted = false;
  for (unsigned cycle = 0; !granted && cycle < kPatience; ++cycle) {
    granted = (port.response[response::kRest] & response::kGrant) != 0;
    end_cycle();
    begin_cycle();
  }
  if (!granted || !boundary) return fail(TZ_ERR_ADDRESS, "the bus does not answer");
  value = port.response[response::kData];
  if ((port.response[response::kRest] & response::kError) != 0) return fail(TZ_ERR_ADDRESS, "the bus refuses the read");
  return TZ_OK;
}
