// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Types of user interrupts from hart to hart (docs/user-interrupts.md): registers, notifications, and the port through
// which posts and notifications reach memory.
package uintr_pkg;

  /// The registers of a hart, as posts and notifications use them.
  typedef struct packed {
    logic        sends;       // muitt: senduipi is legal
    logic [31:4] table_base;  // muitt: address of the UITT
    logic [15:0] entries;     // muittsz
    logic        receives;    // mupid: there is a receiver
    logic [31:6] descriptor;  // mupid: address of its UPID
    logic [7:0]  vector;      // munv
  } registers_t;

  /// What a notification brings into UIRR: the vectors of one word of PUIR.
  typedef struct packed {
    logic        valid;
    logic        high;        // vectors 32 to 63
    logic [31:0] vectors;
  } join_t;

  /// A notification on its way; stays until it is taken.
  typedef struct packed {
    logic        valid;
    logic [31:0] hart;        // mhartid of its destination
    logic [7:0]  vector;
    logic        high;        // posted was one of vectors 32 to 63; else of the others
  } notification_t;

  /// From a hart to tz_notify, and back.
  typedef struct packed {
    notification_t send;
    logic          received;    // `receive` is taken
  } to_others_t;

  typedef struct packed {
    logic          sent;        // `send` is taken
    notification_t receive;
  } from_others_t;

  /// From a hart to its CLIC.
  typedef struct packed {
    logic        pending;     // wire of source 0: whether UIRR will not be zero in the next cycle
    logic        pulse;       // an edge of ...
    logic [7:0]  source;      // ... this source, if there is one
  } to_clic_t;

  /// A request for a word of memory, with the privilege of machine mode. It stays until it is granted.
  typedef struct packed {
    logic        req;
    logic        judged;      // memory protection has allowed the access
    logic        we;
    logic [5:0]  atop;        // obi_pkg; never AtopNone, so that devices refuse it
    logic [31:2] addr;
    logic [31:0] wdata;
  } word_req_t;

  typedef struct packed {
    logic        gnt;
    logic        denied;      // with gnt: memory protection refuses the word, and there will be no answer
    logic        rvalid;      // answer to the request that was granted
    logic        err;         // with rvalid: there is no memory
    logic [31:0] rdata;
  } word_rsp_t;

  /// Where the words of a UPID are, from its address.
  parameter logic [5:2] WordControl = 4'd0;
  parameter logic [5:2] WordHart    = 4'd1;
  parameter logic [5:2] WordPosted  = 4'd2;  // vectors 0 to 31; the others are in the next word

endpackage
