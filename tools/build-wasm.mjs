/**
 * Compiles the AssemblyScript of the project (`*.as.ts`) and writes each module as a base64 text module, so that neither
 * a build nor a test needs the compiler. `npm run wasm`; with `--check` it only says whether the modules are up to date.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const OPTIONS = ["-O3", "--converge", "--noAssert", "--runtime", "stub", "--enable", "simd", "--enable", "bulk-memory"];

/** `entry` may import other files of its folder: `./inflate.as` is `inflate.as.ts`. */
const SCANNER = {
  folder: fileURLToPath(new URL("../src/formats/kerchunk-json/", import.meta.url)),
  entry: "scan.as.ts",
  output: "scan-wasm.generated.ts",
  name: "SCAN_WASM",
  options: [],
};

/** Its memory is the host's, since it may be another module's; nothing lies at addresses of its own. */
const DECODERS = {
  folder: fileURLToPath(new URL("../src/codecs/wasm/", import.meta.url)),
  entry: "decode.as.ts",
  output: "decode.generated.ts",
  name: "DECODE_WASM",
  options: ["--importMemory"],
};

/** Everything at fixed addresses below the first page's end; data behind, for which its memory grows. */
const JPEG_2000 = {
  folder: fileURLToPath(new URL("../src/codecs/jpeg2000/", import.meta.url)),
  entry: "blocks.as.ts",
  output: "blocks.generated.ts",
  name: "BLOCKS_WASM",
  options: ["--initialMemory", "2"],
};

const MODULES = [SCANNER, DECODERS, JPEG_2000];

/** The module's text, from a fresh compilation. */
export const compileScanner = () => compileModule(SCANNER);
export const compileDecoders = () => compileModule(DECODERS);
export const compileJpeg2000 = () => compileModule(JPEG_2000);

async function compileModule(module) {
  const { error, binary, stderr } = await compile(module);
  if (error) throw new Error(`${module.entry} does not compile:\n${stderr}`);
  return generated(module, binary);
}

async function compile({ folder, entry, options }) {
  let binary;
  let stderr = "";
  const files = {
    readFile: (name) => readFile(`${folder}${name}`, "utf8").catch(() => null),
    writeFile: (name, contents) => {
      if (name === "module.wasm") binary = contents;
    },
    listFiles: () => [],
    stderr: { write: (text) => void (stderr += text) },
  };
  const { error } = await asc.main([entry, "--outFile", "module.wasm", ...OPTIONS, ...options], files);
  return { error, binary, stderr };
}

function generated({ entry, name }, binary) {
  const text = Buffer.from(binary).toString("base64");
  return [
    `// Made from ${entry} by \`npm run wasm\` (tools/build-wasm.mjs, AssemblyScript). Do not edit.`,
    `// ${binary.length} bytes of WebAssembly as base64.`,
    "// oxfmt-ignore",
    `export const ${name} = "${text}";`,
    "",
  ].join("\n");
}

async function main() {
  for (const module of MODULES) {
    const path = `${module.folder}${module.output}`;
    const text = await compileModule(module);
    if (!process.argv.includes("--check")) {
      await writeFile(path, text);
      console.log(`Wrote ${path} (${text.length} characters).`);
      continue;
    }
    const same = (await readFile(path, "utf8").catch(() => "")) === text;
    console.log(same ? `${module.output} is up to date.` : `${module.output} is out of date: npm run wasm`);
    if (!same) process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
