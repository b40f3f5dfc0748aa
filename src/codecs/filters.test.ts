/** Filters and checksums against what numcodecs and imagecodecs decode, or refuse (fixtures/README.md). */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { RefscopeError } from "../core/findings/finding.ts";
import type { JsonValue } from "../core/json/json.ts";
import { parseJson } from "../core/json/parse-json.ts";
import { LOADED } from "./testing/loaded-codecs.ts";

interface Recorded {
  readonly name: string;
  readonly id: string;
  readonly configuration: object;
  readonly stored: string;
  /** Or that Python refuses. */
  readonly decoded: string | null;
}

const path = resolve(import.meta.dirname, "fixtures/filters.json");
const recorded = JSON.parse(readFileSync(path, "utf8")) as readonly Recorded[];

const OUTLINE = {
  dataType: { kind: "void", itemSize: 1, byteOrder: "none", text: "|V1" },
  chunkShape: [],
  elements: 1,
} as const;

async function decode({ id, configuration }: Recorded, stored: Uint8Array<ArrayBuffer>, limit: number) {
  const members: JsonValue = parseJson(JSON.stringify(configuration)).value;
  const step = LOADED.findV2(id)!.prepare(members as ReadonlyMap<string, JsonValue>, OUTLINE);
  return step.decode(stored, limit, new AbortController().signal);
}

const CODES = ["codec-configuration", "decode-failed", "checksum-mismatch"];

describe("filters as Python decodes them", () => {
  it.each(recorded)("$name", async (example) => {
    const stored = new Uint8Array(Buffer.from(example.stored, "base64"));
    const before = stored.slice();
    const decoded = await decode(example, stored, 4096).catch((error: unknown) => error);
    expect(stored).toEqual(before);
    if (example.decoded === null) {
      expect(decoded).toBeInstanceOf(RefscopeError);
      expect(CODES).toContain((decoded as RefscopeError).code);
      return;
    }
    if (decoded instanceof Error) throw decoded;
    expect(Buffer.from(decoded as Uint8Array).toString("base64")).toBe(example.decoded);
  });

  it("covers each codec, both ways", () => {
    const ids = "adler32 astype base64 bitround categorize crc32 crc32c delta FITSAscii fixedscaleoffset fletcher32";
    const more = "imagecodecs_delta imagecodecs_floatpred jenkins_lookup3 packbits quantize record_member shuffle";
    for (const id of `${ids} ${more}`.split(" ")) {
      const held = recorded.filter((example) => example.id === id);
      expect(held.some(({ decoded }) => decoded === null)).toBe(true);
      expect(held.some(({ decoded }) => decoded !== null)).toBe(true);
    }
  });

  it("never gives more bytes than the limit", async () => {
    const growing = recorded.filter(({ stored, decoded }) => decoded !== null && decoded.length > stored.length);
    const ids = new Set(growing.map(({ id }) => id));
    expect([...ids]).toEqual(expect.arrayContaining(["astype", "delta", "fixedscaleoffset", "packbits", "categorize"]));
    for (const example of growing) {
      const stored = new Uint8Array(Buffer.from(example.stored, "base64"));
      const limit = Buffer.from(example.decoded!, "base64").length;
      expect(await decode(example, stored, limit)).toHaveLength(limit);
      await expect(decode(example, stored, limit - 1)).rejects.toThrow(
        expect.objectContaining({ code: "decode-too-large" }),
      );
    }
  });
});
