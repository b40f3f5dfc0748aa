/** The wheel's `show` and `refscope open`: the page by a server in Python, in a notebook's frame and alone. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { expect, type FrameLocator, type Page, test } from "@playwright/test";
import { SAMPLES, truthOf } from "./support/app.ts";
import { type RangeServer, startRangeServer } from "./support/range-server.ts";

const ROOT = resolve(import.meta.dirname, "..");
const NAMES = ["ocean-a.nc", "ocean-b.nc"];

const canRun = (python: string) =>
  spawnSync(python, ["-c", "import sys, fsspec; sys.exit(sys.version_info < (3, 9))"], { stdio: "ignore" }).status ===
  0;
const python = ["python3", "/usr/bin/python3"].find(canRun);
test.skip(python === undefined, "There is no python3 with fsspec here.");

/** What a user types in two cells; the addresses of what is shown are printed. */
const CELLS = `
import json, sys, time, fsspec, refscope
samples, elsewhere = sys.argv[1:]
memory = fsspec.filesystem("memory")
for name in ("ocean-a.nc", "ocean-b.nc"):
    memory.pipe_file("/bucket/" + name, open(samples + "/" + name, "rb").read())
def at(place):
    refs = json.load(open(samples + "/ocean.v1.json"))
    refs["refs"] = {key: [place + one[0], *one[1:]] if isinstance(one, list) else one for key, one in refs["refs"].items()}
    return refs
for place in ("memory://bucket/", elsewhere):
    print(refscope.show(at(place))._repr_html_(), flush=True)
time.sleep(600)
`;

const children: ChildProcess[] = [];

/** Lines that Python prints, as many as are asked for. */
async function printed(args: readonly string[], count: number): Promise<readonly string[]> {
  const env = { ...process.env, PYTHONPATH: join(ROOT, "python"), PYTHONDONTWRITEBYTECODE: "1" };
  const child = spawn(python ?? "", args, { env, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  let [said, errors] = ["", ""];
  child.stderr.on("data", (piece: Buffer) => (errors += piece.toString()));
  return new Promise((found, failed) => {
    child.stdout.on("data", (piece: Buffer) => {
      said += piece.toString();
      const lines = said.split("\n").slice(0, -1);
      if (lines.length >= count) found(lines);
    });
    child.on("exit", () => failed(new Error(errors)));
  });
}

let data: RangeServer;
let notebook: Server;
/** What the notebook shows. */
let output = "";

test.beforeAll(async () => {
  data = await startRangeServer();
  for (const name of NAMES) {
    data.put(`/${name}`, await readFile(join(SAMPLES, name)));
    data.misbehave(`/${name}`, "no-cors");
  }
  notebook = createServer((_, response) => response.setHeader("content-type", "text/html").end(output));
  await new Promise<void>((done) => notebook.listen(0, "127.0.0.1", done));
});

test.afterAll(async () => {
  for (const child of children) child.kill();
  await data?.stop();
  notebook?.close();
});

async function chunkIn(page: Page | FrameLocator, target: string): Promise<void> {
  await expect(page.locator("html")).toHaveAttribute("data-pending", "0");
  await expect(page.getByRole("heading", { name: "Refscope sample: a synthetic ocean" })).toBeVisible();
  await page.getByRole("tree", { name: "Hierarchy" }).getByRole("treeitem", { name: "sst" }).click();
  await page.getByRole("tablist", { name: "Views" }).getByRole("tab", { name: "Chunks", exact: true }).click();
  await page.getByRole("textbox", { name: "Key or place" }).fill("sst/0.0.0");
  await page.getByRole("textbox", { name: "Key or place" }).press("Enter");
  const chunk = page.getByRole("region", { name: "Chunk" });
  await chunk.getByRole("tab", { name: "Request", exact: true }).click();
  await expect(page.locator("html")).toHaveAttribute("data-pending", "0");
  await expect(chunk).toContainText(target);
  await expect(chunk).toContainText("relayed by this computer");
  await chunk.getByRole("tab", { name: "Values", exact: true }).click();
  await chunk.getByRole("radio", { name: "Raw" }).click();
  const mean = chunk.locator("dt", { hasText: /^Mean$/ }).locator("xpath=following-sibling::dd[1]");
  expect(Number(await mean.getAttribute("title"))).toBeCloseTo(truthOf("sst", "0.0.0")["mean"] ?? Number.NaN, 8);
}

test("a notebook shows a dict of references over memory and over a server that allows no page, and nobody else's page does", async ({
  page,
}) => {
  const shown = await printed(["-c", CELLS, SAMPLES, data.url("/")], 2);
  const at = `http://localhost:${(notebook.address() as AddressInfo).port}/`;
  for (const [index, target] of ["memory://bucket/ocean-a.nc", data.url("/ocean-a.nc")].entries()) {
    output = shown[index] ?? "";
    await page.goto(at);
    await chunkIn(page.frameLocator("iframe"), target);
  }
  for (const request of data.requests) expect(JSON.stringify(request)).not.toMatch(/referer|cookie/i);
  await page.route("http://elsewhere.example/", (route) => route.fulfill({ contentType: "text/html", body: output }));
  await page.goto("http://elsewhere.example/");
  await expect.poll(() => page.frames().at(-1)?.url()).toMatch(/^chrome-error:/);
});

test("refscope open of the wheel reads a file's neighbours", async ({ page }) => {
  const [address = ""] = await printed(["-m", "refscope", "open", join(SAMPLES, "ocean.v1.json"), "--no-browser"], 1);
  await page.goto(address);
  await chunkIn(page, `${SAMPLES}/ocean-a.nc`);
});
