/** Decoding against values recorded from zarr-python and numcodecs (fixtures/README.md). */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { undecodable } from "./pipeline.ts";
import { decodeCase, metadataOf, type RecordedCase as Case } from "./testing/recorded-cases.ts";

const root = resolve(import.meta.dirname, "../..");
const shared = resolve(root, process.env["REFSCOPE_SHARED"] ?? "../shared", "fixtures/codecs/cases.json");
const isPresent = existsSync(shared);
const read = (path: string) => JSON.parse(readFileSync(path, "utf8")) as readonly Case[];
const ours = read(resolve(import.meta.dirname, "fixtures/cases.json"));

/** Cases with a codec that Refscope has not; that there is none such of the known ones, a test below says. */
async function isInScope(example: Case): Promise<boolean> {
  return (await undecodable(metadataOf(example)))?.code !== "codec-unknown";
}

async function check(example: Case): Promise<void> {
  const { values, errors } = await decodeCase(example);
  if (example.error === true) {
    expect(errors.length).toBeGreaterThan(0);
    return;
  }
  expect(errors).toEqual([]);
  expect(values).toEqual(example.expected);
}

/** pickle is code: a reader that refuses it is right too (the fixtures' README). */
const isPickle = ({ name }: Case) => name === "o:pickle";

const inScope = new Set<Case>();
for (const example of ours) if (await isInScope(example)) inScope.add(example);

describe("chunks as zarr-python and numcodecs read them", () => {
  it.each(ours.filter((example) => inScope.has(example) && !isPickle(example)))("$name", check);

  it("refuses pickle", async () => {
    expect(new Set((await decodeCase(ours.find(isPickle)!)).errors)).toEqual(new Set(["pickle-refused"]));
  });

  it("has every codec but the one that does not exist", () => {
    const outOfScope = ours.filter((example) => !inScope.has(example)).map(({ name }) => name);
    expect(outOfScope).toEqual(["n:unknown codec"]);
  });

  it("names a codec it has not", async () => {
    const example = ours.find(({ name }) => name === "n:unknown codec")!;
    expect((await decodeCase(example)).errors).toEqual(["codec-unknown"]);
  });
});

describe.skipIf(!isPresent)(
  `the recorded cases beside the project (${isPresent ? "" : "skipped: no file "}${shared})`,
  () => {
    it("are those of the fixtures", () => {
      expect(ours).toEqual(read(shared));
    });
  },
);
