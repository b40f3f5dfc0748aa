/** Entry of a thread that runs zarrita for the terminal. */
import { parentPort } from "node:worker_threads";
import { serveZarrita } from "../engine/check/readers/serve-zarrita.ts";
import type { ToZarrita } from "../engine/check/readers/zarrita-messages.ts";

const port = parentPort;
if (port !== null) {
  const answer = serveZarrita((message) => port.postMessage(message));
  port.on("message", (message: ToZarrita) => answer(message));
}
