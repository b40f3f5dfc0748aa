/**
 * `npm run gallery [-- ID …]`: on a machine with internet access, opens every public store that the start page offers,
 * reads one chunk of each, and writes the date into the list (src/core/gallery/stores.json) for those that were read.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureDependencies, ROOT } from "./ensure.mjs";

ensureDependencies();
const script = join(ROOT, "src", "cli", "gallery", "start.ts");
const { status } = spawnSync(process.execPath, ["--import", "tsx", script, ...process.argv.slice(2)], {
  stdio: "inherit",
  cwd: ROOT,
});
process.exitCode = status ?? 2;
