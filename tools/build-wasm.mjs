/**
 * Compiles `scan.as.ts` with AssemblyScript and writes it as a base64 text module, so that neither a build nor a test
 * needs the compiler. `npm run wasm`; with `--check` it only says whether the module is up to date.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const FOLDER = fileURLToPath(new URL("../src/formats/kerchunk-json/", import.meta.url));
const OPTIONS = ["-O3", "--converge", "--noAssert", "--runtime", "stub", "--enable", "simd", "--enable", "bulk-memory"];

/** The module's text, from a fresh compilation. */
export async function compileScanner() {
  const source = await readFile(`${FOLDER}scan.as.ts`, "utf8");
  const { error, binary, stderr } = await compile(source);
  if (error) throw new Error(`scan.as.ts does not compile:\n${stderr}`);
  return generated(binary);
}

async function compile(source) {
  let binary;
  let stderr = "";
  const files = {
    readFile: (name) => (name === "scan.ts" ? source : null),
    writeFile: (name, contents) => {
      if (name === "scan.wasm") binary = contents;
    },
    listFiles: () => [],
    stderr: { write: (text) => void (stderr += text) },
  };
  const { error } = await asc.main(["scan.ts", "--outFile", "scan.wasm", ...OPTIONS], files);
  return { error, binary, stderr };
}

function generated(binary) {
  const text = Buffer.from(binary).toString("base64");
  return [
    "// Made from scan.as.ts by `npm run wasm` (tools/build-wasm.mjs, AssemblyScript). Do not edit.",
    `// ${binary.length} bytes of WebAssembly as base64.`,
    "// prettier-ignore",
    `export const SCAN_WASM = "${text}";`,
    "",
  ].join("\n");
}

async function main() {
  const path = `${FOLDER}scan-wasm.generated.ts`;
  const text = await compileScanner();
  if (process.argv.includes("--check")) {
    const same = (await readFile(path, "utf8")) === text;
    console.log(same ? "scan-wasm.generated.ts is up to date." : "scan-wasm.generated.ts is out of date: npm run wasm");
    process.exitCode = same ? 0 : 1;
    return;
  }
  await writeFile(path, text);
  console.log(`Wrote ${path} (${text.length} characters).`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
