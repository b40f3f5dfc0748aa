/** Entry of a worker that decodes chunks for the engine worker. */
import { serveDecoding } from "../engine/pool/serve-decoding.ts";
import type { ToThread } from "../engine/pool/messages.ts";

const answer = serveDecoding((message, transfer) => {
  globalThis.postMessage(message, { transfer });
});

globalThis.addEventListener("message", (event: MessageEvent<ToThread>) => {
  answer(event.data);
});
