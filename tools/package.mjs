/**
 * `npm run -s package`: the package as `npm pack` makes it, without a dependency: `bin/`, `lib/` (the terminal, the engine
 * for Node and for pages), `page/`, `types/`. Prints what it weighs, and the path of the archive on its last line.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { bundled, PROGRAM } from "./build-terminal.mjs";
import { ensureDependencies, must, ROOT } from "./ensure.mjs";
import { licences } from "./third-party-plugin.mjs";

const OUT = join(ROOT, "dist", "package");
export const project = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
/** The package's name and all that it says of itself, in one place. */
const { name, version, description, license, engines, keywords, homepage, repository, bugs } = project;

/** The page that is built, or was with `--built`, in `out` without samples: `data-samples` hides what the start page says of them. */
export function copyPage(out) {
  ensureDependencies({ quiet: true });
  // Stories are served from the page that is there.
  if (!process.argv.includes("--built")) must("npx", ["vite", "build", "--logLevel", "error"]);
  rmSync(out, { recursive: true, force: true });
  const dist = join(ROOT, "dist");
  const isLeft = (path) =>
    /^(?:samples|cli(?:\.\d+)?|package|wheel|docs|screens|third-party-licences\.md)(?:\/|$)/.test(path);
  for (const one of readdirSync(dist))
    if (!isLeft(one)) cpSync(join(dist, one), join(out, "page", one), { recursive: true });
  const page = join(out, "page", "index.html");
  writeFileSync(page, readFileSync(page, "utf8").replace(/<html (?:data-docs )?/, '<html data-samples="none" '));
}

/** Says which Node it needs in words that any Node parses. */
export function writeProgram(out) {
  mkdirSync(join(out, "bin"));
  const least = engines.node.replace(/^>=/, "");
  const program = `#!/usr/bin/env node
var least = "${least}".split("."), is = process.versions.node.split(".");
if (+is[0] < +least[0] || (+is[0] === +least[0] && +is[1] < +least[1])) {
  console.error("${name} needs Node ${least} or later; this is " + process.versions.node + ". See https://nodejs.org.");
  process.exit(2);
}
require("./run.cjs");
`;
  writeFileSync(join(out, "bin", "refscope.cjs"), program);
  chmodSync(join(out, "bin", "refscope.cjs"), 0o755);
  // From Node 22.1 on compiled code is kept on disk, which halves the start.
  writeFileSync(
    join(out, "bin", "run.cjs"),
    'var module_ = require("node:module");\nif (module_.enableCompileCache) module_.enableCompileCache();\nimport("../lib/refscope.js");\n',
  );
}

/** Three files, of which none imports the engine. */
function writeTypes() {
  const made = join(ROOT, "dist", "package-types");
  mkdirSync(join(OUT, "types"), { recursive: true });
  mkdirSync(made, { recursive: true });
  const options = {
    declaration: true,
    emitDeclarationOnly: true,
    noEmit: false,
    noCheck: true,
    outDir: ".",
    rootDir: "../..",
  };
  const files = ["index", "node"].map((one) => `../../src/package/${one}.ts`);
  const config = { extends: "../../tsconfig.json", compilerOptions: options, files, include: [] };
  writeFileSync(join(made, "tsconfig.json"), JSON.stringify(config));
  execFileSync("npx", ["tsc", "-p", made], { cwd: ROOT, stdio: "ignore" });
  for (const one of ["types", "index", "node"]) {
    const text = readFileSync(join(made, "src", "package", `${one}.d.ts`), "utf8").replaceAll(
      /(["']\.\/\w+)\.ts(["'])/g,
      "$1.js$2",
    );
    if (/\.\.\//.test(text)) throw new Error(`${one}.d.ts imports what is not in the package.`);
    writeFileSync(join(OUT, "types", `${one}.d.ts`), text);
  }
  rmSync(made, { recursive: true, force: true });
}

/** What page and terminal hold alike, numcodecs' WebAssembly above all, is there once. */
export function shareWithPage(out) {
  const [lib, page] = [join(out, "lib"), join(out, "page", "assets")];
  for (const one of readdirSync(lib).filter((file) => file.endsWith(".js") && readdirSync(page).includes(file))) {
    const text = readFileSync(join(lib, one), "utf8");
    if (text.length < 100_000 || text !== readFileSync(join(page, one), "utf8")) continue;
    const isDefault = /export\s*\{[^}]*\bas default\b/.test(text);
    writeFileSync(join(lib, one), `export ${isDefault ? "{ default }" : "*"} from "../page/assets/${one}";\n`);
  }
}

const manifest = {
  name,
  version,
  description,
  license,
  ...(homepage && { homepage }),
  ...(repository && { repository }),
  ...(bugs && { bugs }),
  keywords,
  type: "module",
  engines,
  bin: { refscope: "bin/refscope.cjs" },
  exports: {
    ".": { types: "./types/index.d.ts", browser: "./lib/page/index.js", default: "./lib/node.js" },
    "./node": { types: "./types/node.d.ts", default: "./lib/node.js" },
    "./package.json": "./package.json",
  },
  types: "./types/index.d.ts",
  // For who resolves as Node 10 did.
  typesVersions: { "*": { node: ["./types/node.d.ts"] } },
  files: ["bin", "lib", "page", "types", "third-party-licences.md", "CHANGELOG.md"],
  sideEffects: false,
};

async function writePackage() {
  copyPage(OUT);
  writeProgram(OUT);
  writeTypes();
  await bundled({ ...PROGRAM, node: "src/package/node.ts" }, join(OUT, "lib"), "node");
  // Without a module of Node among its imports, so that any bundler takes it.
  await bundled({ index: "src/package/index.ts" }, join(OUT, "lib", "page"), "browser");
  shareWithPage(OUT);
  for (const one of ["LICENSE", "README.md", "CHANGELOG.md"])
    writeFileSync(
      join(OUT, one),
      readFileSync(join(ROOT, one), "utf8").replaceAll("npm run -s refscope --", "npx refscope"),
    );
  writeFileSync(join(OUT, "third-party-licences.md"), licences());
  writeFileSync(join(OUT, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);

  const packed = JSON.parse(execFileSync("npm", ["pack", "--json", "--silent"], { cwd: OUT, encoding: "utf8" }))[0];
  const isEditor = ({ path }) => /^page\/assets\/(?:ReferenceEditor|editor\.worker|codicon|json\.worker)/.test(path);
  const editor = packed.files.filter(isEditor).reduce((sum, { size }) => sum + size, 0);
  const first = readFileSync(join(OUT, "lib", "page", "index.js"));
  const mb = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
  console.log(
    `${packed.files.length} files, packed ${mb(packed.size)}, unpacked ${mb(packed.unpackedSize)}, ${mb(packed.unpackedSize - editor)} without the editor`,
  );
  console.log(`lib/page/index.js: ${first.length} bytes, ${gzipSync(first).length} gzipped`);
  console.log(join(OUT, packed.filename));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writePackage();
