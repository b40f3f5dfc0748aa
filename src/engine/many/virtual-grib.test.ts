/**
 * Virtual stores over GRIB messages, read whole through the engine: values as Python gives them, and what is said of
 * them.
 */
import { FLAGSHIP } from "#core/testing/flagship.ts";
import { withEqualChunks } from "#core/testing/equal-chunks.ts";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { explained } from "#core/findings/explain.ts";
import { finding, nodeAt } from "#core/findings/finding.ts";
import { parseSelection } from "#core/plane/selection.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import { chunkReference } from "../chunk/chunk-reference.ts";
import { createEngine } from "../engine.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { openFiles } from "../open/open-any.ts";
import { openLocal } from "../testing/open-files.ts";
import { droppedFiles } from "#io/local-files.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { readPart } from "./array-part.ts";
import { type FromThread, serveDecoding } from "./serve-decoding.ts";
import { readOne } from "./read-chunks.ts";

interface Expected {
  readonly file: string;
  readonly array: string;
  readonly expected: { readonly shape: readonly number[]; readonly dtype: string; readonly sha256: string };
}

const OURS = resolve(import.meta.dirname, "../fixtures/virtual-grib");
const MESSAGES = resolve(import.meta.dirname, "../../codecs/grib/fixtures/published.json");
const read = (path: string) => JSON.parse(readFileSync(path, "utf8")) as unknown;

function filesOf(folder: string): Readonly<Record<string, BlobPart>> {
  return Object.fromEntries(
    ["refs.json", "messages.grib2"].map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]),
  );
}

async function opened(files: Readonly<Record<string, BlobPart>>): Promise<EngineSet> {
  const dropped = Object.entries(files).map(([path, content]) => ({ path, blob: new Blob([content]) }));
  const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const answer = await openFiles(droppedFiles(dropped), opening);
  if (answer.kind !== "set") throw new Error(answer.title);
  return answer.set;
}

async function checkAll(folder: string, all: readonly Expected[]): Promise<void> {
  const sets = new Map<string, EngineSet>();
  for (const { file, array, expected } of all) {
    const name = file.replace("virtual/", "").replace("/refs.json", "");
    const set = sets.get(name) ?? (await opened(filesOf(join(folder, name))));
    sets.set(name, set);
    const node = arrayNode(set, array);
    const selection = parseSelection("...", node.metadata.shape);
    const { bytes, failed } = await readPart({ set, node, selection, cf: false }, CONTEXT);
    expect([...failed.values()]).toEqual([]);
    expect(hashOf(bytes, expected.dtype), `${name} ${array}`).toBe(expected.sha256);
  }
}

function hashOf(bytes: Uint8Array<ArrayBuffer>, dtype: string): string {
  const copy = bytes.slice();
  if (dtype.startsWith("float")) {
    const values = dtype === "float64" ? new Float64Array(copy.buffer) : new Float32Array(copy.buffer);
    for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) values[i] = NaN;
  }
  return createHash("sha256").update(copy).digest("hex");
}

describe("virtual stores over GRIB messages", () => {
  it("in the repository: every array", async () => {
    const all = read(join(OURS, "expected.json")) as readonly Expected[];
    expect(all).toHaveLength(23);
    await checkAll(OURS, all);
  });

  it.skipIf(!existsSync(join(FLAGSHIP, "cases.json")))(`beside the project (${FLAGSHIP}): every array`, async () => {
    const cases = read(join(FLAGSHIP, "cases.json")) as readonly (Expected & { readonly kind: string })[];
    const all = cases.filter(({ kind }) => kind === "refs");
    expect(all).toHaveLength(33);
    await checkAll(join(FLAGSHIP, "virtual"), all);
  });
});

describe("a chunk of which gribberish gives other values", () => {
  const { messages } = read(MESSAGES) as { readonly messages: Readonly<Record<string, string>> };
  const zarray = {
    zarr_format: 3,
    node_type: "array",
    shape: [19, 36],
    data_type: "float64",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [19, 36] } },
    chunk_key_encoding: { name: "default" },
    fill_value: "NaN",
    codecs: [{ name: "gribberish", configuration: { var: "TMP", north_up: true } }],
  };
  const document = (message: string) => ({
    "refs.json": JSON.stringify({
      "t/zarr.json": JSON.stringify(zarray),
      "t/c/0/0": `base64:${messages[message] ?? ""}`,
    }),
  });
  const said = (problem: string, gives: string) => ({
    code: "gribberish-differs",
    place: { kind: "chunk", array: "t", coordinates: [0, 0] },
    facts: { problem, gives },
  });

  it.each([
    ["constant-simple.grib2", "constant", "zeros"],
    ["bitmap-all-missing.grib2", "no-values", "zeros"],
    ["complex-8.grib2", "complex", "others"],
    ["png-8.grib2", "png", "error"],
    ["ieee-32.grib2", "template", "error"],
  ])("says so: %s", async (message, problem, gives) => {
    const engine = createEngine();
    const set = await openLocal(engine, document(message));
    const reading = await engine.call("chunk.read", { set, array: "t", coordinates: [0, 0] }, CONTEXT);
    expect(reading).toMatchObject({ outcome: "ok", findings: [said(problem, gives)] });
  });

  it("says so too where many chunks are read, and nothing where it gives the same", async () => {
    const findingsOf = async (message: string) => {
      const set = await opened(document(message));
      const chunk = await chunkReference(set, arrayNode(set, "t"), [0, 0], CONTEXT);
      return (await readOne({ set }, chunk, CONTEXT)).findings;
    };
    expect(await findingsOf("constant-simple.grib2")).toMatchObject([said("constant", "zeros")]);
    expect(await findingsOf("bitmap-simple.grib2")).toEqual([]);
  });

  it("says so from a thread of its own", async () => {
    const set = await opened(document("constant-simple.grib2"));
    const heard: FromThread[] = [];
    const send = serveDecoding((message) => heard.push(message));
    const stored = new Uint8Array(Buffer.from(messages["constant-simple.grib2"] ?? "", "base64"));
    send({ id: 1, metadata: withEqualChunks(arrayNode(set, "t").metadata), stored });
    await expect.poll(() => heard.length).toBe(2);
    expect(heard[1]).toMatchObject({ kind: "decoded", remarks: [{ code: "gribberish-differs" }] });
  });

  it.each(["constant", "no-values", "complex", "groups", "png", "few-bits", "template", "earth"] as const)(
    "is explained in sentences: %s",
    (problem) => {
      const facts = { codec: "gribberish", template: 3, problem, gives: "others", reference: 1.5 } as const;
      const { message } = explained(finding("gribberish-differs", nodeAt("t"), facts));
      expect(message).toMatch(/^[A-Z].*gribberish.*\.$/);
    },
  );
});
