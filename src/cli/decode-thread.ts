/** Entry of a thread that decodes chunks for the terminal. */
import { parentPort } from "node:worker_threads";
import { serveDecoding, type ToThread } from "../engine/many/serve-decoding.ts";

const port = parentPort;
if (port !== null) {
  const answer = serveDecoding((message, transfer) => port.postMessage(message, transfer));
  port.on("message", (message: ToThread) => answer(message));
}
