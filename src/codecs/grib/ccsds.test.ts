/** Messages in CCSDS packing (template 5.42), as eccodes reads them, and as gribberish should. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { RefscopeError } from "#core/findings/finding.ts";
import type { JsonValue } from "#core/json/json.ts";
import { flagshipBytes, flagshipCases, type FlagshipCase } from "#core/testing/flagship.ts";
import { LOADED } from "../testing/loaded-codecs.ts";
import { gribSections } from "./sections.ts";

interface Recorded {
  readonly name: string;
  readonly configuration: Record<string, JsonValue>;
  readonly message: string;
  readonly sha256: string;
  /** Values in the order of the message. */
  readonly unflagged: string;
}

interface GribCase extends FlagshipCase {
  readonly codecs: readonly { readonly configuration?: Record<string, JsonValue> }[];
  readonly packing?: { readonly template: number };
  readonly expected?: { readonly sha256: string };
}

const path = resolve(import.meta.dirname, "fixtures/ccsds.json");
const recorded = JSON.parse(readFileSync(path, "utf8")) as readonly Recorded[];
const flagship = (flagshipCases("grib2-gribberish") as readonly GribCase[]).filter(
  ({ packing }) => packing?.template === 42,
);

const outline = {
  dataType: { kind: "float", itemSize: 8, byteOrder: "little", text: "<f8" },
  chunkShape: [1],
  elements: 1,
} as const;

async function decode(id: string, message: Uint8Array, configuration: Record<string, JsonValue>, limit = 1e6) {
  const codec = LOADED.findV2(id);
  if (codec === undefined) throw new Error(`no codec ${id}`);
  const step = codec.prepare(new Map(Object.entries(configuration)), outline);
  return step.decode(new Uint8Array(message), limit, new AbortController().signal);
}

function hash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function messageOf(name: string): Uint8Array {
  const one = recorded.find((each) => each.name === name);
  if (one === undefined) throw new Error("the fixture is gone");
  return new Uint8Array(Buffer.from(one.message, "base64"));
}

/** With an octet of section 5 changed, as FM 92 counts them. */
function changed(message: Uint8Array, octet: number, value: number): Uint8Array {
  const section = gribSections(message).sections.find(({ number }) => number === 5);
  const copy = new Uint8Array(message);
  copy[(section?.offset ?? 0) + octet - 1] = value;
  return copy;
}

async function factsOf(message: Uint8Array, limit?: number) {
  const error = await decode("grib", message, { var: "t", dtype: "float64" }, limit).catch((reason: unknown) => reason);
  if (error instanceof RefscopeError) return { code: error.code, ...error.finding?.facts };
  throw new Error("expected a RefscopeError", { cause: error });
}

describe("CCSDS packing", () => {
  it.each(recorded)("$name, bit for bit", async ({ message, configuration, sha256, unflagged }) => {
    const bytes = new Uint8Array(Buffer.from(message, "base64"));
    expect(hash(await decode("gribberish", bytes, configuration))).toBe(sha256);
    expect(hash(await decode("grib", bytes, { var: "t", dtype: "float64" }))).toBe(unflagged);
  });

  it.skipIf(flagship.length === 0)("all recorded messages beside the project", async () => {
    expect(flagship.length).toBeGreaterThanOrEqual(19);
    for (const one of flagship) {
      const values = await decode("gribberish", flagshipBytes(one), { ...one.codecs[0]?.configuration });
      expect(hash(values), one.id).toBe(one.expected?.sha256);
    }
  });

  it("says what is wrong in which section", async () => {
    const message = messageOf("ccsds-8-j32-r128-f14");
    const section7 = "section 7 (data)";
    expect(await factsOf(changed(message, 23, 0))).toMatchObject({ section: section7, found: "blocks of 0" });
    expect(await factsOf(changed(message, 20, 40))).toMatchObject({ section: section7, found: "40 bits" });
    expect(await factsOf(changed(message, 20, 24))).toMatchObject({ code: "decode-failed", section: section7 });
    expect(await factsOf(changed(message, 6, 255))).toMatchObject({ code: "decode-too-large" });
    expect(await factsOf(changed(message, 6, 1), 2 ** 28)).toMatchObject({
      code: "decode-failed",
      found: expect.stringContaining("the end of the data") as string,
    });
  });

  it("damage ends in values or an error that says so", async () => {
    let state = 1;
    const random = (below: number) => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff) % below;
    for (let round = 0; round < 300; round++) {
      const { message, configuration } = recorded[round % recorded.length] as Recorded;
      const bytes = new Uint8Array(Buffer.from(message, "base64"));
      for (let i = 0; i <= round % 3; i++) bytes[random(bytes.length)] = random(256);
      const result = await decode("gribberish", bytes, configuration).catch((error: unknown) => error);
      if (result instanceof Uint8Array) expect(result.length).toBeLessThanOrEqual(1e6);
      else expect(result).toBeInstanceOf(RefscopeError);
    }
  });
});
