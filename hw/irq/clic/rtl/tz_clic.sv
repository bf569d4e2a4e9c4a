// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Core-local interrupt controller of one hart: modes, levels, edges, selective hardware vectoring.
// Behaviour: RISC-V Fast Interrupts, v0.10; registers: its commit 5f5f98d, as in regs/clic.rdl. Contract with the core:
// hw/irq/pkg.
//
// Timing: the offer is a register. In cycle n it is the winner of the registers in cycle n (pending, enabled, ctl), so a
// wire sampled in cycle t is offered in t+1: the tree works on what the pending bits will be.
// Claims and writes come late in a cycle, and the tree does not see them before the next one:
// - A claim that clears the winner, or a write that leaves it not pending or not enabled, turns the offer off in the next
//   cycle. In the cycle after that the offer is the new winner.
// - A write that leaves the winner pending and enabled keeps it offered, with its new level. If another source wins because
//   of the write, that one is offered a cycle later.
// So a write delays an offer by one cycle at most, and never loses one.
// With `TreePipeline` the tree takes two cycles: the offer of cycle n is the winner of cycle n-1, if it is still pending in n.
// An access right after a write waits for a cycle, so that an interrupt which the write made pending is offered when the
// next read is answered, as it is without `TreePipeline`.
module tz_clic #(
  parameter int unsigned NumSources   = 64,  // interrupt sources, 1 to 4096
  parameter int unsigned CtlBits      = 8,   // implemented bits of each ctl, from the top, 2 to 8
  parameter bit          UserIrq      = 0,   // sources may be user mode's: nmbits, unlbits, modes, user mode's view
  parameter bit          TreePipeline = 0    // register stage inside the tree: for many sources or a fast clock
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  obi_pkg::obi_req_t     req_i,    // with UserIrq the address bit above the window is 1 for user mode's view
  output obi_pkg::obi_rsp_t     rsp_o,

  input  logic [NumSources-1:0] irq_i,    // wire of each source, synchronous to clk_i; trigger as configured
  input  logic [NumSources-1:0] pulse_i,  // for edge-triggered sources: counts as an edge, whatever irq_i does
  output irq_pkg::clic_offer_t  offer_o,
  input  irq_pkg::clic_claim_t  claim_i   // the core claims the offer of this cycle
);

  if (NumSources < 1 || NumSources > 4096) begin : gen_bad_sources
    $error("tz_clic: NumSources must be 1 to 4096");
  end
  if (CtlBits < 2 || CtlBits > 8) begin : gen_bad_bits
    $error("tz_clic: CtlBits must be 2 to 8");
  end

  localparam int unsigned IdWidth = (NumSources > 1) ? $clog2(NumSources) : 1;
  localparam int unsigned NumPairs = (NumSources + 1) / 2;

  logic [NumSources-1:0]              ip, ip_write, able, clear;
  logic [NumSources-1:0]              ie, shv, is_edge, negative;
  logic [NumSources-1:0][CtlBits-1:0] ctl;
  logic [3:0]                         mnlbits_next;
  logic [NumPairs-1:0]                odd_first;
  logic                               ip_wdata, claim_clear;
  logic                               write_source, write_keeps, write_shv, write_user, modes, modes_next;
  logic [NumSources-1:0]              user;
  logic [3:0]                         unlbits_next;
  logic [IdWidth-1:0]                 write_id;
  logic [CtlBits-1:0]                 write_ctl;

  tz_clic_regs #(
    .NumSources (NumSources),
    .CtlBits    (CtlBits),
    .UserIrq    (UserIrq),
    .WritesAlone(TreePipeline)
  ) u_regs (
    .clk_i,
    .rst_ni,
    .req_i,
    .rsp_o,
    .ip_i          (ip),
    .ip_write_o    (ip_write),
    .ip_wdata_o    (ip_wdata),
    .write_source_o(write_source),
    .write_id_o    (write_id),
    .write_keeps_o (write_keeps),
    .write_shv_o   (write_shv),
    .write_user_o  (write_user),
    .write_ctl_o   (write_ctl),
    .mnlbits_next_o(mnlbits_next),
    .unlbits_next_o(unlbits_next),
    .modes_o       (modes),
    .modes_next_o  (modes_next),
    .user_o        (user),
    .ie_o          (ie),
    .shv_o         (shv),
    .edge_o        (is_edge),
    .negative_o    (negative),
    .ctl_o         (ctl),
    .odd_first_o   (odd_first)
  );

  tz_clic_gateway #(
    .NumSources(NumSources)
  ) u_gateway (
    .clk_i,
    .irq_i,
    .pulse_i,
    .edge_i    (is_edge),
    .negative_i(negative),
    .enable_i  (ie),
    .write_i   (ip_write),
    .wdata_i   (ip_wdata),
    .clear_i   (clear),
    .ip_o      (ip),
    .able_o    (able)
  );

  // key: sources are ordered by it. With UserIrq it is the mode, then ctl; else ctl. carry: goes through the tree with
  // each source. Beside shv it has the mode bit as software wrote it, because nmbits may change while the tree
  // searches.
  localparam int unsigned KeyBits = CtlBits + 32'(UserIrq);
  localparam int unsigned CarryBits = 1 + 32'(UserIrq);
  logic [NumSources-1:0][KeyBits-1:0]   key;
  logic [NumSources-1:0][CarryBits-1:0] carry;
  always_comb begin
    for (int unsigned i = 0; i < NumSources; i++) begin
      key[i]   = KeyBits'({!(modes && user[i]), ctl[i]});
      carry[i] = CarryBits'({user[i], shv[i]});
    end
  end

  logic                 win_valid, win_shv, win_user;
  logic [IdWidth-1:0]   win_id;
  logic [CtlBits-1:0]   win_ctl;
  logic [KeyBits-1:0]   win_key;
  logic [CarryBits-1:0] win_carry;
  assign win_ctl  = win_key[CtlBits-1:0];
  assign win_shv  = win_carry[0];
  assign win_user = UserIrq && win_carry[CarryBits-1];

  tz_clic_tree #(
    .NumSources(NumSources),
    .CtlBits   (KeyBits),
    .CarryBits (CarryBits),
    .Pipeline  (TreePipeline)
  ) u_tree (
    .clk_i,
    .rst_ni,
    .valid_i    (able),
    .carry_i    (carry),
    .ctl_i      (key),
    .odd_first_i(odd_first),
    .valid_o    (win_valid),
    .id_o       (win_id),
    .carry_o    (win_carry),
    .ctl_o      (win_key)
  );

  // now_*: shv, mode and ctl of the winner. With the register stage the tree gives those of the cycle before. If a
  // write changed the winner in that cycle, these are the written values.
  logic               now_shv, now_user;
  logic [CtlBits-1:0] now_ctl;
  if (TreePipeline) begin : gen_now
    logic               write_q, shv_q, user_q;
    logic [IdWidth-1:0] id_q;
    logic [CtlBits-1:0] ctl_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        write_q <= 1'b0;
        id_q    <= '0;
        shv_q   <= 1'b0;
        user_q  <= 1'b0;
        ctl_q   <= '0;
      end else begin
        write_q <= write_source;
        id_q    <= write_id;
        shv_q   <= write_shv;
        user_q  <= write_user;
        ctl_q   <= write_ctl;
      end
    end
    assign {now_shv, now_user, now_ctl} = (write_q && (win_id == id_q)) ? {shv_q, user_q, ctl_q}
                                                                        : {win_shv, win_user, win_ctl};
  end else begin : gen_same
    assign {now_shv, now_user, now_ctl} = {win_shv, win_user, win_ctl};
  end

  // The mode of an interrupt: a source's mode bit counts only while nmbits is 1.
  function automatic logic [1:0] mode_of(logic of_user);
    mode_of = (UserIrq && modes_next && of_user) ? obi_pkg::PrvUser : obi_pkg::PrvMachine;
  endfunction
  // The level of an interrupt: the top mnlbits (user mode: unlbits) bits of ctl, with ones below.
  function automatic logic [7:0] level_of(logic of_user, logic [CtlBits-1:0] value);
    logic [3:0] nlbits;
    nlbits   = (mode_of(of_user) == obi_pkg::PrvUser) ? unlbits_next : mnlbits_next;
    level_of = 8'({value, 8'hff} >> CtlBits) | (8'hff >> nlbits);
  endfunction

  // The offer of the next cycle: the winner, with what a write of this cycle changes of it. It is not valid if the
  // write, or the claim of this cycle, ends the winner.
  irq_pkg::clic_offer_t offer_q, offer_d;
  logic [7:0] level, write_level;
  logic       written;
  assign level       = level_of(now_user, now_ctl);
  assign write_level = level_of(write_user, write_ctl);
  assign claim_clear = claim_i.valid && claim_i.clear && offer_q.valid;
  assign written     = write_source && (win_id == write_id);
  always_comb begin
    offer_d = '{valid: level != '0, id: 12'(win_id), level: level, shv: now_shv,
                prv: mode_of(now_user)};
    if (written) begin
      offer_d = '{valid: write_keeps && write_level != '0, id: 12'(win_id), level: write_level, shv: write_shv,
                  prv: mode_of(write_user)};
    end
    if (!win_valid || (claim_clear && (win_id == offer_q.id[IdWidth-1:0]))) offer_d.valid = 1'b0;
  end

  // clear: bit of the source that is claimed. The id is decoded in two halves, so that each source needs one gate.
  localparam int unsigned LowBits = IdWidth / 2;
  localparam int unsigned NumLow = 1 << LowBits;
  localparam int unsigned NumHigh = 1 << (IdWidth - LowBits);
  logic [NumLow-1:0]              clear_low;
  logic [NumHigh-1:0]             clear_high;
  logic [NumHigh-1:0][NumLow-1:0] clear_all;
  assign clear_low  = NumLow'(1) << (offer_q.id & 12'(NumLow - 1));
  assign clear_high = NumHigh'(claim_clear) << (offer_q.id[IdWidth-1:0] >> LowBits);
  always_comb begin
    for (int unsigned i = 0; i < NumHigh; i++) clear_all[i] = clear_low & {NumLow{clear_high[i]}};
  end
  assign clear = NumSources'(clear_all);
  logic unused;
  assign unused = ^{clear_all, user, write_user, unlbits_next, modes, modes_next, win_key, win_carry};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      offer_q <= '0;
    end else begin
      offer_q <= offer_d;
    end
  end

  assign offer_o = offer_q;

endmodule
