// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Physical memory protection of the core's three ports. Each port has a tz_pmp_guard between the pipeline (`core_*`)
// and the bus. Without regions (PmpRegions = 0) the ports are wires. Source: Privileged Architecture 20211203, 3.7.
//
//   tz_fetch ──────> fetches, with the mode of what is fetched ──────────────> instr
//   tz_lsu ────────> loads and stores, with the mode that MPRV says ─────────> data
//   tz_frame_port ─> frames, and table entries as code, with their mode ─────> frame
//
// - Each request is judged as it leaves its port.
// - A load or store of two words is judged as a whole at its first word. If it is refused, neither word reaches the
//   bus.
// - When rows are written (`written_i`), the instructions behind the write are fetched again, because they were fetched
//   by the old rows. That fetch begins a cycle later, when the new rows are in force.
// - While a senduipi is in EX there is no load or store there. So tz_pmp of the data port judges the words that the
//   senduipi accesses (`ask_i`).
module tz_pmp_ports
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
#(
  parameter core_cfg_pkg::core_cfg_t Cfg = core_cfg_pkg::CoreDefault
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  pmp_t        pmp_i,
  input  logic        written_i,     // rows are written in this cycle

  // The data port's access
  input  logic [2:0]  kind_i,        // {0, writes, reads}
  input  logic        split_i,       // the request is for the first of two words
  input  logic        second_i,      // the request is for the second of two words
  input  logic [31:0] base_i,        // base_i + offset_i: byte address of the access
  input  logic [31:0] offset_i,

  input  pmp_ask_t    ask_i,
  output logic        allowed_o,     // the answer to ask_i: the access is allowed

  input  from_fast_t  fast_i,        // whether the frame port fetches a table entry; user mode's sp
  output verdict_t    frame_o,       // of a frame at user mode's sp

  input  obi_pkg::obi_req_t core_instr_req_i,
  output obi_pkg::obi_rsp_t core_instr_rsp_o,
  input  obi_pkg::obi_req_t core_data_req_i,
  output obi_pkg::obi_rsp_t core_data_rsp_o,
  input  obi_pkg::obi_req_t core_frame_req_i,
  output obi_pkg::obi_rsp_t core_frame_rsp_o,

  output obi_pkg::obi_req_t instr_req_o,
  input  obi_pkg::obi_rsp_t instr_rsp_i,
  output obi_pkg::obi_req_t data_req_o,
  input  obi_pkg::obi_rsp_t data_rsp_i,
  output obi_pkg::obi_req_t frame_req_o,
  input  obi_pkg::obi_rsp_t frame_rsp_i
);

  localparam bit Fast = (Cfg.Saver != core_cfg_pkg::SaverNone);

  if (!(Cfg.PmpRegions inside {0, 4, 8, 16})) begin : gen_check_regions
    $fatal(1, "trapeze_core: PmpRegions must be 0, 4, 8 or 16");
  end
  if (Cfg.PmpGrain > 29) begin : gen_check_grain
    $fatal(1, "trapeze_core: PmpGrain must be 0 to 29");
  end
  if (Cfg.PmpRegions == 0 && (Cfg.Smepmp || Cfg.PmpGrain != 0)) begin : gen_check_smepmp
    $fatal(1, "trapeze_core: Smepmp and PmpGrain need PmpRegions");
  end

  if (Cfg.PmpRegions != 0) begin : gen_pmp
    // The address of a second word has an adder of its own: it does not wait for the sum of base_i and offset_i.
    logic [31:0] next_addr;
    logic        instr_allowed;
    assign next_addr = base_i + offset_i + 32'd4;

    tz_pmp_guard #(.Regions(Cfg.PmpRegions), .Many(1'b1)) u_instr (
      .clk_i,
      .rst_ni,
      .pmp_i,
      .wait_i     (written_i),
      .req_i      (core_instr_req_i),
      .rsp_o      (core_instr_rsp_o),
      .kind_i     (3'b100),
      .judged_i   (1'b0),
      .next_i     (1'b0),
      .next_word_i('0),
      .ask_i      ('0),
      .allowed_o  (instr_allowed),
      .req_o      (instr_req_o),
      .rsp_i      (instr_rsp_i)
    );
    tz_pmp_guard #(.Regions(Cfg.PmpRegions), .Two(1'b1)) u_data (
      .clk_i,
      .rst_ni,
      .pmp_i,
      .wait_i     (1'b0),
      .req_i      (core_data_req_i),
      .rsp_o      (core_data_rsp_o),
      .kind_i,
      .judged_i   (second_i),
      .next_i     (split_i),
      .next_word_i(next_addr[31:2]),
      .ask_i,
      .allowed_o,
      .req_o      (data_req_o),
      .rsp_i      (data_rsp_i)
    );
    logic unused_next;
    assign unused_next = ^{next_addr[1:0], instr_allowed};
  end else begin : gen_no_pmp
    assign instr_req_o      = core_instr_req_i;
    assign core_instr_rsp_o = instr_rsp_i;
    assign data_req_o       = core_data_req_i;
    assign core_data_rsp_o  = data_rsp_i;
    assign allowed_o        = 1'b1;
    logic unused;
    assign unused = ^{clk_i, rst_ni, pmp_i, written_i, kind_i, split_i, second_i, base_i, offset_i, ask_i};
  end

  if (Cfg.PmpRegions != 0 && Fast && Cfg.UserIrq) begin : gen_judge
    tz_frame_judge #(
      .Regions(Cfg.PmpRegions),
      .Words  (frame_words(Cfg.RV32E, Cfg.WholeFrames)),
      .Below  (frame_bytes(Cfg.RV32E, Cfg.WholeFrames) / 4)
    ) u_judge (
      .clk_i,
      .rst_ni,
      .pmp_i,
      .written_i,
      .user_i   (core_instr_req_i.prv == isa_pkg::PrivU),
      .sp_i     (fast_i.sp_next),
      .verdict_o(frame_o)
    );
  end else begin : gen_no_judge
    assign frame_o = '{judged: 1'b1, refused: 1'b0};
  end

  if (Cfg.PmpRegions != 0 && Fast) begin : gen_frame
    logic allowed;
    tz_pmp_guard #(.Regions(Cfg.PmpRegions)) u_frame (
      .clk_i,
      .rst_ni,
      .pmp_i,
      .wait_i     (1'b0),
      .req_i      (core_frame_req_i),
      .rsp_o      (core_frame_rsp_o),
      .kind_i     ({fast_i.pipe.exec, core_frame_req_i.we, !fast_i.pipe.exec && !core_frame_req_i.we}),
      .judged_i   (1'b0),
      .next_i     (1'b0),
      .next_word_i('0),
      .ask_i      ('0),
      .allowed_o  (allowed),
      .req_o      (frame_req_o),
      .rsp_i      (frame_rsp_i)
    );
    logic unused;
    assign unused = allowed;
  end else begin : gen_no_frame
    assign frame_req_o      = core_frame_req_i;
    assign core_frame_rsp_o = frame_rsp_i;
  end

  logic unused_fast;
  assign unused_fast = ^fast_i;

endmodule
