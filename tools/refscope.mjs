/** `npm run -s refscope -- COMMAND`: the engine from a terminal. stdout is the answer only; all else goes to stderr. */
import { dirname, join } from "node:path";
import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { builtTerminal } from "./build-terminal.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
if (!existsSync(join(root, "node_modules", ".package-lock.json"))) {
  const { ensureDependencies } = await import("./ensure.mjs");
  ensureDependencies({ quiet: true });
}
const program = await builtTerminal();
// npm runs scripts in the project's folder; the user's paths are relative to where the command was given.
if (process.env.INIT_CWD !== undefined) process.chdir(process.env.INIT_CWD);
process.env.REFSCOPE_PROGRAM ??= "npm run -s refscope --";
await import(pathToFileURL(program).href);
