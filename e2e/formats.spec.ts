/** Kerchunk Parquet and Zarr stores, by address, as folders and in archives. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { writeZip } from "../src/io/fixtures/zip-writer.ts";
import {
  chunk,
  dropFiles,
  expectRequest,
  goToChunk,
  idle,
  manifest,
  openPage,
  selectArray,
  showView,
  statistic,
  tree,
  showProblems,
} from "./support/app.ts";
import { startRangeServer, type RangeServer } from "./support/range-server.ts";
import { test } from "./support/shared-page.ts";
import {
  fetched,
  filesIn,
  PARQUET,
  putStore,
  repository,
  version2Store,
  version3Store,
  writeStore,
} from "./support/stores.ts";

test.describe.configure({ mode: "default" });

let server: RangeServer;

test.beforeEach(async () => {
  server = await startRangeServer();
});

test.afterEach(async () => {
  await server.stop();
});

const link = (path: string, rest = "") => `#url=${encodeURIComponent(server.url(path))}${rest}`;
const node = (page: Page, name: string) => tree(page).getByRole("treeitem", { name, exact: true });
const states = (page: Page, state: string) => manifest(page).getByRole("gridcell", { name: state, exact: true });

test.describe("Kerchunk Parquet by address", () => {
  test("opening asks for .zmetadata, a record when a row of it is shown", async ({ page }) => {
    putStore(server, "/set.parq", filesIn(PARQUET));
    await openPage(page, link("/set.parq", "&view=metadata"));
    await expect(node(page, "ar")).toBeVisible();
    expect(fetched(server, "/set.parq")).toEqual([".zmetadata"]);
    await openPage(page, link("/set.parq", "&array=ar&view=chunks"));
    await expect(states(page, "range")).toHaveCount(4);
    expect(fetched(server, "/set.parq").toSorted()).toEqual([".zmetadata", "ar/refs.0.parq", "ar/refs.1.parq"]);
    await expect(page.getByRole("group", { name: "States" })).toContainText("All 4");
    await expect(page.getByRole("group", { name: "States" })).not.toContainText("unknown");
  });

  test(
    "records that cost little are read unasked for a picture, and then the counts are right",
    { tag: "@deep" },
    async ({ page }) => {
      putStore(server, "/set.parq", filesIn(PARQUET));
      await openPage(page, link("/set.parq", "&view=overview"));
      await expect(page.getByRole("row", { name: /^range 4/ })).toBeVisible();
      await expect(page.getByRole("row", { name: /unknown/ })).toBeHidden();
      await expect(page.locator("header").first()).toContainText("4 chunks · 24 B in 4 sources");
    },
  );

  for (const [what, damage] of [
    ["corrupt", (path: string) => server.put(path, "PAR1 and nothing that belongs here PAR1")],
    ["missing", (path: string) => server.misbehave(path, "404")],
  ] as const) {
    test(`a record that is ${what} is said, and the rest stays usable`, { tag: "@deep" }, async ({ page }) => {
      putStore(server, "/set.parq", filesIn(PARQUET));
      // Relative targets lie beside the set.
      putStore(server, "", filesIn(PARQUET));
      damage("/set.parq/ar/refs.1.parq");
      await openPage(page, link("/set.parq", "&array=ar&view=chunks"));
      await expect(states(page, "range")).toHaveCount(3);
      await expect(states(page, what === "missing" ? "missing" : "bad")).toHaveCount(1);
      await goToChunk(page, "ar/0.0");
      await expect.poll(() => statistic(page, "Maximum")).toBe("5");
      await expect((await showProblems(page)).locator('[data-code^="parquet-record"]').first()).toBeVisible();
    });
  }
});

test.describe("a Zarr store on disk", () => {
  test("as a picked folder: chunks are there or missing, and read", async ({ page }) => {
    const folder = writeStore("my store.zarr", version2Store());
    await openPage(page);
    await page.locator("input[webkitdirectory]").setInputFiles(folder);
    await expect(node(page, "temp")).toBeVisible();
    await selectArray(page, "temp");
    await goToChunk(page, "temp/0.1");
    await expect.poll(() => statistic(page, "Count")).toBe("4");
    await expect.poll(() => statistic(page, "Maximum")).toBe("7");
    await expect.poll(() => statistic(page, "Mean")).toMatch(/^4\.5/);
    await expect(states(page, "native")).toHaveCount(3);
    await expect(states(page, "missing")).toHaveCount(1);
  });

  test("dropped, in a zip archive, stored or deflated", async ({ page }) => {
    const files = Object.entries(version3Store());
    const entries = files.map(([name, content], at) => ({
      name: `store/${name}`,
      content,
      method: at % 2 === 0 ? 8 : 0,
    }));
    const path = join(writeStore("zipped", { note: "" }), "store.zip");
    writeFileSync(path, writeZip(entries));
    await openPage(page);
    await dropFiles(page, [path]);
    await expect(node(page, "sub")).toBeVisible();
    await selectArray(page, "temp");
    await goToChunk(page, "c/1/0");
    await expect(chunk(page).getByText("sub/temp / 1.0").first()).toBeVisible();
    // Beyond the array's edge nothing counts.
    await expect.poll(() => statistic(page, "Count")).toBe("2");
    await expect.poll(() => statistic(page, "Maximum")).toBe("9");
  });

  test("an archive far away is read by ranges", { tag: "@deep" }, async ({ page }) => {
    const big = { name: "store/temp/big.bin", content: new Uint8Array(400_000).map((_, at) => at % 251) };
    const entries = Object.entries(version2Store()).map(([name, content]) => ({ name: `store/${name}`, content }));
    server.put("/store.zip", writeZip([big, ...entries]));
    server.misbehave("/store.zip", "expose"); // Else nothing says where the archive ends.
    await openPage(page, link("/store.zip", "&array=temp&chunk=0.0"));
    await expect.poll(() => statistic(page, "Maximum")).toBe("5");
    const sent = server.requests.reduce((sum, request) => sum + request.sent, 0);
    expect(sent).toBeLessThan(200_000);
  });

  test("two stores and a reference document are a choice", { tag: "@deep" }, async ({ page }) => {
    const prefixed = (name: string, files: ReturnType<typeof version2Store>) =>
      Object.fromEntries(Object.entries(files).map(([key, content]) => [`${name}/${key}`, content]));
    const references = JSON.stringify({ version: 1, refs: { ".zgroup": '{"zarr_format":2}', "a/0": ["x", 0, 1] } });
    const folder = writeStore("several", {
      ...prefixed("two.zarr", version2Store()),
      ...prefixed("three.zarr", version3Store()),
      "refs.json": references,
    });
    await openPage(page);
    await dropFiles(page, [folder]);
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("option")).toHaveCount(3);
    await dialog.getByRole("option", { name: /three\.zarr/ }).click();
    await expect(node(page, "sub")).toBeVisible();
    await selectArray(page, "temp");
    await goToChunk(page, "0.0");
    await expect.poll(() => statistic(page, "Maximum")).toBe("5");
  });
});

test.describe("an address whose server lists what is there", () => {
  test.beforeEach(async () => {
    await server.stop();
    server = await startRangeServer({ lists: true });
  });

  test("of a Zarr store shows all arrays, without a note and without a listing of chunks", async ({ page }) => {
    putStore(server, "/bucket/store", version3Store());
    await openPage(page, link("/bucket/store"));
    await expect(node(page, "sub")).toBeVisible();
    await expect(page.getByRole("textbox", { name: /Look for a group or array/ })).toHaveCount(0);
    await expect((await showProblems(page)).locator('[data-code="store-not-listable"]')).toHaveCount(0);
    const listed = server.requests.flatMap(({ path }) => /prefix=([^&]*)/.exec(path)?.[1] ?? []);
    expect(new Set(listed)).toEqual(new Set(["store%2F", "store%2Fsub%2F"]));
    await selectArray(page, "temp");
    await goToChunk(page, "0.0");
    await expect.poll(() => statistic(page, "Maximum")).toBe("5");
  });

  test(
    "of a folder of data files offers them, and opens the one that is chosen",
    { tag: "@deep" },
    async ({ page }) => {
      const folder = join(import.meta.dirname, "../src/engine/preflight/fixtures/files");
      for (const name of ["lastp_0.nc", "lastp_1.nc"])
        server.put(`/bucket/p/${name}`, readFileSync(join(folder, name)));
      await openPage(page, link("/bucket/p/"));
      await page.getByRole("option", { name: "lastp_1.nc" }).click();
      await expect(node(page, "tas")).toBeVisible();
      await idle(page);
      await expect(page).toHaveURL(/lastp_1\.nc/);
    },
  );
});

test.describe("a Zarr store by address", () => {
  test("cannot be listed: a path is asked for, and its chunks are found by looking", async ({ page }) => {
    putStore(server, "/store", version3Store());
    await openPage(page, link("/store"));
    await expect((await showProblems(page)).locator('[data-code="store-not-listable"]')).toBeVisible();
    await expect(node(page, "temp")).toBeHidden();
    await page.getByRole("textbox", { name: /Look for a group or array/ }).fill("sub/temp");
    await page.keyboard.press("Enter");
    await idle(page);
    await expect(node(page, "temp")).toHaveAttribute("aria-selected", "true");
    await openPage(page, link("/store", "&array=sub/temp&view=metadata"));
    await expect(page.getByRole("row", { name: /^missing 1/ })).toBeVisible();
    await showView(page, "Chunks");
    await expect(states(page, "native")).toHaveCount(3);
    await expect(states(page, "missing")).toHaveCount(1);
    await goToChunk(page, "sub/temp/c/0/1");
    await expect.poll(() => statistic(page, "Maximum")).toBe("7");
  });

  test("with consolidated metadata everything is in the tree at once", { tag: "@deep" }, async ({ page }) => {
    const files = version2Store();
    const metadata = Object.fromEntries(
      Object.entries(files)
        .filter(([key]) => /\.z\w+$/.test(key))
        .map(([key, text]) => [key, JSON.parse(String(text)) as unknown]),
    );
    putStore(server, "/store.zarr", {
      ...files,
      ".zmetadata": JSON.stringify({ zarr_consolidated_format: 1, metadata }),
    });
    await openPage(page, link("/store.zarr", "&view=metadata"));
    await expect(node(page, "temp")).toBeVisible();
    expect(fetched(server, "/store.zarr")).toEqual([".zmetadata"]);
    await expect(page.getByRole("textbox", { name: /Look for a group or array/ })).toBeHidden();
  });

  test("where absent objects are denied (403), the store opens all the same", { tag: "@deep" }, async ({ page }) => {
    putStore(server, "/store", version2Store());
    for (const key of [".zmetadata", "zarr.json", ".zattrs", ".zarray", "temp/zarr.json", "temp/1.1"])
      server.misbehave(`/store/${key}`, "403");
    await openPage(page, link("/store", "&array=temp"));
    await expect(node(page, "temp")).toBeVisible();
    await showView(page, "Chunks");
    await expect(states(page, "native")).toHaveCount(3);
    await expect((await showProblems(page)).locator('[data-code="chunk-denied"]')).toBeVisible();
  });

  test("where HEAD is refused (405), chunks are found and read all the same", { tag: "@deep" }, async ({ page }) => {
    putStore(server, "/store", version2Store());
    for (const key of ["0.0", "0.1", "1.0"]) server.misbehave(`/store/temp/${key}`, "no-head:405");
    server.misbehave("/store/temp/1.1", "500");
    await openPage(page, link("/store", "&array=temp&chunk=0.1"));
    await expect.poll(() => statistic(page, "Maximum")).toBe("7");
    await showView(page, "Chunks");
    await expect(states(page, "native")).toHaveCount(3);
    // What a broken server hides is not said to be missing.
    await expect(states(page, "missing")).toHaveCount(0);
  });

  test(
    "none of many chunks is requested in advance; one that is read is known from then on",
    { tag: "@deep" },
    async ({ page }) => {
      const temp = JSON.parse(String(version2Store()["temp/.zarray"])) as object;
      putStore(server, "/store", {
        ...version2Store(),
        "temp/.zarray": JSON.stringify({ ...temp, shape: [40, 40] }),
      });
      await openPage(page, link("/store", "&array=temp&view=metadata"));
      const asked = () => new Set(server.requests.map(({ path }) => path).filter((path) => /temp\/\d/.test(path))).size;
      expect(asked()).toBe(0);
      await chunk(page).getByRole("button", { name: "Read the first chunk" }).click();
      await idle(page);
      await expect.poll(() => statistic(page, "Maximum")).toBe("5");
      expect(asked()).toBe(1);
      // The table asks for the rows that it lists, and no more.
      await showView(page, "Chunks");
      await page.getByRole("combobox", { name: "Colour by" }).selectOption("state");
      const legend = page.getByRole("list", { name: "Legend" });
      await expect(legend).toContainText(/unknown\s*200/);
      await expect(legend).toContainText(/native\s*3/);
      await page.getByRole("button", { name: "Ask for the rest" }).click();
      await idle(page);
      await expect(legend).toContainText(/missing\s*397/);
    },
  );

  test(
    "cannot be edited, and the button says why; its export has the chunks' URLs, and says what is not in it",
    { tag: "@deep" },
    async ({ page }) => {
      putStore(server, "/store", version2Store());
      await openPage(page, link("/store", "&array=temp"));
      const edit = page.getByRole("button", { name: "Edit", exact: true });
      await expect(edit).toBeDisabled();
      await expect(edit).toHaveAttribute("title", /Kerchunk JSON/);
      await page.getByRole("button", { name: "Export…" }).click();
      const dialog = page.getByRole("dialog", { name: "Export" });
      // Which chunks there are must be asked first.
      await dialog.getByRole("button", { name: "Export", exact: true }).click();
      await expect(dialog.getByRole("list", { name: "Not written" })).toContainText("the store does not list");
      const coming = page.waitForEvent("download");
      await dialog.getByRole("button", { name: "Export", exact: true }).click();
      const document = JSON.parse(readFileSync(await (await coming).path(), "utf8")) as Readonly<
        Record<string, unknown>
      >;
      const chunks = Object.keys(document).filter((key) => /\d$/.test(key));
      expect(chunks.toSorted()).toEqual(["temp/0.0", "temp/0.1", "temp/1.0"]);
      expect(document["temp/0.0"]).toEqual([server.url("/store/temp/0.0")]);
    },
  );
});

test.describe("an Icechunk repository", () => {
  for (const name of ["v1", "v2"] as const) {
    const tag = name === "v1" ? "@deep" : [];
    test(`${name}: opens at main, and a manifest is asked for when its chunks are shown`, { tag }, async ({ page }) => {
      putStore(server, "/repo", repository(name));
      await openPage(page, link("/repo", "&view=metadata"));
      await expect(page.locator("header").first()).toContainText(`Icechunk, format ${name.slice(1)}`);
      const manifests = () => fetched(server, "/repo").filter((path) => path.startsWith("manifests/"));
      expect(manifests()).toEqual([]);
      await openPage(page, link("/repo", "&array=air/temp&view=chunks"));
      await expect(states(page, "unknown")).toHaveCount(0);
      expect(manifests().length).toBeGreaterThan(0);
      await expect(states(page, "native").first()).toBeVisible();
      await states(page, "native").first().click();
      await idle(page);
      expect(Number(await statistic(page, "Count"))).toBeGreaterThan(0);
    });
  }

  test("virtual chunks differ from native ones, and say where they are", { tag: "@deep" }, async ({ page }) => {
    putStore(server, "/repo", repository("v2"));
    await openPage(page, link("/repo", "&array=air/virt&view=chunks"));
    await expect(states(page, "virtual")).toHaveCount(7);
    await expect(page.getByRole("group", { name: "States" })).toContainText("All");
    await page.getByRole("combobox", { name: "Colour by" }).selectOption("state");
    await expect(page.getByRole("list", { name: "Legend" })).toContainText(/virtual\s*7/);
    await expect(page.getByRole("combobox", { name: "Colour by" })).not.toContainText("change");
    await selectArray(page, "temp");
    await showView(page, "Chunks");
    await expect(states(page, "native")).toHaveCount(3);
    await expect(manifest(page).getByTitle(/^chunks\/[0-9A-Z]{20}$/)).toHaveCount(3);
    await states(page, "native").first().click();
    await idle(page);
    await expectRequest(page, /\["chunks\/[0-9A-Z]{20}", 0, 320\]/);
  });

  test("another branch by the address", { tag: "@deep" }, async ({ page }) => {
    putStore(server, "/repo", repository("v2"));
    await openPage(page, link("/repo", "&ref=branch:dev&view=overview"));
    await expect(page.getByText("branch dev,")).toBeVisible();
    expect(new URL(page.url()).hash).toContain("ref=branch");
  });
});
