/** `npm start`: installs what is missing, builds what changed, serves the page on PORT (default 5173) and prints its address. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ensureDependencies, must, ROOT, run } from "./ensure.mjs";

const port = process.env.PORT ?? "5173";
ensureDependencies();
if (newest(["src", "packages", "public", "index.html", "vite.config.ts", "package-lock.json", "tools"]) > builtAt()) {
  console.log("Building the page …");
  must("npx", ["vite", "build", "--logLevel", "error"]);
}
process.exit(run("npx", ["vite", "preview", "--port", port, "--strictPort"]));

function builtAt() {
  try {
    return statSync(join(ROOT, "dist", "index.html")).mtimeMs;
  } catch {
    return 0;
  }
}

/** When one of them, or what is in it, changed last. */
function newest(names) {
  return names.reduce((latest, name) => {
    const path = join(ROOT, name);
    const own = statSync(path);
    if (!own.isDirectory()) return Math.max(latest, own.mtimeMs);
    const inside = readdirSync(path, { recursive: true }).map((one) => statSync(join(path, one)).mtimeMs);
    return inside.reduce((most, time) => Math.max(most, time), Math.max(latest, own.mtimeMs));
  }, 0);
}
