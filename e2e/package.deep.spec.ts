/**
 * The package as who installs it has it: alone in `node_modules`, typed, in Node, and in a built page that Chromium opens
 * under a policy without `unsafe-eval`.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { expect, test } from "@playwright/test";

const ROOT = join(import.meta.dirname, "..");
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src *";
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
};

// One installation for all of them.
test.describe.configure({ mode: "serial" });

let folder = "";
const run = (program: string, args: readonly string[], cwd = folder) =>
  execFileSync(program, args, { cwd, encoding: "utf8" });
const program = (...args: readonly string[]) => run("node", [join(folder, "node_modules/.bin/refscope"), ...args]);

test.beforeAll(() => {
  test.setTimeout(300_000);
  const archive =
    run("node", [join(ROOT, "tools/package.mjs"), "--built"], ROOT)
      .trim()
      .split("\n")
      .at(-1) ?? "";
  folder = mkdtempSync(join(tmpdir(), "refscope-package-"));
  writeFileSync(join(folder, "package.json"), '{ "name": "app", "type": "module", "private": true }');
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--silent", archive]);
});

test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("is alone, weighs what it may, and has every command", () => {
  expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["refscope"]);
  const sample = join(ROOT, "public/samples/ocean.v1.json");
  expect(program("--version").trim()).toMatch(/^\d+\.\d+\.\d+/);
  expect(program("--help")).toContain("refscope");
  expect(program("info", sample)).toContain("120 references");
  const { verdict } = JSON.parse(program("check", sample, "--json")) as { readonly verdict?: object };
  expect(verdict).toBeDefined();
  for (const args of [
    ["digest", sample],
    ["read", sample, "--array", "sst", "--select", "0,0,:3"],
    ["refs", join(ROOT, "public/samples/ocean-a.nc")],
    ["explain", "range-past-end"],
    ["render", sample],
    ["compare", sample, sample],
    ["preflight", join(ROOT, "public/samples/ocean-a.nc")],
  ])
    expect(program(...args).length, args[0]).toBeGreaterThan(0);
});

test("is typed where TypeScript is strict, and reads in Node", () => {
  const code = `import { open, type Dataset, type Problem } from "refscope";
import { openPath } from "refscope/node";
const set: Dataset = await openPath(${JSON.stringify(join(ROOT, "public/samples/ocean.v1.json"))});
const problems: readonly Problem[] = await set.problems();
const part = await set.array("sst").read("0, 0, :3", { cf: true });
console.log(set.format, typeof problems, String(part.shape), typeof open);
`;
  writeFileSync(join(folder, "use.ts"), code);
  for (const [module, resolution] of [
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ]) {
    const options = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      target: "es2023",
    };
    const where = {
      module,
      moduleResolution: resolution,
      typeRoots: [join(ROOT, "node_modules/@types")],
      types: ["node"],
    };
    const compilerOptions = { ...options, ...where, lib: ["es2023", "dom"], outDir: "out" };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));
    run(join(ROOT, "node_modules/.bin/tsc"), ["-p", folder]);
  }
  expect(run("node", ["out/use.js"])).toContain("Kerchunk JSON, Version 1 object 3 function");
});

test("reads the sample in a built page, with a small first load", async ({ page }) => {
  const site = join(folder, "site");
  mkdirSync(join(site, "src"), { recursive: true });
  cpSync(join(ROOT, "public/samples"), join(site, "public/samples"), { recursive: true });
  writeFileSync(
    join(site, "index.html"),
    `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}"><script type="module" src="/src/main.js"></script>`,
  );
  const code = `import { open } from "refscope";
document.title = typeof open;
await new Promise((done) => addEventListener("click", done));
const dataset = await open(new URL("/samples/ocean.v1.json", location.href), { allowPrivate: true });
const part = await dataset.array("sst").read("0, 0, :3", { cf: true });
document.title = dataset.format + ", " + part.failed.size + " failed, " + part.bytes.length;
`;
  writeFileSync(join(site, "src/main.js"), code);
  const built = run(join(ROOT, "node_modules/.bin/vite"), ["build", "--logLevel", "warn"], site);
  // libwebp's loader asks for Node's "module" where it is in Node.
  const warnings = built
    .split("\n")
    .filter((line) => /^\[plugin|warn/i.test(line) && !/"module" has been externalized/.test(line));
  expect(warnings).toEqual([]);
  const dist = join(site, "dist");
  const loads = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = join(dist, (request.url ?? "/").replace(/\?.*$/s, "").replace(/\/$/, "/index.html"));
    if (!existsSync(path)) return void response.writeHead(404).end();
    const body = readFileSync(path);
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "") ?? [];
    const head = { "content-type": TYPES[extname(path)] ?? "application/octet-stream", "accept-ranges": "bytes" };
    if (/\.(?:js|wasm)$/.test(path)) loads.set(basename(path), brotliCompressSync(body).length);
    if (from === undefined) return void response.writeHead(200, head).end(body);
    const range = `bytes ${from}-${to}/${body.length}`;
    response.writeHead(206, { ...head, "content-range": range }).end(body.subarray(Number(from), Number(to) + 1));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  await page.goto(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`);
  await expect(page).toHaveTitle("function");
  const sum = () => [...loads.values()].reduce((all, size) => all + size, 0);
  const first = sum();
  await page.mouse.click(5, 5);
  await expect(page).toHaveTitle("Kerchunk JSON, Version 1, 0 failed, 24");
  console.log(`a page with the package: ${first} bytes compressed at first, ${sum()} once it has read the sample`);
  expect(first).toBeLessThan(95_000);
  expect(sum()).toBeLessThan(180_000);
  server.close();
});
