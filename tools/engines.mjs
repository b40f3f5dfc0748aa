/** `npm run engines`: the short stories in Chromium, Firefox and WebKit, as far as they are installed (e2e/engines/). */
import { run } from "./ensure.mjs";

process.exit(run(process.execPath, ["--import", "tsx", "e2e/engines/run.ts", ...process.argv.slice(2)]));
