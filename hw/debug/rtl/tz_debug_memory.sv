// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The debug memory: what a hart fetches, loads and stores in debug mode. It has a program, the generated words of an
// abstract command, the program buffer, the data registers, and words by which harts and debug module talk (offsets in
// debug_pkg). The number of the hart in the request (`mid`) says which hart talks, so all harts use the same addresses.
// Source: RISC-V Debug Specification 1.0, appendix A.2 (execution based implementation).
//
// Granted at once, answered in the next cycle, never an error. Absent words read as zero, which is an illegal
// instruction.
module tz_debug_memory
  import debug_pkg::*;
#(
  parameter int unsigned NumHarts = 1,
  parameter logic [31:0] Base     = 32'h0000_0400  // see tz_debug
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  obi_pkg::obi_req_t req_i,
  output obi_pkg::obi_rsp_t rsp_o,

  input  logic [CommandWords-1:0][31:0] command_i,
  input  logic [1:0][31:0]              progbuf_i,
  input  logic [1:0][31:0]              data_i,
  output logic [1:0]                    data_we_o,  // a hart writes a data register: the lanes are in the request
  input  logic                          saved_i,    // the command has changed s0

  input  logic [NumHarts-1:0]           go_i,       // the hart is to begin the command
  input  logic [NumHarts-1:0]           resume_i,   // the hart is to leave debug mode
  output hart_event_t [NumHarts-1:0]    event_o
);

  function automatic logic [11:0] at(logic [9:0] offset);
    return Base[11:0] | 12'(offset);
  endfunction

  // The program. s0 is the only register that it uses.
  function automatic logic [31:0] program_word(logic [9:0] offset);
    unique case (offset)
      HaltOffset:             return insn_csrw(isa_pkg::CsrDscratch0, RegS0);
      LoopOffset:             return insn_store(0, 5'd0, at(HaltedOffset));
      LoopOffset + 4:         return insn_load(0, RegS0, at(FlagsOffset));
      LoopOffset + 8:         return insn_branch(BranchEq, LoopOffset + 8, LoopOffset);
      LoopOffset + 12:        return insn_branch(BranchLt, LoopOffset + 12, ResumeOffset);
      LoopOffset + 16:        return insn_csrr(RegS0, isa_pkg::CsrDscratch0);
      LoopOffset + 20:        return insn_store(0, 5'd0, at(GoingOffset));
      LoopOffset + 24:        return insn_jump(LoopOffset + 24, CommandOffset);
      ResumeOffset:           return insn_csrr(RegS0, isa_pkg::CsrDscratch0);
      ResumeOffset + 4:       return insn_store(0, 5'd0, at(ResumingOffset));
      ResumeOffset + 8:       return InsnDret;
      // If the command had changed s0, dscratch0 has it; else s0 is saved again.
      ExceptionOffset:        return insn_store(0, 5'd0, at(FaultOffset));
      ExceptionOffset + 4:    return insn_csrw(isa_pkg::CsrDscratch1, RegS0);
      ExceptionOffset + 8:    return insn_load(0, RegS0, at(SavedOffset));
      ExceptionOffset + 12:   return insn_branch(BranchNe, ExceptionOffset + 12, LoopOffset);
      ExceptionOffset + 16:   return insn_csrr(RegS0, isa_pkg::CsrDscratch1);
      ExceptionOffset + 20:   return insn_jump(ExceptionOffset + 20, HaltOffset);
      EbreakOffset:           return InsnEbreak;
      default:                return '0;
    endcase
  endfunction

  logic [9:0]  offset;
  logic        write;
  logic [31:0] flags, rdata_d, rdata_q;
  logic        rvalid_q;

  assign offset = {req_i.addr[9:2], 2'b00};
  assign write  = req_i.req && req_i.we;

  always_comb begin
    flags = '0;
    for (int unsigned h = 0; h < NumHarts; h++) begin
      if (req_i.mid.hart == 4'(h)) flags = {resume_i[h], 30'd0, go_i[h]};
    end
  end

  always_comb begin
    rdata_d = program_word(offset);
    for (int unsigned w = 0; w < CommandWords; w++) if (offset == CommandOffset + 10'(4 * w)) rdata_d = command_i[w];
    for (int unsigned w = 0; w < 2; w++) begin
      if (offset == ProgbufOffset + 10'(4 * w)) rdata_d = progbuf_i[w];
      if (offset == DataOffset + 10'(4 * w)) rdata_d = data_i[w];
    end
    if (offset == FlagsOffset) rdata_d = flags;
    if (offset == SavedOffset) rdata_d = 32'(saved_i);
  end

  always_comb begin
    for (int unsigned w = 0; w < 2; w++) data_we_o[w] = write && offset == DataOffset + 10'(4 * w);
    for (int unsigned h = 0; h < NumHarts; h++) begin
      event_o[h] = '0;
      if (write && req_i.mid.hart == 4'(h)) begin
        event_o[h] = '{
          halted:   offset == HaltedOffset,
          going:    offset == GoingOffset,
          resuming: offset == ResumingOffset,
          fault:    offset == FaultOffset,
          restored: offset == RestoredOffset
        };
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rvalid_q <= 1'b0;
    else rvalid_q <= req_i.req;
  end

  always_ff @(posedge clk_i) begin
    if (req_i.req) rdata_q <= rdata_d;
  end

  assign rsp_o = '{exokay: 1'b0, gnt: 1'b1, rvalid: rvalid_q, err: 1'b0, rdata: rdata_q};

  logic unused;
  assign unused = ^{req_i.prv, req_i.mid.port, req_i.atop, req_i.addr[31:10], req_i.addr[1:0], req_i.be, req_i.wdata};

endmodule
