// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Run control of the harts: selection, halt and resume requests, reset, halt and resume groups; the registers
// dmcontrol (without dmactive), dmstatus (without version and authentication), hawindow, dmcs2, haltsum0.
// Source: RISC-V Debug Specification 1.0, sections 3.2 to 3.6 and 3.14.
//
// A hart is halted from the cycle after its write to HaltedOffset to that after its write to ResumingOffset. A hart that
// is in reset, or not available, is not halted.
module tz_debug_harts
  import debug_pkg::*;
#(
  parameter int unsigned NumHarts = 1,
  parameter int unsigned SelW     = 1,    // bits of hartsel
  parameter bit          HartReset = 1'b1  // dmcontrol.hartreset exists
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       active_i,      // dmactive
  input  dmi_req_t                   dmi_req_i,
  output logic [31:0]                dmi_rdata_o,   // zero for the registers of others

  input  logic                       command_busy_i,
  output logic [SelW-1:0]            hartsel_o,
  output logic [NumHarts-1:0]        ready_o,       // the hart can begin a command
  output logic [NumHarts-1:0]        unavailable_o,
  input  hart_event_t [NumHarts-1:0] event_i,
  output logic [NumHarts-1:0]        resume_o,      // the hart is to leave debug mode

  output logic [NumHarts-1:0]        debug_req_o,   // level: the hart is to enter debug mode
  input  logic [NumHarts-1:0]        unavailable_i,
  input  logic [NumHarts-1:0]        hart_reset_i,  // the hart is in reset
  output logic [NumHarts-1:0]        hart_reset_o,  // request: dmcontrol.hartreset
  output logic                       ndmreset_o
);

  localparam int unsigned GroupW = (NumHarts > 1) ? 2 : 0;  // groups 1 to 3
  localparam int unsigned Padded = 2 ** SelW;
  typedef logic [NumHarts-1:0] harts_t;
  typedef logic [1:0] group_t;

  logic [SelW-1:0] hartsel_q, hartsel_d;
  logic            hasel_q, hasel_d, hart_reset_q, ndmreset_q, ndm_pending_q, group_type_q;
  harts_t          window_q;                       // hart array mask
  harts_t          halted_q, halt_q, resume_q, ack_q, have_reset_q, reset_halt_q;
  harts_t          forced_q;                       // halt once: after reset, or with its group
  group_t [NumHarts-1:0] halt_group_q, resume_group_q;

  harts_t halted, unavailable, running, selected_d, selected_q, begins, resumes;
  logic   control, ordered, write;
  logic [31:0] data;

  assign data    = dmi_req_i.data;
  assign write   = dmi_req_i.valid && dmi_req_i.write;
  assign control = write && dmi_req_i.addr == DmControl;
  assign ordered = control && !command_busy_i;  // most of a write to dmcontrol is ignored during a command

  // ---------------------------------------------------------------- selection
  function automatic harts_t selection(logic [SelW-1:0] hartsel, logic hasel, harts_t window);
    for (int unsigned h = 0; h < NumHarts; h++) selection[h] = (hartsel == SelW'(h)) || (hasel && window[h]);
  endfunction

  assign hartsel_d  = ordered ? data[16+:SelW] : hartsel_q;
  assign hasel_d    = ordered ? data[26] : hasel_q;
  assign selected_d = selection(hartsel_d, hasel_d, window_q);
  assign selected_q = selection(hartsel_q, hasel_q, window_q);

  // ---------------------------------------------------------------- harts
  assign unavailable = unavailable_i | hart_reset_i;
  assign halted      = halted_q & ~unavailable;
  assign running     = ~halted_q & ~unavailable;

  /// These harts, and all that are in a group with one of them.
  function automatic harts_t with_groups(harts_t harts, group_t [NumHarts-1:0] groups);
    with_groups = harts;
    for (int unsigned h = 0; h < NumHarts; h++) begin
      for (int unsigned k = 0; k < NumHarts; k++) begin
        if (harts[k] && groups[k] != '0 && groups[h] == groups[k]) with_groups[h] = 1'b1;
      end
    end
  endfunction

  always_comb begin
    for (int unsigned h = 0; h < NumHarts; h++) begins[h] = event_i[h].halted && !halted_q[h];
  end
  assign resumes = (ordered && data[31:30] == 2'b01) ? with_groups(selected_d & halted, resume_group_q) & halted : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) have_reset_q <= '1;
    else if (active_i && ordered && data[28]) have_reset_q <= (have_reset_q & ~selected_d) | hart_reset_i;
    else have_reset_q <= have_reset_q | hart_reset_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {hartsel_q, hasel_q, window_q, group_type_q, halt_group_q, resume_group_q} <= '0;
      {hart_reset_q, ndmreset_q, ndm_pending_q} <= '0;
      {halted_q, halt_q, resume_q, ack_q, reset_halt_q, forced_q} <= '0;
    end else if (!active_i) begin
      {hartsel_q, hasel_q, window_q, group_type_q, halt_group_q, resume_group_q} <= '0;
      {hart_reset_q, ndmreset_q, ndm_pending_q} <= '0;
      {halted_q, halt_q, resume_q, ack_q, reset_halt_q, forced_q} <= '0;
    end else begin
      hartsel_q     <= hartsel_d;
      hasel_q       <= hasel_d;
      ndm_pending_q <= ndmreset_q || (ndm_pending_q && hart_reset_i != '0);
      if (control) begin
        ndmreset_q   <= data[1];
        hart_reset_q <= HartReset && data[29];
      end
      if (ordered) begin
        halt_q <= data[31] ? halt_q | selected_d : halt_q & ~selected_d;
        if (data[2]) reset_halt_q <= reset_halt_q & ~selected_d;
        else if (data[3]) reset_halt_q <= reset_halt_q | selected_d;
      end
      if (write && dmi_req_i.addr == DmHawindow) window_q <= data[NumHarts-1:0];
      if (write && dmi_req_i.addr == DmCs2) begin
        group_type_q <= data[11] && GroupW != 0;
        for (int unsigned h = 0; h < NumHarts; h++) begin
          if (GroupW != 0 && data[1] && data[6:2] <= 5'd3 && selected_q[h]) begin
            if (data[11]) resume_group_q[h] <= data[3:2];
            else halt_group_q[h] <= data[3:2];
          end
        end
      end

      // A hart that begins to be halted takes its group along, also harts that are about to resume.
      forced_q <= forced_q | (with_groups(begins, halt_group_q) & ~begins & (~halted_q | resume_q));
      resume_q <= resume_q | resumes;
      ack_q    <= ack_q & ~resumes;
      for (int unsigned h = 0; h < NumHarts; h++) begin
        if (event_i[h].halted) halted_q[h] <= 1'b1;
        if (begins[h]) forced_q[h] <= 1'b0;
        if (event_i[h].resuming) begin
          halted_q[h] <= 1'b0;
          resume_q[h] <= 1'b0;
          ack_q[h]    <= 1'b1;
        end
        if (hart_reset_i[h]) begin
          halted_q[h] <= 1'b0;
          resume_q[h] <= 1'b0;
          forced_q[h] <= reset_halt_q[h];
        end
      end
    end
  end

  assign debug_req_o   = halt_q | forced_q;
  assign resume_o      = resume_q;
  assign ready_o       = halted & ~resume_q;
  assign unavailable_o = unavailable;
  assign hartsel_o     = hartsel_q;
  assign hart_reset_o  = hart_reset_q ? selected_q : '0;
  assign ndmreset_o    = ndmreset_q;

  // ---------------------------------------------------------------- registers
  logic nonexistent;
  logic [Padded-1:0][1:0] halt_groups, resume_groups;

  assign nonexistent = 32'(hartsel_q) >= NumHarts;

  /// Bits `all` and `any` of dmstatus.
  function automatic logic [1:0] all_any(harts_t of, harts_t selected, logic absent);
    return {!absent && (selected & ~of) == '0, (selected & of) != '0};
  endfunction

  always_comb begin
    halt_groups   = '0;
    resume_groups = '0;
    for (int unsigned h = 0; h < NumHarts; h++) begin
      halt_groups[h]   = halt_group_q[h];
      resume_groups[h] = resume_group_q[h];
    end
  end

  always_comb begin
    dmi_rdata_o = '0;
    unique case (dmi_req_i.addr)
      DmControl: begin
        dmi_rdata_o[29]       = hart_reset_q;
        dmi_rdata_o[26]       = hasel_q;
        dmi_rdata_o[16+:SelW] = hartsel_q;
        dmi_rdata_o[1]        = ndmreset_q;
      end
      DmStatus: begin
        dmi_rdata_o[24]    = ndmreset_q || ndm_pending_q;
        dmi_rdata_o[22]    = 1'b1;  // impebreak
        dmi_rdata_o[19:18] = all_any(have_reset_q, selected_q, nonexistent);
        dmi_rdata_o[17:16] = all_any(ack_q, selected_q, nonexistent);
        dmi_rdata_o[15:14] = {nonexistent && selected_q == '0, nonexistent};
        dmi_rdata_o[13:12] = all_any(unavailable, selected_q, nonexistent);
        dmi_rdata_o[11:10] = all_any(running, selected_q, nonexistent);
        dmi_rdata_o[9:8]   = all_any(halted, selected_q, nonexistent);
        dmi_rdata_o[5]     = 1'b1;  // hasresethaltreq
      end
      DmHawindow: dmi_rdata_o[NumHarts-1:0] = window_q;
      DmHaltsum0: dmi_rdata_o[NumHarts-1:0] = halted;
      DmCs2: begin
        dmi_rdata_o[11]  = group_type_q;
        dmi_rdata_o[3:2] = group_type_q ? resume_groups[hartsel_q] : halt_groups[hartsel_q];
      end
      default: ;
    endcase
  end

  logic unused;
  always_comb begin
    unused = ^data;
    for (int unsigned h = 0; h < NumHarts; h++) unused ^= event_i[h].going ^ event_i[h].fault ^ event_i[h].restored;
  end

endmodule
