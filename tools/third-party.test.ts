import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { licences } from "./third-party-plugin.mjs";

it("names every package that is shipped, with its text", () => {
  const text = licences();
  for (const name of ["react", "monaco-editor", "nunjucks", "reference-spec-reader", "zarrita", "zstddec", "hyparquet"])
    expect(text).toMatch(new RegExp(`^## ${name} \\d`, "m"));
  expect(text).not.toMatch(/^## (?:vitest|oxlint|typescript) /m);
  expect(text).toContain("Permission is hereby granted, free of charge");
});

/** Each file that is handed on and is no text of ours, with what its notice is called. */
const HELD: Readonly<Record<string, readonly string[]>> = {
  "lerc-wasm.wasm": ["lerc", "LERC"],
  "webp_dec.wasm": ["@jsquash/webp", "libwebp"],
  "codicon.ttf": ["monaco-editor", "Codicons"],
};

it("has a notice for every WebAssembly module and font that is shipped", () => {
  const text = licences();
  for (const name of Object.values(HELD).flat().concat("c-blosc", "LZ4", "Zstandard", "FastLZ"))
    expect(text).toMatch(new RegExp(`^## ${name}[ (]`, "m"));
  const built = join(import.meta.dirname, "../dist/assets");
  const files = existsSync(built) ? readdirSync(built).filter((name) => /\.(?:wasm|ttf|woff2?|otf)$/.test(name)) : [];
  expect(files.map((name) => name.replace(/-[\w-]{8}(?=\.)/, "")).filter((name) => !(name in HELD))).toEqual([]);
});

it("knows every module of the sources that fetches WebAssembly or a font", () => {
  const found = readdirSync(join(import.meta.dirname, "../src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.includes(".test."))
    .flatMap((path) =>
      Array.from(
        readFileSync(join(import.meta.dirname, "../src", path), "utf8").matchAll(/new URL\("[^"]*\/([^"/]+\.wasm)"/g),
        ([, name = ""]) => name,
      ),
    );
  expect(found.filter((name) => !(name in HELD))).toEqual([]);
});
