/** Entry of a worker that decodes chunks for the engine worker. */
import { serveDecoding } from "../engine/many/serve-decoding.ts";
import type { ToThread } from "../engine/many/messages.ts";

const answer = serveDecoding((message, transfer) => globalThis.postMessage(message, { transfer }));

globalThis.addEventListener("message", (event: MessageEvent<ToThread>) => answer(event.data));
