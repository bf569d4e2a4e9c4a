// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Properties of fastirq: register file, banks, drain and load of frames, behind an abstract pipeline
// (fastirq_pipeline.sv) and in front of a free memory. The pipeline can do whatever the core's pipeline can;
// pipeline_formal.sv proves that. The memory answers, and fails, in any cycle.
//
// All properties are about one byte of memory, the watched byte, which is chosen freely and never changes (`word_q`,
// `lane_q`). `gold_q` is its value as software sees it, valid while `known_q` is 1:
//
//   a store or an AMO of the load-store unit writes it, and an SC if the memory lets it store
//   the entry of an interrupt writes it if it is part of the new frame: the byte of that register, of mepc or mcause
//   when emret returns, the bytes of its frame become unknown
//
// A write to mframe changes no byte.
//
// `mem_q` is the byte's value in memory. Since the byte is free, one property covers every word of every frame. It also
// covers software that writes into frames, makes frames of its own, moves sp or never returns, and frames that overlap.
//
// Further files: the time that a drain takes (fastirq_drain_time.sv), its faults (fastirq_faults.sv), and covers
// (fastirq_ways.sv).
//
// The places of words are in banks_lemmas.sv (with spare banks) and in_place_lemmas.sv (without). "Lemma" properties
// relate the design's registers to these values. They make the other properties inductive, and are proven with them.
module fastirq_formal
  import isa_pkg::*;
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
#(
  parameter bit          RV32E    = 1'b1,
  parameter bit          Whole    = 1'b0,  // frames hold all registers
  parameter int unsigned NumBanks = 1,
  parameter int unsigned MaxWait  = 2, // cycles that a grant or an answer takes at most: for the end of the drain
  parameter int unsigned OneWay   = 0  // one cycle a word; 1: only two entries and two returns; 2: only a frame made by
                                       // stores, a hint and its emret; 3: only two frames that are lost. Shows that
                                       // these exist
) (
  input logic clk_i,

  // The watched byte and the watched register: the values of these inputs in the first cycle count.
  input logic [31:2] word_i,
  input logic [1:0]  lane_i,
  input logic [4:0]  register_i,

  input fastirq_choice_pkg::choice_t choice_i,
  input logic [31:0] mscratch_i,
  input logic [31:2] link_i,
  input logic        chain_i,
  input logic        csr_chain_i,
  input logic [31:2] hint_base_i,
  input logic        vector_want_i,
  input logic [31:2] vector_addr_i,
  input logic [1:0]  byte_i,       // place in its word at which an access begins
  input logic [6:0]  early_i,      // one of the two terms whose sum is the address
  input logic        pick_i,       // the fault of this cycle is the watched one
  input logic [7:0]  amo_i,        // the byte's value after an AMO of this cycle
  input obi_pkg::obi_rsp_t data_i,
  input obi_pkg::obi_rsp_t frame_i
);

  localparam int unsigned Words = frame_words(RV32E, Whole);
  localparam logic [31:0] Bytes = frame_bytes(RV32E, Whole);
  localparam int unsigned BankW = (NumBanks > 0) ? $clog2(NumBanks + 1) : 1;
  localparam logic [29:0] CauseWord = 30'(Words - 1);
  localparam logic [29:0] EpcWord = 30'(Words - 2);

  // The first cycle is a reset, all others are not.
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [31:2] word_q;
  logic [1:0]  lane_q;
  logic [4:0]  register_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      word_q     <= word_i;
      lane_q     <= lane_i;
      register_q <= register_i;
    end
  end
  Register_K: assume property (@(posedge clk_i) register_q != '0 && !(RV32E && register_q[4]));

  Possible_K: assume property (@(posedge clk_i) fastirq_choice_pkg::possible(choice_i, RV32E));

  function automatic logic [7:0] lane(logic [31:0] data);
    return data[8*lane_q+:8];
  endfunction

  // ------------------------------------------------------------------ the design
  obi_pkg::obi_req_t data_req, frame_req;
  obi_pkg::obi_rsp_t data_rsp, frame_rsp;
  logic        write, user, enable, enter, kill, emret_here, emret, preempt, ready, done, chained;
  logic [4:0]  write_reg;
  logic [31:0] write_data;
  context_t    regs, leaves, frame;
  logic        load_fault, load_cause, load_epc;
  logic [31:0] load_data, fault_addr;
  logic        lsu_split, lsu_committed, lsu_wait, lsu_wait_here, ex_wait, fence, hint, store_fault, store_fault_taken;

  fastirq_pipeline #(
    .RV32E(RV32E)
  ) u_pipeline (
    .clk_i,
    .rst_ni      (rst_n),
    .choice_i,
    .data_req_o  (data_req),
    .data_rsp_i  (data_rsp),
    .write_o     (write),
    .write_reg_o (write_reg),
    .write_data_o(write_data),
    .user_o      (user),
    .enable_o    (enable),
    .regs_o      (regs),
    .leaves_o    (leaves),
    .enter_o     (enter),
    .kill_o      (kill),
    .emret_here_o(emret_here),
    .emret_o     (emret),
    .preempt_o   (preempt),
    .ready_i     (ready),
    .done_i      (done),
    .chained_i   (chained),
    .frame_i     (frame),
    .load_fault_i(load_fault),
    .load_cause_i(load_cause),
    .load_epc_i  (load_epc),
    .load_data_i (load_data),
    .lsu_split_o (lsu_split),
    .lsu_committed_o(lsu_committed),
    .lsu_wait_i  (lsu_wait),
    .lsu_wait_here_i(lsu_wait_here),
    .ex_wait_i   (ex_wait),
    .fence_o     (fence),
    .hint_o      (hint),
    .store_fault_i      (store_fault),
    .store_fault_taken_o(store_fault_taken),
    .fault_addr_i       (fault_addr)
  );

  to_fast_t    to_fast;
  from_fast_t  from_fast;
  logic [2:0]  bank, drain_bank, fill_bank;
  logic [4:0]  drain_word, fill_word;
  logic [31:0] sp, sp_next, sp_new, fill_data, read_a, read_b, mscratch_new;
  logic        sp_set, fill_we, link, mscratch_we, vector_hit;
  logic [4:0]  read_a_reg, read_b_reg;
  logic [31:1] vector;

  assign to_fast.csr  = '{link: link_i, mscratch: mscratch_i, hint: hint, hint_base: hint_base_i};
  assign to_fast.trap = '{
    enter:       enter,
    kill:        kill,
    swap:        user,
    user:        1'b0,
    euret:       1'b0,
    leaves:      leaves,
    regs:        regs,
    emret:       emret,
    preempt:     preempt,
    chain:       chain_i,
    chain_regs:  csr_chain_i,
    vector_want: vector_want_i && enable,
    vector_user: 1'b0,
    entry:       vector_addr_i,
    fault_taken: store_fault_taken
  };
  assign to_fast.lsu  = '{
    addr:      data_req.addr[31:2],
    terms:     {early_i, {data_req.addr[6:2], byte_i} - early_i},
    split:     lsu_split,
    store:     data_req.req && data_req.we && data_rsp.gnt,
    committed: lsu_committed
  };
  assign to_fast.pipe = '{
    fence:     fence,
    rows:      1'b0,
    rows_write: 1'b0,
    write:     write,
    write_reg: write_reg,
    ex_write:  u_pipeline.ex_valid_q && u_pipeline.ex_rd_we_q,
    ex_reg:    u_pipeline.ex_rd_q
  };
  assign {sp, sp_next}   = {to_fast.regfile.sp, to_fast.regfile.sp_next};
  assign bank            = from_fast.regfile.bank;
  assign sp_set          = from_fast.regfile.sp_set;
  assign sp_new          = from_fast.regfile.sp;
  assign drain_bank      = from_fast.regfile.drain_bank;
  assign drain_word      = from_fast.regfile.drain_word;
  assign fill_we         = from_fast.regfile.fill_we;
  assign fill_bank       = from_fast.regfile.fill_bank;
  assign fill_word       = from_fast.regfile.fill_word;
  assign fill_data       = from_fast.regfile.fill_data;
  assign link            = from_fast.regfile.link;
  assign ready           = from_fast.trap.ready;
  assign done            = from_fast.trap.done;
  assign chained         = from_fast.trap.chain;
  assign frame           = from_fast.trap.frame;
  assign load_cause      = from_fast.trap.load_cause;
  assign load_epc        = from_fast.trap.load_epc;
  assign load_data       = from_fast.trap.load_data;
  assign load_fault      = from_fast.trap.load_fault;
  assign store_fault     = from_fast.trap.store_fault;
  assign fault_addr      = from_fast.trap.fault_addr;
  assign vector_hit      = from_fast.trap.vector_hit;
  assign vector          = from_fast.trap.vector;
  assign mscratch_we     = from_fast.csr.mscratch_we;
  assign mscratch_new    = from_fast.csr.mscratch;
  assign ex_wait         = from_fast.pipe.ex_wait;
  assign lsu_wait        = from_fast.pipe.lsu_wait;
  assign lsu_wait_here   = from_fast.pipe.lsu_wait_here;

  tz_regfile #(
    .RV32E   (RV32E),
    .Fast    (1'b1),
    .Whole   (Whole),
    .NumBanks(NumBanks)
  ) u_regfile (
    .clk_i,
    .rst_ni      (rst_n),
    .raddr_a_i   (read_a_reg),
    .rdata_a_o   (read_a),
    .raddr_b_i   (read_b_reg),
    .rdata_b_o   (read_b),
    .we_i        (write),
    .waddr_i     (write_reg),
    .wdata_i     (write_data),
    .fast_i      (from_fast.regfile),
    .fast_o      (to_fast.regfile)
  );

  tz_fastirq #(
    .RV32E   (RV32E),
    .Whole   (Whole),
    .NumBanks(NumBanks)
  ) u_fastirq (
    .clk_i,
    .rst_ni        (rst_n),
    .req_o         (frame_req),
    .rsp_i         (frame_rsp),
    .core_i        (to_fast),
    .core_o        (from_fast)
  );

  // ------------------------------------------------------------------ memories
  // Each granted request is answered in a later cycle. A store that is answered with an error writes nothing.
  logic       data_open_q = 1'b0, data_here_q, data_err_q, frame_open_q = 1'b0, frame_here_q, frame_err_q;
  logic [7:0] data_byte_q, frame_byte_q, mem_q, gold_q;
  logic       known_q = 1'b0; // gold_q is valid
  logic       framed_q;       // the value comes from the entry of an interrupt
  logic       data_grant, frame_grant, data_hit, frame_hit, data_amo, stored, drained;
  logic [7:0] stored_byte;

  always_comb begin
    data_rsp  = '{exokay: 1'b0, gnt: data_i.gnt, rvalid: data_open_q && data_i.rvalid,
                  err: data_err_q, rdata: data_i.rdata};
    frame_rsp = '{exokay: 1'b0, gnt: frame_i.gnt, rvalid: frame_open_q && frame_i.rvalid,
                  err: frame_err_q, rdata: frame_i.rdata};
    if (data_here_q) data_rsp.rdata[8*lane_q+:8] = data_byte_q;
    if (frame_here_q) frame_rsp.rdata[8*lane_q+:8] = frame_byte_q;
  end

  assign data_grant  = data_req.req && data_rsp.gnt;
  assign frame_grant = frame_req.req && frame_rsp.gnt;
  assign data_hit    = data_grant && data_req.addr[31:2] == word_q && data_req.be[lane_q];
  assign frame_hit   = frame_grant && frame_req.addr[31:2] == word_q;
  // An AMO is one access (tz_amo). Its result depends on the other bytes of the word, so the byte's new value is free.
  // The memory chooses whether an SC stores (its `exokay`).
  assign data_amo    = data_hit && fastirq_choice_pkg::is_amo(data_req.atop);
  assign stored      = data_hit && data_req.we && !data_i.err && (data_req.atop != obi_pkg::AtopSc || data_i.exokay);
  assign stored_byte = data_amo ? amo_i : lane(data_req.wdata);
  assign drained     = frame_hit && frame_req.we && !frame_i.err;

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      {data_open_q, frame_open_q} <= '0;
    end else begin
      data_open_q  <= data_grant || (data_open_q && !data_rsp.rvalid);
      frame_open_q <= frame_grant || (frame_open_q && !frame_rsp.rvalid);
    end
    if (data_grant) begin
      {data_here_q, data_err_q, data_byte_q} <= {data_req.addr[31:2] == word_q, data_i.err, mem_q};
    end
    if (frame_grant) begin
      {frame_here_q, frame_err_q, frame_byte_q} <= {frame_hit, frame_i.err, mem_q};
    end
    if (stored) mem_q <= stored_byte;
    else if (drained) mem_q <= lane(frame_req.wdata);
  end

  // ------------------------------------------------------------------ values that software sees
  logic [31:0] gold_sp_q, sp_now, sp_left, sp_inner;  // sp; sp with this cycle's write; sp of the interrupted program;
                                                      // sp of the handler
  logic        returns, to_user;
  logic [29:0] entry_offset, return_offset;   // offset of the watched word in the frame that is entered, or left
  logic        entry_here, return_here;
  logic [31:0] entry_word;
  logic        linking_q = 1'b0;              // the entry's write of ra is pending
  logic        filling;                       // a frame is being loaded ahead
  logic        drain_pends;                   // a word has still to be stored
  logic [9:0]  remaining;                     // number of words still to be stored
  always_ff @(posedge clk_i) linking_q <= rst_n && (enter || chained);
  assign returns       = done && !chained;
  assign to_user       = frame.cause.mpp != PrivM;
  assign sp_now        = (write && write_reg == 5'd2) ? write_data : gold_sp_q;
  assign sp_left       = user ? mscratch_i : sp_now;
  assign sp_inner      = sp_left - Bytes;
  assign entry_offset  = word_q - sp_inner[31:2];
  assign return_offset = word_q - gold_sp_q[31:2];
  assign entry_here    = enter && entry_offset < 30'(Words);
  assign return_here   = return_offset < 30'(Words);
  assign read_b_reg    = frame_register(entry_offset[4:0], Whole);
  always_comb begin
    // An emret that was given up has loaded some registers. Their values do not matter any more.
    entry_word = (write && write_reg == read_b_reg) ? write_data
               : (fill_we && fill_bank == bank && fill_word == entry_offset[4:0]) ? fill_data : read_b;
    if (entry_offset == EpcWord) entry_word = {leaves.epc, 1'b0};
    if (entry_offset == CauseWord) entry_word = pack_mcause(leaves.cause);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      known_q <= 1'b0;
    end else begin
      if (stored) begin
        known_q  <= 1'b1;
        framed_q <= 1'b0;
        gold_q   <= stored_byte;
      end
      if (frame_hit && frame_req.we && frame_i.err) known_q <= 1'b0;
      if (entry_here) begin
        known_q  <= 1'b1;
        framed_q <= 1'b1;
        gold_q   <= lane(entry_word);
      end
      if (returns && return_here) known_q <= 1'b0;
    end
    if (!rst_n) gold_sp_q <= sp;
    else if (enter) gold_sp_q <= sp_inner;
    else if (returns) gold_sp_q <= to_user ? mscratch_i : gold_sp_q + Bytes;
    else gold_sp_q <= sp_now;
  end

  // ------------------------------------------------------------------ every return restores the interrupted context
  logic       restored_q = 1'b0;
  logic [7:0] restored_byte_q;
  logic [4:0] restored_reg_q;
  always_ff @(posedge clk_i) begin
    restored_q      <= rst_n && returns && return_here && return_offset < EpcWord && known_q;
    restored_byte_q <= gold_q;
    restored_reg_q  <= frame_register(return_offset[4:0], Whole);
  end
  assign read_a_reg = restored_q ? restored_reg_q : register_q;

  Registers_A: assert property (@(posedge clk_i) !restored_q || lane(read_a) == restored_byte_q);

  logic [7:0] cause_byte;
  assign cause_byte = lane(pack_mcause(unpack_mcause({4{gold_q}})));
  Mepc_A: assert property (@(posedge clk_i)
    !(rst_n && done && known_q && return_offset == EpcWord) ||
    lane({frame.epc, 1'b0}) == (gold_q & ~8'(lane_q == 2'd0)));
  Mcause_A: assert property (@(posedge clk_i)
    !(rst_n && done && known_q && return_offset == CauseWord) || lane(pack_mcause(frame.cause)) == cause_byte);

  Sp_A: assert property (@(posedge clk_i) !rst_n || sp == gold_sp_q);
  SpSettled_A: assert property (@(posedge clk_i) !rst_n || !returns || sp_now == gold_sp_q);
  Mscratch_A: assert property (@(posedge clk_i) !rst_n ||
    (mscratch_we == ((enter && user) || (returns && to_user)) &&
     (!mscratch_we || mscratch_new == (enter ? sp_now : gold_sp_q + Bytes))));

  // The watched register of the current bank has the value that was written last. In a fresh bank, ra is the link.
  logic [31:0] value_q;
  logic        value_known_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      value_known_q <= 1'b0;
    end else begin
      if (write && write_reg == register_q) begin
        value_known_q <= 1'b1;
        value_q       <= write_data;
      end
      if (linking_q && register_q == 5'd1) begin
        value_known_q <= 1'b1;
        value_q       <= {link_i, 2'b00};
      end
      if (in_frame(register_q, RV32E, Whole) && (enter || emret_here)) value_known_q <= 1'b0;
      if (register_q == 5'd2) value_known_q <= 1'b0;
    end
  end
  Current_A: assert property (@(posedge clk_i) !rst_n || restored_q || !value_known_q || read_a == value_q);
  Link_A: assert property (@(posedge clk_i)
    !rst_n || restored_q || !linking_q || register_q != 5'd1 || read_a == {link_i, 2'b00});

  // ------------------------------------------------------------------ loads and AMOs see the whole frame in memory
  Overlap_A: assert property (@(posedge clk_i)
    !(rst_n && data_hit && (!data_req.we || data_amo) && known_q) || mem_q == gold_q);
  // If a drain and an access reach the same word, their order does not depend on two ports in one cycle.
  NoRace_A: assert property (@(posedge clk_i)
    !(rst_n && data_req.req && frame_req.req && frame_req.we && data_req.addr[31:2] == frame_req.addr[31:2]));

  // ------------------------------------------------------------------ prefetched table entries are those in memory
  Vector_A: assert property (@(posedge clk_i)
    !(rst_n && vector_hit && vector_addr_i == word_q && known_q && !framed_q) ||
    lane({vector, 1'b0}) == (gold_q & ~8'(lane_q == 2'd0)));
  // No store reaches a table entry in the cycle in which an interrupt uses the prefetched one.
  VectorStore_A: assert property (@(posedge clk_i)
    !(rst_n && vector_hit && (enter || chained)) || !(data_req.req && data_req.we && data_rsp.gnt) ||
    data_req.addr[31:2] != vector_addr_i);
  LemmaNear_A: assert property (@(posedge clk_i) !rst_n || !lsu_committed ||
    u_fastirq.u_vector.near_q || u_pipeline.ex_addr_q[31:2] != u_fastirq.u_vector.addr_q);

  // ------------------------------------------------------------------ the port: a request stays until it is granted
  logic              waiting_q = 1'b0;
  obi_pkg::obi_req_t frame_req_q;
  always_ff @(posedge clk_i) begin
    waiting_q   <= rst_n && frame_req.req && !frame_rsp.gnt;
    frame_req_q <= frame_req;
  end
  Stable_A: assert property (@(posedge clk_i) !rst_n || !waiting_q ||
    (frame_req.req && frame_req.we == frame_req_q.we && frame_req.addr == frame_req_q.addr &&
     (!frame_req.we || frame_req.wdata == frame_req_q.wdata)));
  OneOpen_A: assert property (@(posedge clk_i) !rst_n || !frame_grant || !frame_open_q || frame_rsp.rvalid);

  // ------------------------------------------------------------------ spare banks, or none
  logic hit;  // emret finds its frame in the register file
  logic pop;  // emret has returned to that frame
  logic drop; // and the frame had words to store, which never will be
  if (NumBanks > 0) begin : gen_banks
    assign filling     = u_fastirq.gen_banks.u_banks.filling_q;
    assign drain_pends = u_fastirq.gen_banks.u_banks.drain_valid;
    assign hit         = u_fastirq.gen_banks.u_banks.hit;
    assign pop         = u_fastirq.gen_banks.u_banks.pop;
    assign drop        = pop &&
      u_fastirq.gen_banks.u_banks.u_context.pend_q[u_fastirq.gen_banks.u_banks.u_context.top_q];
    always_comb begin
      remaining = '0;
      for (int s = 0; s < int'(NumBanks); s++) begin
        if (u_fastirq.gen_banks.u_banks.u_context.pend_q[s]) remaining += 10'(Words);
      end
      remaining -= 10'(u_fastirq.gen_banks.u_banks.u_context.word_q);
    end
    banks_lemmas #(
      .RV32E   (RV32E),
      .Whole   (Whole),
      .NumBanks(NumBanks)
    ) u_lemmas (
      .clk_i
    );
  end else begin : gen_in_place
    assign filling     = 1'b0;
    assign drain_pends = u_fastirq.gen_in_place.u_in_place.stay_q != '0 || u_fastirq.gen_in_place.u_in_place.out_q;
    assign hit         = 1'b0;
    assign pop         = u_fastirq.gen_in_place.u_in_place.saver_o.returned;
    assign drop        = pop && drain_pends;
    always_comb begin
      remaining = 10'(u_fastirq.gen_in_place.u_in_place.out_q);
      for (int w = 0; w < int'(Words); w++) remaining += 10'(u_fastirq.gen_in_place.u_in_place.stay_q[w]);
    end
    in_place_lemmas #(
      .RV32E(RV32E)
    ) u_lemmas (
      .clk_i
    );
  end

  // ------------------------------------------------------------------ the drain always ends
  fastirq_drain_time #(
    .Words   (Words),
    .NumBanks(NumBanks),
    .MaxWait (MaxWait)
  ) u_drain_time (
    .clk_i
  );

  fastirq_faults #(
    .Words   (Words),
    .NumBanks(NumBanks)
  ) u_faults (
    .clk_i
  );

  // ------------------------------------------------------------------ covers
  fastirq_ways #(
    .NumBanks(NumBanks),
    .OneWay  (OneWay)
  ) u_ways (
    .clk_i
  );

  // ------------------------------------------------------------------ lemmas: ports and times
  // tz_frame_port's and tz_fastirq's enumerations
  localparam logic [2:0] UserNone = 3'd0, UserDrain = 3'd1, UserLoad = 3'd2, UserVector = 3'd3, UserGone = 3'd4;
  localparam logic [1:0] VectorAsk = 2'd1, VectorComes = 2'd2, VectorKnown = 2'd3;
  logic [2:0] hold, out;
  assign hold = u_fastirq.u_port.hold_q;
  assign out  = u_fastirq.u_port.out_q;

  LemmaOpen_A: assert property (@(posedge clk_i) !rst_n || data_open_q == u_pipeline.wb_mem_q);
  LemmaPort_A: assert property (@(posedge clk_i) !rst_n || (frame_open_q == (out != UserNone) && hold <= UserGone &&
    out <= UserGone && (hold == UserNone || out == UserNone)));
  LemmaHold_A: assert property (@(posedge clk_i) !rst_n ||
    ((hold != UserDrain || drain_pends) && (hold != UserVector || u_fastirq.u_vector.vector_q == VectorAsk) &&
     (out == UserVector) == (u_fastirq.u_vector.vector_q == VectorComes)));
  LemmaShown_A: assert property (@(posedge clk_i) !rst_n || !waiting_q ||
    (hold != UserNone && u_fastirq.u_port.addr_q == frame_req_q.addr[31:2]));
  // In the cycle behind an entry or a chained interrupt no register is written, and no emret is in EX.
  LemmaLink_A: assert property (@(posedge clk_i) !rst_n ||
    (linking_q == u_fastirq.link_q && !(linking_q && (write || u_pipeline.ex_valid_q))));

  // ------------------------------------------------------------------ lemmas: table entries
  LemmaTableEntry_A: assert property (@(posedge clk_i)
    !(rst_n && known_q && !framed_q && u_fastirq.u_vector.useful_q && u_fastirq.u_vector.addr_q == word_q) ||
    ((u_fastirq.u_vector.vector_q != VectorComes || (frame_here_q && (frame_err_q || frame_byte_q == gold_q))) &&
     (u_fastirq.u_vector.vector_q != VectorKnown ||
      lane({u_fastirq.u_vector.data_q, 1'b0}) == (gold_q & ~8'(lane_q == 2'd0)))));

endmodule
