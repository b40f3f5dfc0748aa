/** Entry of a worker that decodes chunks for the engine worker. */
import { serveDecoding, type ToThread } from "../engine/many/serve-decoding.ts";

const answer = serveDecoding((message, transfer) => globalThis.postMessage(message, { transfer }));

globalThis.addEventListener("message", (event: MessageEvent<ToThread>) => answer(event.data));
