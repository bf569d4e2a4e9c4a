// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
// Search in a book that is opened as a file. A browser starts no worker from there; a hidden frame does the same work, by
// the same messages. Material for MkDocs looks for the name IFrameWorker, and its plugin `offline` for this file's name.
"use strict";
(() => {
  class IFrameWorker extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      const waiting = [];
      this.send = (message) => waiting.push(message);
      addEventListener("message", (event) => {
        if (event.source === frame.contentWindow) this.dispatchEvent(new MessageEvent("message", { data: event.data }));
      });
      frame.addEventListener("load", () => {
        // Not its postMessage(), which answers this window by now.
        this.send = (data) => frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
        waiting.forEach(this.send);
      });
      // What answers inside of the frame answers this window.
      const answers = "<script>postMessage = (message) => parent.postMessage(message, '*')</script>";
      frame.srcdoc = `<!doctype html>${answers}<script src="${new URL(url, location.href)}"></script>`;
      (document.body ?? document.documentElement).append(frame);
    }

    postMessage(message) {
      this.send(message);
    }
  }

  if (location.protocol === "file:") {
    globalThis.IFrameWorker = IFrameWorker;
    globalThis.Worker = IFrameWorker;
  }
})();
