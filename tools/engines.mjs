/** `npm run engines`: the short stories in Chromium, Firefox and WebKit, as far as they are installed (e2e/engines/). */
import { run } from "./ensure.mjs";

// Node 20 has WebSocket behind a flag; later it needs none.
const flags = typeof WebSocket === "undefined" ? ["--experimental-websocket"] : [];
process.exit(run(process.execPath, [...flags, "--import", "tsx", "e2e/engines/run.ts", ...process.argv.slice(2)]));
