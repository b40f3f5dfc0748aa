/** zarrita over `zarrita()`: every numeric array that Python recorded, and that zarrita has a type for. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import * as zarr from "zarrita";
import { corpus, recordedIn } from "../core/testing/corpus.ts";
import { openEntry } from "../cli/testing/open-corpus.ts";
import { datasetOf } from "./dataset.ts";
import type { DecodedStore } from "./types.ts";

interface Recorded {
  readonly sha256_le_c_order?: string;
  readonly dtype?: string;
  readonly shape?: readonly number[];
}

type Recording = Readonly<Record<string, Readonly<Record<string, Recorded>>>>;

const counts = { right: 0, left: new Map<string, number>() };

async function hashOf(store: DecodedStore, path: string): Promise<string | undefined> {
  const array = await zarr.open.v2(zarr.root(store).resolve(`/${path}`), { kind: "array" });
  const { data } = array.shape.length === 0 ? await array.getChunk([]) : await zarr.get(array, null);
  if (!ArrayBuffer.isView(data)) return undefined;
  return createHash("sha256")
    .update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    .digest("hex");
}

function recordings(): [string, string, Readonly<Record<string, Recorded>>][] {
  return corpus.entries.flatMap((entry) =>
    Object.values(recordedIn<Recording>(entry) as unknown as Recording).flatMap((files) =>
      Object.entries(files as unknown as Record<string, Record<string, Recorded>>)
        .filter(([file]) => existsSync(join(corpus.folder, file)))
        .map(([file, arrays]): [string, string, Record<string, Recorded>] => [entry, file, arrays]),
    ),
  );
}

describe(corpus.title, () => {
  it.each(recordings())("%s: %s is read by zarrita as Python recorded it", async (entry, file, arrays) => {
    const set = await openEntry(entry, file).catch(() => undefined);
    if (set === undefined) return;
    const dataset = datasetOf(set);
    const wrong: string[] = [];
    for (const [path, { dtype = "", sha256_le_c_order: hash, shape = [] }] of Object.entries(arrays)) {
      // zarrita throws for an array without elements, whatever the store.
      if (shape.includes(0)) continue;
      if (hash === undefined || !/^[<>|][iuf]/.test(dtype) || !set.hierarchy.nodes.has(path)) continue;
      const found = await hashOf(dataset.zarrita(), path).catch((error: unknown) => String(error));
      if (found === hash) counts.right += 1;
      else {
        const own = await dataset
          .array(path)
          .read()
          .catch(() => undefined);
        const node = set.hierarchy.nodes.get(path);
        // For missing chunks without a fill value Python recorded whatever was in its memory.
        const isUndefined = node?.kind === "array" && node.metadata.fillValue === null && (own?.missing ?? 0) > 0;
        const isOurs = own !== undefined && own.failed.size === 0 && !isUndefined;
        if (isOurs) wrong.push(`${path} ${dtype}: ${String(found)}`);
        else counts.left.set(file, (counts.left.get(file) ?? 0) + 1);
      }
    }
    expect(wrong).toEqual([]);
  });

  afterAll(() => {
    const left = [...counts.left.values()].reduce((sum, one) => sum + one, 0);
    console.log(`zarrita: ${counts.right} arrays right, ${left} that are not decoded here`);
  });
});
