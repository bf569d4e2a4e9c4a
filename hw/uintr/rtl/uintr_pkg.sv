// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Types of user interrupts from hart to hart (docs/user-interrupts.md): registers, notifications, and the port through
// which posts and notifications reach memory.
package uintr_pkg;

  /// The CSRs of a hart that posts and notifications use.
  typedef struct packed {
    logic        sends;       // muitt: senduipi is legal
    logic [31:4] table_base;  // muitt: address of the UITT
    logic [15:0] entries;     // muittsz
    logic        receives;    // mupid: a thread runs that takes notifications
    logic [31:6] descriptor;  // mupid: address of its UPID
    logic [7:0]  vector;      // munv
  } registers_t;

  /// Vectors that a notification sets in UIRR: those of one word of PUIR.
  typedef struct packed {
    logic        valid;
    logic        high;        // 1: bit n is vector 32 + n; 0: vector n
    logic [31:0] vectors;
  } join_t;

  /// A notification on its way; stays until it is taken.
  typedef struct packed {
    logic        valid;
    logic [31:0] hart;        // mhartid of its destination
    logic [7:0]  vector;
    logic        high;        // the sender has posted a vector of 32 to 63, else of 0 to 31
  } notification_t;

  /// From a hart to tz_notify, and back.
  typedef struct packed {
    notification_t send;
    logic          received;    // the hart takes the notification `receive` in this cycle
  } to_others_t;

  typedef struct packed {
    logic          sent;        // tz_notify takes the notification `send` in this cycle
    notification_t receive;
  } from_others_t;

  /// From a hart to its CLIC.
  typedef struct packed {
    logic        pending;     // wire of source 0: UIRR will not be zero in the next cycle
    logic        pulse;       // an edge of source `source`
    logic [7:0]  source;      // with pulse: number of the source; ignored if it does not exist
  } to_clic_t;

  /// A request for a word of memory, with the privilege of machine mode. It stays until it is granted.
  typedef struct packed {
    logic        req;
    logic        judged;      // memory protection has allowed the access before
    logic        we;
    logic [5:0]  atop;        // obi_pkg; never AtopNone, so that devices refuse it
    logic [31:2] addr;
    logic [31:0] wdata;
  } word_req_t;

  typedef struct packed {
    logic        gnt;
    logic        denied;      // with gnt: memory protection refuses the word, and there will be no answer
    logic        rvalid;      // answer to the request that was granted
    logic        err;         // with rvalid: no memory is at the address
    logic [31:0] rdata;
  } word_rsp_t;

  /// Places of the words in a UPID: bits 5:2 of their addresses.
  parameter logic [5:2] WordControl = 4'(isa_pkg::UpidControlOffset / 4);
  parameter logic [5:2] WordHart    = 4'(isa_pkg::UpidNdstOffset / 4);
  // Posted vectors 0 to 31; the others are in the next word.
  parameter logic [5:2] WordPosted  = 4'(isa_pkg::UpidPuirOffset / 4);

endpackage
