/** Entry of a worker that runs zarrita, apart from the engine: it can be ended when it hangs. */
import { serveZarrita } from "../engine/check/readers/serve-zarrita.ts";
import type { ToZarrita } from "../engine/check/readers/zarrita-messages.ts";

const answer = serveZarrita((message) => globalThis.postMessage(message, { transfer: [] }));

globalThis.addEventListener("message", (event: MessageEvent<ToZarrita>) => answer(event.data));
