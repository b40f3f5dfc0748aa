import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { explained } from "#core/findings/explain.ts";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { openFiles } from "#engine/open/open-any.ts";
import { droppedFiles } from "#io/local-files.ts";
import { checkSet } from "../check-set.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");
const { refs } = JSON.parse(readFileSync(join(FIXTURES, "refs.json"), "utf8")) as { refs: Record<string, unknown> };
const data = new Blob([readFileSync(join(FIXTURES, "data.grib2"))]);
const inline = (values: readonly number[]) =>
  `base64:${Buffer.from(Float64Array.from(values).buffer).toString("base64")}`;

/** Warnings and errors of a check of the targets, with these entries in place of the right ones. */
async function alarms(changed: Record<string, unknown>): Promise<readonly string[]> {
  const document = {
    path: "refs.json",
    blob: new Blob([JSON.stringify({ version: 1, refs: { ...refs, ...changed } })]),
  };
  const network = { http: { fetch: () => Promise.reject(new Error("There is no network.")), attempts: 1 } };
  const opening = { locations: NO_LOCATIONS, network, options: {}, context: CONTEXT };
  const opened = await openFiles(droppedFiles([document, { path: "data.grib2", blob: data }]), opening);
  if (opened.kind !== "set") throw new Error(opened.title);
  const { findings } = await checkSet(opened.set, { decoder: inThread, sources: { limit: 10, isHere: true } }, CONTEXT);
  return findings.flatMap((found) => {
    const { severity, message } = explained(found);
    return severity === "info" ? [] : [`${found.code}: ${message}`];
  });
}

it("messages that are where their keys say are silent", async () => expect(await alarms({})).toEqual([]));

it("two messages in each other's place are the fault of their references", async () => {
  const exchanged = { "t2m/1.0.0": refs["t2m/2.0.0"], "t2m/2.0.0": refs["t2m/1.0.0"] };
  expect(await alarms(exchanged)).toEqual([
    "message-elsewhere: The references of chunks 2.0.0 and 1.0.0 of t2m are exchanged: the message of the first says step 6 hours, where 12 hours belongs, and that of the second the other way round.",
  ]);
});

it("a step that messages and times of validity contradict is the coordinate's fault", async () => {
  expect(await alarms({ "step/0": inline([0, 360, 720, 1080]) })).toEqual([
    "statements-disagree: At position 1 step says 360, valid_time − time says 6 (hours). The unit says hours where minutes are meant: 60 times too long. The GRIB messages of t2m agree with valid_time − time.",
  ]);
});

it("latitudes that run against those of the messages are upside down", async () => {
  const latitudes = Array.from({ length: 10 }, (_, at) => 42 + 2 * at);
  expect(await alarms({ "latitude/0": inline(latitudes) })).toMatchObject([/run in opposite directions/]);
});

it("holds parameter and units of an array against all of its messages", async () => {
  const attributes = JSON.parse(String(refs["t2m/.zattrs"])) as object;
  const changed = (more: object) => alarms({ "t2m/.zattrs": JSON.stringify({ ...attributes, ...more }) });
  expect(await changed({ GRIB_paramId: 151 })).toEqual([
    "statements-disagree: GRIB_paramId says 151 (msl), the GRIB messages of t2m say t2m.",
  ]);
  expect(await changed({ GRIB_paramId: 260_074 })).toEqual([]);
  expect(await changed({ units: "degC" })).toMatchObject([/units says degC, the GRIB messages of t2m say K/]);
});
