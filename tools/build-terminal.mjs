/**
 * Builds the terminal's program into `dist/cli/` when a source is newer than what is there: commands behind `import()`, so
 * that none pays for the others. `node tools/build-terminal.mjs` builds in any case.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const OUT = join(ROOT, "dist", "cli");
const STAMP = join(OUT, "built-of.json");
/** What is no part of the program. */
const ELSEWHERE = new Set(["panels", "widgets", "app", "editor", "store", "worker", "sandbox", "testing", "fixtures"]);

/** Builds where something changed since; gives the path of the program. */
export async function builtTerminal() {
  const stamp = stampOf();
  if (stamp !== stampBuilt()) await build(stamp);
  return join(OUT, "refscope.js");
}

/** How many sources there are and when the last one changed: cheaper than reading them. */
function stampOf() {
  const found = { files: 0, newest: 0 };
  const note = (path) => {
    found.files += 1;
    found.newest = Math.max(found.newest, statSync(path).mtimeMs);
  };
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) {
        if (!ELSEWHERE.has(entry.name)) walk(join(folder, entry.name));
      } else if (/\.(?:ts|json)$/.test(entry.name) && !entry.name.includes(".test.")) note(join(folder, entry.name));
    }
  };
  for (const folder of ["src", "packages"]) walk(join(ROOT, folder));
  for (const name of ["package.json", "package-lock.json", "tools/build-terminal.mjs"]) note(join(ROOT, name));
  return JSON.stringify(found);
}

function stampBuilt() {
  try {
    return readFileSync(STAMP, "utf8");
  } catch {
    return undefined;
  }
}

/** `new URL("….wasm", import.meta.url)`: the file goes along. */
const assets = () => ({
  name: "assets",
  transform: {
    filter: { code: "import.meta.url" },
    handler(code, id) {
      const changed = code.replaceAll(/new URL\("(\.[^"]+\.wasm)", import\.meta\.url\)/g, (_, path) => {
        const from = resolve(dirname(id), path);
        this.emitFile({ type: "asset", fileName: basename(from), source: readFileSync(from) });
        return `new URL("./${basename(from)}", import.meta.url)`;
      });
      return changed === code ? null : { code: changed, map: null };
    },
  },
});

export const PROGRAM = {
  refscope: "src/cli/start.ts",
  "decode-thread": "src/cli/decode-thread.ts",
  "zarrita-thread": "src/cli/zarrita-thread.ts",
};

/**
 * Node takes longer to find and link a module than to read it, and a command on a small set does little else: what several
 * commands share is three files, not a hundred. Help needs the first alone, commands that only speak the first two.
 */
const SHARED = [
  {
    name: "start",
    priority: 3,
    test: /[\\/](?:cli[\\/](?:commands|options|output)|core[\\/](?:version|byte-source|words[\\/]near-name|readers[\\/](?:ids|asked-reader|versions)))\.ts$/,
  },
  {
    name: "words",
    priority: 2,
    minShareCount: 2,
    test: /[\\/](?:core[\\/](?:findings|words)|cli[\\/](?:lines|finding-json|explained)\.ts)/,
  },
  { name: "shared", minShareCount: 5 },
];

/** `input` as one bundle in `dir`, for Node or for pages; what was written. */
export async function bundled(input, dir, platform) {
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({ input, cwd: ROOT, platform, plugins: [assets()], logLevel: "silent" });
  const { output } = await bundle.write({
    dir,
    format: "esm",
    minify: true,
    chunkFileNames: "[name]-[hash].js",
    ...(platform === "node" ? { codeSplitting: { groups: SHARED } } : {}),
  });
  await bundle.close();
  return output;
}

/**
 * Into a folder of its own, which then takes the other's place: commands may be running, and others building, at the same
 * time. What is there already is moved aside first, since a folder with files is never replaced.
 */
async function build(stamp) {
  removeAbandoned();
  const made = `${OUT}.${process.pid}`;
  await bundled(PROGRAM, made, "node");
  mkdirSync(made, { recursive: true });
  writeFileSync(join(made, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(made, "built-of.json"), stamp);
  for (let attempt = 1; !moved(made, OUT); attempt += 1) {
    // Another one was as fast: its program is as good.
    if (stampBuilt() === stamp) return remove(made);
    if (attempt > MAX_ATTEMPTS) throw new Error(`${OUT} cannot be replaced by ${made}. Remove it, and try again.`);
    const old = `${OUT}.${process.pid}.old`;
    if (moved(OUT, old)) remove(old);
  }
}

/** So often others may put theirs in between. */
const MAX_ATTEMPTS = 20;

/** False where there is something at `to`, or nothing at `from`. */
function moved(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "EPERM", "ENOENT", "ENOTDIR"].includes(error.code)) return false;
    throw error;
  }
}

/** A command that still runs from there has read what it needs, or reads what is left. */
const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

/** Left by builds that were ended: `cli.PID` of processes that are no more. */
function removeAbandoned() {
  if (!existsSync(dirname(OUT))) return;
  for (const name of readdirSync(dirname(OUT))) {
    const pid = Number(/^cli\.(\d+)(?:\.old)?$/.exec(name)?.[1] ?? Number.NaN);
    if (Number.isInteger(pid) && pid !== process.pid && !isRunning(pid)) remove(join(dirname(OUT), name));
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build(stampOf());
