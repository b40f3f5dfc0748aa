/** What the Export dialog writes. */
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";

/** Saves what the dialog, which is open, writes; Parquet has no compression. */
export async function saveExport(
  page: Page,
  form: RegExp,
  compression: RegExp | undefined,
  folder: string,
): Promise<string> {
  const dialog = page.getByRole("dialog", { name: "Export" });
  await dialog.getByRole("radio", { name: form }).check();
  if (compression !== undefined) await dialog.getByRole("radio", { name: compression }).check();
  const coming = page.waitForEvent("download");
  await dialog.getByRole("button", { name: /^Export/ }).click();
  const download = await coming;
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  await expect(dialog.getByRole("status")).toContainText("Nothing was left out.");
  return path;
}
