import { openAsBlob, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Trial } from "#core/check/lab.ts";
import type { ChunkVerdict, RepairCheck } from "#core/repair-offer.ts";
import { isDeep } from "#core/testing/runs.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { createEngine } from "../engine.ts";
import { applyTextEdits } from "../edit/text-edits.ts";

const samples = resolve(import.meta.dirname, "../../../public/samples");
const context = () => ({ signal: new AbortController().signal, report: () => undefined });

type Refs = Record<string, unknown>;

async function openFiles(document: string, files: readonly { readonly path: string; readonly blob: Blob }[]) {
  const engine = createEngine();
  const set = { path: "set.json", blob: new Blob([document]) };
  const source = { kind: "files", files: [set, ...files] } as const;
  const answer = await engine.call("set.open", { source, locations: NO_LOCATIONS }, context());
  if (answer.kind !== "set") throw new Error("asked to choose");
  return { engine, set: answer.set.id };
}

type Opened = Awaited<ReturnType<typeof openFiles>>;

async function openOcean(damage: (refs: Refs) => void = () => undefined, name = "ocean.v1.json"): Promise<Opened> {
  const document = JSON.parse(readFileSync(join(samples, name), "utf8")) as { refs: Refs };
  damage(document.refs);
  const files = ["ocean-a.nc", "ocean-b.nc"].map(async (path) => ({
    path,
    blob: await openAsBlob(join(samples, path)),
  }));
  return openFiles(JSON.stringify(document), await Promise.all(files));
}

const verdicts = ({ chunks }: RepairCheck): Partial<Record<ChunkVerdict, number>> => {
  const counts: Partial<Record<ChunkVerdict, number>> = {};
  for (const { verdict } of chunks) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
};

async function apply({ engine, set }: Opened, check: RepairCheck) {
  const { text } = await engine.call("edit.source", { set }, context());
  let edited = text;
  for (const edit of check.edits) {
    edited = applyTextEdits(edited, await engine.call("edit.textEdits", { text: edited, edit }, context()));
  }
  const answer = await engine.call("edit.render", { set, text: edited, edits: [] }, context());
  const again = await engine.call(
    "repair.readAgain",
    { set: answer.set!.id, array: check.chunks[0]!.key.split("/")[0]!, chunks: check.chunks },
    context(),
  );
  return {
    again,
    read: (at: readonly number[]) =>
      engine.call("chunk.read", { set: answer.set!.id, array: "sst", coordinates: at }, context()),
  };
}

describe("a repair for an array", () => {
  it("that puts one chunk right and spoils the others is not offered", async () => {
    const ocean = await openOcean(undefined, "ocean-broken.json");
    const check = await ocean.engine.call(
      "repair.check",
      { set: ocean.set, array: "sst", coordinates: [0, 0, 1], trial: { shift: -7 } },
      context(),
    );
    expect(check.chunks[0]).toMatchObject({ key: "sst/0.0.1", verdict: "better" });
    expect(check.of).toBe(check.chunks.length);
    expect(verdicts(check).better).toBe(1);
    expect(verdicts(check).worse).toBeGreaterThan(45);
    expect(check.refused).toBe("worse");
    expect(check.ranges).toMatchObject({ examples: [{ key: "sst/0.0.1" }, {}, {}] });
    expect(check.ranges?.examples[0]?.before).toContain("25226");
    expect(check.ranges?.examples[0]?.after).toContain("25219");
  });

  it("that is right is offered, previewed member by member, and reads so afterwards", async () => {
    const ocean = await openOcean((refs) => {
      refs["sst/.zarray"] = String(refs["sst/.zarray"]).replace('"elementsize":2', '"elementsize":4');
    });
    const { suggestions } = await ocean.engine.call(
      "repair.suggest",
      { set: ocean.set, array: "sst", coordinates: [2, 0, 1] },
      context(),
    );
    const trial = suggestions[0]!.trial;
    const check = await ocean.engine.call(
      "repair.check",
      { set: ocean.set, array: "sst", coordinates: [2, 0, 1], trial },
      context(),
    );
    expect(check.refused).toBeUndefined();
    expect(verdicts(check).worse).toBeUndefined();
    expect(verdicts(check).better).toBeGreaterThan(40);
    expect(check.documents.find(({ key }) => key === "sst/.zarray")?.changes).toEqual([
      { path: "filters[0].elementsize", before: "4", after: "2" },
    ]);
    const { again } = await apply(ocean, check);
    expect(again).toEqual({ read: check.chunks.length, wrong: [] });
  });

  it("is said to be wrong where the edited set does not read as it was tried", async () => {
    const ocean = await openOcean();
    const check = await ocean.engine.call(
      "repair.check",
      { set: ocean.set, array: "sst", coordinates: [2, 0, 1], trial: { shift: 0 } },
      context(),
    );
    expect(verdicts(check).same).toBe(check.chunks.length);
    expect(check.refused).toBe("none-better");
    const shifted = { ...check, edits: [{ kind: "shift-ranges", path: "sst", shift: 1, lengthen: 0 } as const] };
    const { again } = await apply(ocean, { ...shifted, chunks: check.chunks.slice(0, 5) });
    expect(again.read).toBe(5);
    expect(again.wrong).toHaveLength(5);
    expect(again.wrong[0]?.found.kind).toBe("failed");
  });

  it("stops when the call is aborted", async () => {
    const ocean = await openOcean();
    const stop = new AbortController();
    let done = 0;
    const call = ocean.engine.call(
      "repair.check",
      { set: ocean.set, array: "sst", coordinates: [2, 0, 1], trial: { shift: 1 } },
      {
        signal: stop.signal,
        report: (progress) => {
          if (progress.unit === "chunks") done = progress.done;
          if (done === 5) stop.abort(new DOMException("Enough.", "AbortError"));
        },
      },
    );
    await expect(call).rejects.toThrow("Enough.");
    expect(done).toBeLessThan(12);
  });
});

describe("the sample", () => {
  /** One row of chunks of 64 numbers, all in one file; the raw ones are numbers that change slowly. */
  function rowOf(count: number, compressed: boolean) {
    const values = Float32Array.from({ length: count * 64 }, (_, at) => 280 + 12 * Math.sin(at / 23));
    const pieces = Array.from({ length: count }, (_, at) => {
      const bytes = new Uint8Array(values.slice(at * 64, at * 64 + 64).buffer);
      return compressed ? new Uint8Array(deflateSync(bytes)) : bytes;
    });
    const refs: Refs = {};
    let offset = 16;
    for (const [at, piece] of pieces.entries()) {
      refs[`a/${at}`] = ["data.bin", offset, piece.length];
      offset += piece.length;
    }
    const file = new Blob([new Uint8Array(16), ...pieces, new Uint8Array(16)]);
    const zarray = {
      zarr_format: 2,
      shape: [count * 64],
      chunks: [64],
      dtype: "<f4",
      compressor: compressed ? { id: "zlib", level: 1 } : null,
      filters: null,
      fill_value: 0,
      order: "C",
    };
    return { refs: { "a/.zarray": JSON.stringify(zarray), ...refs }, file };
  }

  async function check({ refs, file }: { refs: Refs; file: Blob }, at: number, trial: Trial) {
    const made = await openFiles(JSON.stringify(refs), [{ path: "data.bin", blob: file }]);
    return made.engine.call("repair.check", { set: made.set, array: "a", coordinates: [at], trial }, context());
  }

  it("is spread over the array, bounded, and says of how many", async () => {
    const made = rowOf(1000, true);
    const { chunks, of } = await check(made, 777, { shift: 3 });
    expect(of).toBe(1000);
    expect(chunks).toHaveLength(64);
    expect(chunks[0]?.coordinates).toEqual([777]);
    const places = chunks.map(({ coordinates }) => coordinates[0]!).toSorted((a, b) => a - b);
    const gaps = places.slice(1).map((place, at) => place - places[at]!);
    expect(new Set(places).size).toBe(64);
    expect([places[0]! < 16, places.at(-1)! > 970, Math.max(...gaps) <= 32]).toEqual([true, true, true]);
    const early = chunks.slice(1, 5).map(({ coordinates }) => Math.floor(coordinates[0]! / 250));
    expect(new Set(early).size).toBe(4);
  });

  it.runIf(isDeep)("ends at so many bytes, and says so", async () => {
    const made = rowOf(4, false);
    const elements = 24 * 1024;
    const length = 1024 * elements;
    const zarray = JSON.parse(made.refs["a/.zarray"]) as object;
    const refs: Refs = {
      "a/.zarray": JSON.stringify({ ...zarray, shape: [20 * elements], chunks: [elements], dtype: "|V1024" }),
    };
    for (let at = 0; at < 20; at += 1) refs[`a/${at}`] = ["data.bin", 1, length];
    const { chunks, of, stopped } = await check({ refs, file: new Blob([new Uint8Array(length + 2)]) }, 0, {
      shift: 1,
    });
    expect([of, stopped]).toEqual([20, "bytes"]);
    expect(chunks.length).toBeLessThan(8);
  });

  it("of raw numbers that were all read too late finds every chunk better", async () => {
    const made = rowOf(40, false);
    const late = Object.fromEntries(
      Object.entries(made.refs).map(([key, value]) =>
        Array.isArray(value) ? [key, [value[0], (value[1] as number) + 1, value[2]]] : [key, value],
      ),
    );
    const result = await check({ ...made, refs: late }, 3, { shift: -1 });
    expect([verdicts(result), result.refused]).toEqual([{ better: 40 }, undefined]);
    const spoilt = await check({ ...made, refs: { ...made.refs, "a/3": late["a/3"] } }, 3, { shift: -1 });
    expect([verdicts(spoilt), spoilt.refused]).toEqual([{ better: 1, worse: 39 }, "worse"]);
  });

  it("counts targets that cannot be reached as not read", async () => {
    const made = rowOf(5, true);
    const refs = Object.fromEntries(
      Object.entries(made.refs).map(([key, value]) =>
        Array.isArray(value) ? [key, ["s3://nowhere/x", value[1], value[2]]] : [key, value],
      ),
    );
    const result = await check({ ...made, refs }, 0, { shift: 1 });
    expect([verdicts(result), result.refused]).toEqual([{ unread: 5 }, "none-better"]);
  });
});
