// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Abstract commands: command, abstractcs, abstractauto, the data registers and the program buffer, and the instructions
// that carry a command out. There is one command, Access Register, for x0 to x31, f0 to f31 and CSRs of 32 bits.
// Source: RISC-V Debug Specification 1.0, sections 3.7 and 3.8.
//
// A command takes from its start to the write of the hart to HaltedOffset that follows its write to GoingOffset.
module tz_debug_command
  import debug_pkg::*;
#(
  parameter logic [31:0] Base = 32'h0000_0400  // of the debug memory
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              active_i,    // dmactive
  input  dmi_req_t          dmi_req_i,
  output logic [31:0]       dmi_rdata_o, // zero for the registers of others

  // The hart that hartsel selects
  input  logic              ready_i,     // it is halted and stays so
  input  logic              lost_i,      // it is unavailable
  input  hart_event_t       event_i,
  output logic              go_o,        // it is to begin the command
  output logic              busy_o,

  // Debug memory
  output logic [CommandWords-1:0][31:0] command_o,
  output logic [1:0][31:0]  progbuf_o,
  output logic [1:0][31:0]  data_o,
  output logic              saved_o,     // the own value of s0 is in dscratch0
  input  logic [1:0]        data_we_i,   // a hart writes a data register
  input  logic [3:0]        data_be_i,
  input  logic [31:0]       data_wdata_i
);

  /// Bits 23 to 0 of an Access Register command.
  typedef struct packed {
    logic        zero;
    logic [2:0]  size;
    logic        increment;
    logic        postexec;
    logic        transfer;
    logic        write;
    logic [15:0] regno;
  } access_t;

  typedef enum logic [1:0] { Ready, Go, Execute } state_e;

  state_e           state_q;
  logic [7:0]       type_q, type_d;
  access_t          access_q, access_d;
  logic [2:0]       cmderr_q;
  logic [1:0]       auto_data_q, auto_progbuf_q;
  logic [1:0][31:0] data_q, progbuf_q;
  logic             saved_q, fault_q;

  // ---------------------------------------------------------------- accesses of the debugger
  logic write, word, to_command, to_cs, to_auto, starts, supported, busy, index;
  logic [1:0] is_data, is_progbuf;

  assign busy       = state_q != Ready;
  assign write      = dmi_req_i.valid && dmi_req_i.write;
  assign to_command = write && dmi_req_i.addr == DmCommand;
  assign to_cs      = write && dmi_req_i.addr == DmAbstractcs;
  assign to_auto    = write && dmi_req_i.addr == DmAbstractauto;
  assign index      = dmi_req_i.addr[0];
  assign is_data    = {dmi_req_i.addr == DmData1, dmi_req_i.addr == DmData0};
  assign is_progbuf = {dmi_req_i.addr == DmProgbuf1, dmi_req_i.addr == DmProgbuf0};
  assign word       = dmi_req_i.valid && {is_data, is_progbuf} != '0;

  // A write to command, or an access that abstractauto names, starts a command.
  assign starts = !busy && cmderr_q == ErrNone &&
    (to_command || (dmi_req_i.valid && {is_data & auto_data_q, is_progbuf & auto_progbuf_q} != '0));
  assign type_d   = to_command ? dmi_req_i.data[31:24] : type_q;
  assign access_d = to_command ? access_t'(dmi_req_i.data[23:0]) : access_q;

  // CSRs have numbers below 0x1000, x0 to x31 from 0x1000 and f0 to f31 from 0x1020 on.
  assign supported = type_d == '0 && !access_d.zero && (!access_d.transfer || (access_d.size == 3'd2 &&
    (access_d.regno[15:12] == 4'd0 || access_d.regno[15:6] == 10'h040)));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Ready;
      {type_q, access_q, cmderr_q, auto_data_q, auto_progbuf_q, data_q, progbuf_q, saved_q, fault_q} <= '0;
    end else if (!active_i) begin
      state_q <= Ready;
      {type_q, access_q, cmderr_q, auto_data_q, auto_progbuf_q, data_q, progbuf_q, saved_q, fault_q} <= '0;
    end else begin
      for (int unsigned w = 0; w < 2; w++) begin
        for (int unsigned b = 0; b < 4; b++) begin
          if (data_we_i[w] && data_be_i[b]) data_q[w][8*b+:8] <= data_wdata_i[8*b+:8];
        end
      end
      if (!busy) begin
        if (write && is_data != '0) data_q[index] <= dmi_req_i.data;
        if (write && is_progbuf != '0) progbuf_q[index] <= dmi_req_i.data;
        if (to_cs) cmderr_q <= cmderr_q & ~dmi_req_i.data[10:8];
        if (to_auto) begin
          auto_data_q    <= dmi_req_i.data[1:0];
          auto_progbuf_q <= dmi_req_i.data[17:16];
        end
      end

      unique case (state_q)
        Go: if (event_i.going) state_q <= Execute;
        Execute: begin
          if (event_i.restored) saved_q <= 1'b0;
          if (event_i.fault) fault_q <= 1'b1;
          if (event_i.halted) begin
            state_q <= Ready;
            if (access_q.increment && access_q.transfer && !fault_q) access_q.regno <= access_q.regno + 16'd1;
          end
        end
        default: begin
          if (starts) begin
            type_q   <= type_d;
            access_q <= access_d;
            fault_q  <= 1'b0;
            saved_q  <= access_d.transfer && access_d.regno[15:12] == '0;
            if (!supported) cmderr_q <= ErrNotSupported;
            else if (!ready_i) cmderr_q <= ErrHaltResume;
            else state_q <= Go;
          end
        end
      endcase

      if (busy) begin
        if (lost_i) state_q <= Ready;
        if (cmderr_q == ErrNone) begin
          if (to_command || to_cs || to_auto || word) cmderr_q <= ErrBusy;
          else if (lost_i) cmderr_q <= ErrHaltResume;
          else if (event_i.fault) cmderr_q <= ErrException;
        end
      end
    end
  end

  assign busy_o    = busy;
  assign go_o      = state_q == Go;
  assign data_o    = data_q;
  assign progbuf_o = progbuf_q;
  assign saved_o   = saved_q;

  // ---------------------------------------------------------------- instructions of the command
  localparam logic RelaxedPriv = 1'b1;  // harts ignore memory protection in debug mode
  localparam logic [11:0] Data = Base[11:0] | 12'(DataOffset);
  logic [11:0] scratch;
  logic [4:0]  number;
  logic        float;

  assign number  = access_q.regno[4:0];
  assign float   = access_q.regno[5];
  // s0 holds the CSR's value meanwhile; a write to dscratch0 must not change the saved s0.
  assign scratch = (access_q.regno[11:0] == isa_pkg::CsrDscratch0) ? isa_pkg::CsrDscratch1 : isa_pkg::CsrDscratch0;

  always_comb begin
    command_o    = {CommandWords{InsnNop}};
    command_o[5] = access_q.postexec ? InsnNop : InsnEbreak;
    if (access_q.transfer && access_q.regno[12]) begin
      command_o[0] = access_q.write ? insn_load(float, number, Data) : insn_store(float, number, Data);
    end else if (access_q.transfer) begin
      command_o[0] = insn_csrw(scratch, RegS0);
      command_o[1] = access_q.write ? insn_load(0, RegS0, Data) : insn_csrr(RegS0, access_q.regno[11:0]);
      command_o[2] = access_q.write ? insn_csrw(access_q.regno[11:0], RegS0) : insn_store(0, RegS0, Data);
      command_o[3] = insn_csrr(RegS0, scratch);
      command_o[4] = insn_store(0, 5'd0, Base[11:0] | 12'(RestoredOffset));
    end
  end

  // ---------------------------------------------------------------- registers
  always_comb begin
    dmi_rdata_o = '0;
    unique case (dmi_req_i.addr)
      DmHartinfo:              dmi_rdata_o = {8'd0, 4'd2, 3'd0, 1'b1, 4'd2, Data};
      DmAbstractcs:            dmi_rdata_o = {3'd0, 5'd2, 11'd0, busy, RelaxedPriv, cmderr_q, 4'd0, 4'd2};
      DmAbstractauto:          dmi_rdata_o = {14'd0, auto_progbuf_q, 14'd0, auto_data_q};
      DmData0, DmData1:        dmi_rdata_o = data_q[index];
      DmProgbuf0, DmProgbuf1:  dmi_rdata_o = progbuf_q[index];
      default: ;
    endcase
  end

  logic unused;
  assign unused = event_i.resuming;

endmodule
