/** `npm run bench`: starts bench/bench.ts, which is TypeScript. Its options: the head of that file. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../bench/bench.ts", import.meta.url));
const { status } = spawnSync(process.execPath, ["--import", "tsx", script, ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;
