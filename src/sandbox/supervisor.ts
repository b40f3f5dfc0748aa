/**
 * The only script of `nunjucks.html`. It hands the document to the warden and reads nothing itself: this document may
 * share its thread with the page, so no template code may ever run in it.
 */
import { type FromSupervisor, isStart, type WardenStart } from "./protocol.ts";

/** Programs as text, put before this script when the document is made. */
declare const WARDEN: string;
declare const READER: string;

const tell = (message: FromSupervisor) => {
  // The frame's origin is opaque and so does not know the page's; nothing secret is said.
  window.parent.postMessage(message, "*");
};

function start(event: MessageEvent<unknown>): void {
  if (event.source !== window.parent || !isStart(event.data)) return;
  window.removeEventListener("message", start);
  const { document, limit, port } = event.data;
  try {
    const warden = new Worker(URL.createObjectURL(new Blob([WARDEN], { type: "text/javascript" })));
    warden.addEventListener("error", () =>
      tell({ kind: "unavailable", reason: "The sandbox's worker could not be started." }),
    );
    const message: WardenStart = { kind: "start", document, limit, port, reader: READER };
    warden.postMessage(message, [document, port]);
  } catch (error) {
    tell({ kind: "unavailable", reason: `The sandbox's worker could not be started: ${String(error)}.` });
  }
}

// Opened by itself, or in a frame without `sandbox`, this document would have the page's origin, and with it its
// storage: then it does nothing.
if (window.origin === "null" && window.parent !== window) {
  window.addEventListener("message", start);
  tell({ kind: "ready" });
} else if (window.parent !== window) {
  tell({ kind: "unavailable", reason: "The sandbox's document was not loaded with an origin of its own." });
}
