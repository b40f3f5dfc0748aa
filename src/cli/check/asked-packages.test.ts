/** The list of packages that `--reader` may name. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { askedReader } from "./asked-packages.ts";
import { OPTIONS } from "../options.ts";

const folder = mkdtempSync(join(tmpdir(), "packages-"));
afterAll(() => rmSync(folder, { recursive: true }));

const written = (text: string): string => {
  const path = join(folder, "pip.txt");
  writeFileSync(path, text);
  return path;
};

it("is read from a file, and refused where it has no reader", async () => {
  const path = written("Package Version\n------- -------\nfsspec  2024.2.0\n");
  expect(OPTIONS.reader.parse(path)).toBe(path);
  expect(await askedReader(path)).toMatchObject({ reader: "all", versions: new Map([["fsspec", "2024.2.0"]]) });
  await expect(askedReader(written("numpy 1.26.0\n"))).rejects.toThrow(/no package that Refscope knows as a reader/);
});

it("is not taken for a reader's name", async () => {
  expect(OPTIONS.reader.parse("xarray@2024.1.1")).toBe("xarray@2024.1.1");
  expect(await askedReader("xarray@2024.1.1")).toMatchObject({ reader: "xarray" });
  expect(() => OPTIONS.reader.parse("nobody@1")).toThrow(/expects one of/);
});
