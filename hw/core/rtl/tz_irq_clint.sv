// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Interrupt decision of the CLINT scheme (Privileged Architecture, 3.1.9): mip, mie and a fixed priority.
// Combinational. Priority: platform lines, the highest number first; then external, software, timer. The order of the
// last three is the specification's. That of the platform lines, which the specification leaves to the platform, is
// docs/core.md's.
module tz_irq_clint
  import tz_core_pkg::*;
(
  input  irq_pkg::clint_pending_t pending_i,  // mip
  input  irq_pkg::clint_pending_t enable_i,   // mie
  input  logic                    global_i,   // interrupts are enabled in the current mode
  output irq_t                    irq_o
);

  irq_pkg::clint_pending_t active;
  assign active = pending_i & enable_i;

  logic [4:0] id;
  always_comb begin
    id = isa_pkg::IrqTimer;
    if (active != '0) begin  // changes no result: only lets a simulator skip the search in most cycles
      if (active.software) id = isa_pkg::IrqSoftware;
      if (active.external) id = isa_pkg::IrqExternal;
      for (int unsigned i = 0; i < irq_pkg::NumPlatformLines; i++) begin
        if (active.platform[i]) id = isa_pkg::IrqPlatform + 5'(i);
      end
    end
  end

  assign irq_o = '{
    take:  (active != '0) && global_i,
    wake:  (active != '0),
    id:    12'(id),
    level: '0,
    shv:   1'b0,
    user:  1'b0
  };

endmodule
