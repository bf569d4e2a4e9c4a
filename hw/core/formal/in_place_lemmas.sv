// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Lemmas of fastirq_formal.sv about fastirq without spare banks (tz_in_place): which words of a frame the register file
// still has, and how the others are loaded. This module is instantiated in fastirq_formal and uses its signals by name.
module in_place_lemmas
  import isa_pkg::*;
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
#(
  parameter bit RV32E = 1'b1
) (
  input logic clk_i
);

  localparam int unsigned RegisterW = RV32E ? 4 : 5;
  localparam int unsigned Words = frame_words(RV32E);
  localparam logic [29:0] CauseWord = 30'(Words - 1);
  localparam logic [29:0] EpcWord = 30'(Words - 2);
  localparam logic [2:0] UserDrain = 3'd1, UserLoad = 3'd2;  // enumeration of tz_frame_port

  typedef logic [Words-1:0] words_t;
  function automatic words_t only(logic [4:0] word);
    return words_t'(1) << word;
  endfunction

  logic rst_n, known_q, framed_q, linking_q, emret_here, enable, user, waiting_q;
  logic frame_here_q, frame_err_q, value_known_q;
  logic [2:0]  hold, out;
  logic [1:0]  lane_q;
  logic [4:0]  register_q;
  logic [7:0]  gold_q, mem_q, cause_byte, frame_byte_q;
  logic [31:0] sp, value_q;
  logic [31:2] word_q;
  obi_pkg::obi_req_t frame_req_q;
  assign rst_n         = fastirq_formal.rst_n;
  assign known_q       = fastirq_formal.known_q;
  assign framed_q      = fastirq_formal.framed_q;
  assign linking_q     = fastirq_formal.linking_q;
  assign emret_here    = fastirq_formal.emret_here;
  assign enable        = fastirq_formal.enable;
  assign user          = fastirq_formal.user;
  assign waiting_q     = fastirq_formal.waiting_q;
  assign frame_req_q   = fastirq_formal.frame_req_q;
  assign frame_here_q  = fastirq_formal.frame_here_q;
  assign frame_err_q   = fastirq_formal.frame_err_q;
  assign value_known_q = fastirq_formal.value_known_q;
  assign hold          = fastirq_formal.hold;
  assign out           = fastirq_formal.out;
  assign lane_q        = fastirq_formal.lane_q;
  assign register_q    = fastirq_formal.register_q;
  assign gold_q        = fastirq_formal.gold_q;
  assign mem_q         = fastirq_formal.mem_q;
  assign cause_byte    = fastirq_formal.cause_byte;
  assign frame_byte_q  = fastirq_formal.frame_byte_q;
  assign sp            = fastirq_formal.sp;
  assign value_q       = fastirq_formal.value_q;
  assign word_q        = fastirq_formal.word_q;
  function automatic logic [7:0] lane(logic [31:0] data);
    return data[8*lane_q+:8];
  endfunction

  // Registers of tz_in_place. The dirty bits take the store of the last cycle into account.
  words_t      stay_q, dirty;
  logic        out_q, come_q, stored_q, fault_q;
  logic [4:0]  out_word_q, come_word_q;
  logic [31:0] out_data_q;
  logic [31:2] base;
  context_t    left;
  assign stay_q      = u_fastirq.gen_in_place.u_in_place.stay_q;
  assign stored_q    = u_fastirq.gen_in_place.u_in_place.stored_q;
  assign dirty       = u_fastirq.gen_in_place.u_in_place.dirty_q | (stored_q ? '1 : '0);
  assign out_q       = u_fastirq.gen_in_place.u_in_place.out_q;
  assign out_word_q  = u_fastirq.gen_in_place.u_in_place.out_word_q;
  assign out_data_q  = u_fastirq.gen_in_place.u_in_place.out_data_q;
  assign come_q      = u_fastirq.gen_in_place.u_in_place.come_q;
  assign come_word_q = u_fastirq.gen_in_place.u_in_place.come_word_q;
  assign fault_q     = u_fastirq.gen_in_place.u_in_place.fault_q;
  assign base        = u_fastirq.gen_in_place.u_in_place.base_q;
  assign left        = u_fastirq.gen_in_place.u_in_place.context_q;

  // ------------------------------------------------------------------ the watched byte
  logic [29:0] offset;                   // offset of the watched word in the frame
  logic        inside_frame, stays, covered, clean;
  logic [31:0] kept_word;
  logic [7:0]  kept, seen;               // the watched byte as a register still keeps it; the bits of a loaded byte
                                         // that a register keeps
  assign offset       = word_q - base;
  assign inside_frame = offset < 30'(Words);
  assign stays        = inside_frame && |(stay_q & only(offset[4:0]));
  assign covered      = stays || (inside_frame && out_q && out_word_q == offset[4:0]);
  assign clean        = inside_frame && (stays || !(|(dirty & only(offset[4:0]))));
  always_comb begin
    kept_word = u_regfile.gen_memory.gen_plain.mem[RegisterW'(frame_register(offset[4:0]))];
    seen      = gold_q;
    if (offset == EpcWord) begin
      kept_word = {left.epc, 1'b0};
      seen      = gold_q & ~8'(lane_q == 2'd0);
    end
    if (offset == CauseWord) begin
      kept_word = pack_mcause(left.cause);
      seen      = cause_byte;
    end
    kept = lane(kept_word);
  end

  // The comparison of the last cycle, same_q, is still valid.
  LemmaSame_A: assert property (@(posedge clk_i) !rst_n || !u_fastirq.gen_in_place.u_in_place.settled_q ||
    u_fastirq.gen_in_place.u_in_place.same_q == (base == sp[31:2]));

  // The watched byte is in memory, or has still to be stored.
  LemmaMemory_A: assert property (@(posedge clk_i) !rst_n || !known_q || covered || mem_q == gold_q);
  LemmaStays_A: assert property (@(posedge clk_i) !(rst_n && known_q && stays) || kept == gold_q);
  LemmaOut_A: assert property (@(posedge clk_i)
    !(rst_n && known_q && covered && !stays) || lane(out_data_q) == gold_q);
  LemmaClean_A: assert property (@(posedge clk_i) !(rst_n && known_q && clean) || kept == seen);
  LemmaStored_A: assert property (@(posedge clk_i) !rst_n || !known_q || framed_q || !covered);

  // ------------------------------------------------------------------ stores of a drain
  LemmaMode_A: assert property (@(posedge clk_i)
    !rst_n || (dirty[Words-1] && !stay_q[Words-1]) || left.cause.mpp inside {PrivM, PrivU});
  LemmaOutWord_A: assert property (@(posedge clk_i)
    !rst_n || !out_q || (out_word_q < 5'(Words) && !(|(stay_q & only(out_word_q)))));
  LemmaHeld_A: assert property (@(posedge clk_i) !rst_n || hold != UserDrain ||
    (out_q && waiting_q && frame_req_q.we && frame_req_q.wdata == out_data_q &&
     frame_req_q.addr[31:2] == base + 30'(out_word_q)));
  LemmaLsu_A: assert property (@(posedge clk_i) !rst_n || !(u_pipeline.u_lsu.hold_q || u_pipeline.u_lsu.second_q) ||
    (!u_fastirq.saver.lsu_wait && !u_fastirq.gen_in_place.u_in_place.evict));

  // A register is written only after its old value has been stored; ra in the cycle behind an entry.
  LemmaWrite_A: assert property (@(posedge clk_i) !rst_n ||
    !(u_pipeline.wb_valid_q && u_pipeline.wb_rd_we_q && in_frame(u_pipeline.wb_rd_q, RV32E)) ||
    !(|(stay_q & only(frame_word(u_pipeline.wb_rd_q)))));
  LemmaFirst_A: assert property (@(posedge clk_i) !rst_n ||
    ((!stay_q[0] || (linking_q && stay_q == '1 && !out_q)) && (!linking_q || dirty[0])));

  // ------------------------------------------------------------------ loads of a frame
  logic loading;
  assign loading = come_q || hold == UserLoad;
  LemmaCome_A: assert property (@(posedge clk_i) !rst_n || ((out == UserLoad) == come_q &&
    (!come_q || (come_word_q < 5'(Words) && |(dirty & ~stay_q & only(come_word_q))))));
  LemmaLoading_A: assert property (@(posedge clk_i) !rst_n || !(loading || fault_q) ||
    (emret_here && enable && !user && !u_pipeline.wb_valid_q && !u_pipeline.wb_mem_q && base == sp[31:2] && !out_q &&
     !stored_q && !linking_q));
  // Here no frame is user mode's (fastirq_formal).
  LemmaMachine_A: assert property (@(posedge clk_i) !rst_n || !u_fastirq.gen_in_place.u_in_place.user_q);
  LemmaAsk_A: assert property (@(posedge clk_i) !rst_n || hold != UserLoad ||
    (waiting_q && !frame_req_q.we && u_fastirq.gen_in_place.u_in_place.ask != '0 &&
     frame_req_q.addr[31:2] == base + 30'(u_fastirq.gen_in_place.u_in_place.load_word)));
  LemmaComes_A: assert property (@(posedge clk_i)
    !(rst_n && known_q && come_q && inside_frame && come_word_q == offset[4:0]) ||
    (frame_here_q && (frame_err_q || frame_byte_q == gold_q)));

  // ------------------------------------------------------------------ registers
  logic [31:0] watched;
  assign watched = u_regfile.gen_memory.gen_plain.mem[RegisterW'(register_q)];
  LemmaRegister_A: assert property (@(posedge clk_i)
    !rst_n || !value_known_q || register_q == 5'd2 || value_q == watched);

endmodule
