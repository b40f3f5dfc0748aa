/**
 * What is handed on is what is read: every dataset below some folders, by every way out, array by array. What a way leaves
 * out it names, with exit code 1, and its metadata are left out too. REFSCOPE_LAW names other folders, with commas.
 */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "./commands.ts";
import { candidatesIn, lawOf, WAYS } from "./testing/handed-on.ts";
import { ROOT } from "./testing/run-command.ts";

const FOLDERS = (process.env["REFSCOPE_LAW"] ?? "public/samples,corpus/gdal-zarr-v2-all/order_f_u1_3d.zarr").split(",");

/** Commands that hand no dataset on. */
const OTHERS = "check info doctor open digest read history compare preflight capsule render explain completion".split(
  " ",
);

describe("what is handed on", () => {
  it("has a way for every command that hands a dataset on", () => {
    const ways = new Set([...Object.keys(WAYS).flatMap((way) => way.split(" ")[0] ?? []), ...OTHERS]);
    expect(Object.keys(COMMANDS).filter((command) => !ways.has(command))).toEqual([]);
  });

  it("is what is read", { timeout: 3_600_000 }, async () => {
    const law = await lawOf(FOLDERS.flatMap((folder) => candidatesIn(resolve(ROOT, folder))));
    const out = process.env["REFSCOPE_LAW_OUT"];
    if (out !== undefined) writeFileSync(out, JSON.stringify(law, null, 1));
    expect(law.different).toEqual([]);
    expect(law.arrays).toBeGreaterThan(0);
  });
});
