/** `npm run -s refscope -- COMMAND`: the engine in a terminal. stdout is the answer only; all else goes to stderr. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureDependencies, ROOT } from "./ensure.mjs";

ensureDependencies({ quiet: true });
const script = join(ROOT, "src", "cli", "start.ts");
// npm runs scripts in the project's folder; the user's paths are relative to where the command was given.
const cwd = process.env.INIT_CWD ?? process.cwd();
const result = spawnSync(
  process.execPath,
  [
    "--import",
    new URL("../node_modules/tsx/dist/esm/index.mjs", import.meta.url).href,
    script,
    ...process.argv.slice(2),
  ],
  { stdio: "inherit", cwd },
);
process.exit(result.status ?? 2);
