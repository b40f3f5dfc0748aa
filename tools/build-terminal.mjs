/**
 * Builds the terminal's program into `dist/cli/` when a source is newer than what is there: commands behind `import()`, so
 * that none pays for the others. `node tools/build-terminal.mjs` builds in any case.
 */
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const OUT = join(ROOT, "dist", "cli");
const STAMP = join(OUT, "built-of.json");

/** Builds where something changed since; gives the path of the program. */
export async function builtTerminal() {
  const built = builtOf();
  if (built?.sources === undefined || built.stamp !== stampOf(built.sources)) await build();
  return join(OUT, "refscope.js");
}

/** How many sources there are and when they changed: cheaper than reading them, or than looking for others. */
function stampOf(files) {
  const times = files.map((file) => statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return `${files.length} ${times.reduce((sum, time) => sum + time, 0)}`;
}

/** The sources that were built, and their stamp. */
function builtOf() {
  try {
    return JSON.parse(readFileSync(STAMP, "utf8"));
  } catch {
    return undefined;
  }
}

/** Notes the sources of the project that are read; a new one is imported by one that changed. */
const noting = (sources) => ({
  name: "noting",
  buildEnd() {
    const own = [...this.getModuleIds()].filter((id) => id.startsWith(ROOT) && !id.includes("node_modules"));
    for (const id of own) sources.add(relative(ROOT, id));
  },
});

/** What also decides how the program is. */
const BESIDE = ["package.json", "package-lock.json", "tools/build-terminal.mjs", "tools/code-cache.cjs"];

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

const FETCHES = 'typeof fetch !== "undefined"';

/** Node takes 25 ms to load its `fetch`, which the decoder of Zstandard prefers to `Buffer` for its own bytes. */
const withoutFetch = () => ({
  name: "without-fetch",
  transform: {
    filter: { id: /[\\/]zstddec[\\/]/ },
    handler(code, id) {
      if (!code.includes(FETCHES)) throw new Error(`${id} no longer asks whether there is "fetch".`);
      return { code: code.replace(FETCHES, 'typeof Buffer === "undefined"'), map: null };
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
    test: /[\\/](?:core[\\/](?:findings[\\/](?!examples|code-list)|words)|cli[\\/](?:lines|finding-json|explained)\.ts)/,
  },
  // Few sets have templates.
  { name: "shared", minShareCount: 5, test: /^(?!.*[\\/](?:packages[\\/]jinja|engine[\\/]render)[\\/])/ },
];

/** `input` as one bundle in `dir`, for Node or for pages; what was written. `output`: how, where that is not as a module. */
export async function bundled(input, dir, platform, output = { format: "esm" }, plugins = []) {
  const { rolldown } = await import("rolldown");
  const all = [assets(), ...(platform === "node" ? [withoutFetch()] : []), ...plugins];
  const bundle = await rolldown({ input, cwd: ROOT, platform, plugins: all, logLevel: "silent" });
  const written = await bundle.write({
    dir,
    ...output,
    minify: true,
    chunkFileNames: "[name]-[hash].js",
    ...(platform === "node" ? { codeSplitting: { groups: SHARED } } : {}),
  });
  await bundle.close();
  return written.output;
}

/**
 * Into a folder of its own, which then takes the other's place: commands may be running, and others building, at the same
 * time. What is there already is moved aside first, since a folder with files is never replaced.
 */
async function build() {
  removeAbandoned();
  const began = Date.now();
  const made = `${OUT}.${process.pid}`;
  // Only of such files can compiled code be kept (code-cache.cjs).
  const banner = ({ isEntry }) => (isEntry ? 'require("./code-cache.cjs");' : "");
  const noted = new Set(BESIDE);
  await bundled(PROGRAM, made, "node", { format: "cjs", banner }, [noting(noted)]);
  const sources = [...noted];
  // A source that changed meanwhile is built again by the next command.
  const isOld = sources.every((file) => (statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0) <= began);
  const stamp = isOld ? stampOf(sources) : "";
  copyFileSync(join(ROOT, "tools", "code-cache.cjs"), join(made, "code-cache.cjs"));
  writeFileSync(join(made, "package.json"), '{ "type": "commonjs" }\n');
  writeFileSync(join(made, "built-of.json"), JSON.stringify({ stamp, sources }));
  keepCode(made);
  for (let attempt = 1; !moved(made, OUT); attempt += 1) {
    // Another one was as fast: its program is as good.
    if (builtOf()?.stamp === stamp) return remove(made);
    if (attempt > MAX_ATTEMPTS) throw new Error(`${OUT} cannot be replaced by ${made}. Remove it, and try again.`);
    const old = `${OUT}.${process.pid}.old`;
    if (moved(OUT, old)) remove(old);
  }
}

/** Runs a check, which compiles what most commands need. Where it fails, commands compile it themselves. */
function keepCode(folder) {
  const sample = join(ROOT, "public", "samples", "ocean-broken.json");
  const env = { ...process.env, REFSCOPE_KEEP_CODE: "1" };
  spawnSync(process.execPath, [join(folder, "refscope.js"), "check", sample, "--deep", "all"], {
    env,
    stdio: "ignore",
  });
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

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
