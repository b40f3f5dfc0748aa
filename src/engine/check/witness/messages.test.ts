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
async function alarms(changed: Record<string, unknown>, messages = data): Promise<readonly string[]> {
  const document = {
    path: "refs.json",
    blob: new Blob([JSON.stringify({ version: 1, refs: { ...refs, ...changed } })]),
  };
  const network = { http: { fetch: () => Promise.reject(new Error("There is no network.")), attempts: 1 } };
  const opening = { locations: NO_LOCATIONS, network, options: {}, context: CONTEXT };
  const opened = await openFiles(droppedFiles([document, { path: "data.grib2", blob: messages }]), opening);
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

/** The message, with a mean over hours since its reference time in place of what was at one time (template 4.8). */
function overHours(message: Buffer, from: number, to: number): Buffer {
  let [at, reference] = [16, 0];
  while (message[at + 4] !== 4) {
    const time = (place: number, size: number) => message.readUIntBE(at + 12 + place, size);
    if (message[at + 4] === 1) reference = Date.UTC(time(0, 2), time(2, 1) - 1, time(3, 1), time(4, 1));
    at += message.readUInt32BE(at);
  }
  const [head, product] = [Buffer.from(message.subarray(0, at)), Buffer.alloc(58)];
  message.copy(product, 0, at, at + 34);
  product.writeUInt32BE(58, 0);
  product.writeUInt16BE(8, 7);
  product.writeUInt32BE(from, 18);
  const end = new Date(reference + to * 3_600_000);
  product.writeUInt16BE(end.getUTCFullYear(), 34);
  product.set([end.getUTCMonth() + 1, end.getUTCDate(), end.getUTCHours(), 0, 0, 1], 36);
  const whole = Buffer.concat([head, product, message.subarray(at + 34)]);
  whole.writeBigUInt64BE(BigInt(whole.length), 8);
  return whole;
}

it("an interval that begins with the forecast again is of another kind than those before", async () => {
  const file = readFileSync(join(FIXTURES, "data.grib2"));
  const places = [0, 1, 2, 3].map((step) => refs[`t2m/${step}.0.0`] as readonly [string, number, number]);
  const of = (...intervals: readonly (readonly [from: number, to: number])[]) => {
    const parts = intervals.map(([from, to], at) => {
      const [, start, length] = places[at] ?? ["", 0, 0];
      return overHours(file.subarray(start, start + length), from, to);
    });
    const starts = parts.map((_, at) => parts.slice(0, at).reduce((sum, { length }) => sum + length, 0));
    const changed = parts.map(({ length }, at) => [`t2m/${at}.0.0`, ["data.grib2", starts[at], length]]);
    return alarms(Object.fromEntries(changed) as Record<string, unknown>, new Blob([Buffer.concat(parts)]));
  };
  expect(await of([0, 0], [0, 6], [6, 12], [12, 18])).toEqual([]);
  expect(await of([0, 0], [0, 6], [0, 12], [0, 18])).toEqual([]);
  expect(await of([0, 0], [0, 6], [0, 12], [12, 18])).toEqual([]);
  expect(await of([0, 0], [0, 6], [6, 12], [0, 18])).toEqual([
    "message-elsewhere: 1 of 4 messages that t2m refers to belongs to another place: the first says stepRange 0-18, where 12-18 belongs.",
  ]);
});
