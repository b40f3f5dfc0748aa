/** The view Compare: the open dataset and another, by link or by files; references, and values on request. */
import { writeFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { chunk, dropFiles, idle, openPage, showView, tree } from "./support/app.ts";

const compare = (page: Page) => page.getByRole("region", { name: "Compare", exact: true });
const hash = (page: Page) => decodeURIComponent(new URL(page.url()).hash);

test("a link opens a comparison: chunks with other references are named, listed with both, and shown on the map", async ({
  page,
}) => {
  await openPage(page, "#url=samples/ocean.v1.json&view=compare&with=samples/ocean-broken.json");
  await expect(compare(page).getByRole("heading", { level: 2 })).toHaveText(
    "5 of 102 references and 1 of 1 key outside the grids differ.",
  );
  const arrays = compare(page).getByRole("table", { name: "Arrays of both" });
  await expect(arrays.getByRole("row", { name: /^sst/ })).toContainText("4 moved");
  await arrays.getByRole("button", { name: "List chunks of sst" }).click();
  await idle(page);
  const chunks = compare(page).getByRole("table", { name: "Chunks of sst that differ" });
  await expect(chunks.getByRole("rowheader")).toHaveText(["0.0.1", "1.0.0", "2.0.1", "5.2.2"]);
  await expect(chunks.getByRole("row", { name: /^0\.0\.1/ })).toContainText("25219, 12417");
  await expect(chunks.getByRole("row", { name: /^0\.0\.1/ })).toContainText("25226, 12417");
  await chunks.getByRole("button", { name: "1.0.0" }).click();
  await idle(page);
  await expect(chunk(page)).toContainText("sst / 1.0.0");
  expect(hash(page)).toContain("chunk=1.0.0&view=compare&with=samples/ocean-broken.json");

  await expect(compare(page)).toContainText("Reads 5 chunks of 2 arrays that may differ");
  await compare(page).getByRole("button", { name: "Compare values" }).click();
  await idle(page);
  await expect(
    compare(page).getByRole("listitem").filter({ hasText: "sst: 3 chunks unreadable; 1 chunk out of reach" }),
  ).toContainText("B:");

  await arrays.getByRole("button", { name: "Show on the grid map sst" }).click();
  await idle(page);
  await expect(page.getByRole("combobox", { name: "Colour by" })).toHaveValue("change");
  await expect(page.getByRole("list", { name: "Legend" })).toContainText("other reference4");
  await page.goBack();
  await idle(page);
  await expect(chunks).toBeVisible();
  await compare(page).getByRole("button", { name: "Choose another" }).click();
  await idle(page);
  expect(hash(page)).not.toContain("with=");
});

/** Six values of a byte each in three chunks. */
function small(values: readonly number[], units: string): string {
  const array = {
    zarr_format: 2,
    shape: [6],
    chunks: [2],
    dtype: "|u1",
    compressor: null,
    filters: null,
    fill_value: 0,
    order: "C",
  };
  const refs: Record<string, string> = {
    ".zgroup": '{"zarr_format":2}',
    "a/.zarray": JSON.stringify(array),
    "a/.zattrs": JSON.stringify({ _ARRAY_DIMENSIONS: ["x"], units }),
  };
  for (const at of [0, 1, 2])
    refs[`a/${at}`] = `base64:${Buffer.from(values.slice(2 * at, 2 * at + 2)).toString("base64")}`;
  return JSON.stringify({ version: 1, refs });
}

test("files dropped in Compare are compared: members, and by value the first difference with both references", async ({
  page,
}, info) => {
  const [a, b] = [info.outputPath("a.json"), info.outputPath("b.json")];
  writeFileSync(a, small([1, 2, 3, 4, 5, 6], "m"));
  writeFileSync(b, small([1, 2, 3, 9, 5, 6], "km"));
  await openPage(page);
  await dropFiles(page, [a]);
  await expect(tree(page)).toBeVisible();
  await showView(page, "Compare");
  await dropFiles(page, [b]);
  await idle(page);
  await expect(compare(page).getByRole("heading", { level: 2 })).toHaveText(
    "Metadata of 1 array and 1 of 3 references differ.",
  );
  const nodes = compare(page).getByRole("table", { name: "Groups and arrays that differ" });
  await expect(nodes).toContainText('units"m" → "km"');
  await compare(page).getByRole("button", { name: "Compare values" }).click();
  await idle(page);
  const values = compare(page).getByRole("list", { name: "Values compared" });
  await expect(values).toContainText(
    "differs in 1 of 6 values (1 of 1 chunk); largest 5 at x 3; 2 chunks identical by reference",
  );
  await expect(values).toContainText("First at [3], as stored: 4 (A) → 9 (B)");
  await expect(values).toContainText(`a/1 "base64:AwQ="`);
  await expect(values).toContainText(`a/1 "base64:Awk="`);
  expect(hash(page)).toContain("view=compare");
  expect(hash(page)).not.toContain("with=");
  await values.getByRole("button", { name: "Show in Data" }).click();
  await idle(page);
  expect(hash(page)).toContain("point=3");
});

test("a set that cannot be opened says why", async ({ page }) => {
  await openPage(page, "#url=samples/ocean.v1.json&view=compare&with=samples/nothing.json");
  await expect(compare(page).getByRole("alert")).toHaveAttribute("data-code", "http-status");
});
