/** Reference sets made in memory, to be damaged: references and the files that they point into. */
import { withEqualChunks } from "#core/testing/equal-chunks.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { hostLimit } from "#io/http/host-limit.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { openAny } from "#engine/open/open-any.ts";
import { chunkReference } from "#engine/chunk/chunk-reference.ts";
import { arrayNode } from "#engine/engine-set.ts";
import { decodeChunk } from "#engine/chunk/decode-chunk.ts";
import { loadTrial, trialMetadata } from "#engine/repair/trial-metadata.ts";
import type { Trial } from "#core/check/lab.ts";

export type RangeReference = readonly [url: string, offset: number, length: number];
export type References = Readonly<Record<string, string | RangeReference>>;

export interface ArrayDocument {
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly dtype: string;
  readonly filters: readonly Readonly<Record<string, string | number>>[] | null;
  readonly compressor: Readonly<Record<string, string | number>> | null;
  readonly fill_value: unknown;
  readonly order: string;
  readonly zarr_format: number;
}

export interface MadeSet {
  readonly references: References;
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

export const context = () => ({ signal: new AbortController().signal, report: () => undefined });

export async function openMade({ references, files }: MadeSet): Promise<EngineSet> {
  const document = { path: "set.json", blob: new Blob([JSON.stringify({ version: 1, refs: references })]) };
  const targets = [...files].map(([path, bytes]) => ({ path, blob: new Blob([bytes]) }));
  const source = { kind: "files", files: [document, ...targets] } as const;
  const opened = await openAny(source, {
    locations: NO_LOCATIONS,
    network: { http: { limit: hostLimit() } },
    options: { choice: "set.json" },
    context: context(),
  });
  if (opened.kind !== "set") throw new Error("The set was not recognised.");
  return opened.set;
}

export function documentOf({ references }: MadeSet, array: string): ArrayDocument {
  return JSON.parse(references[`${array}/.zarray`] as string) as ArrayDocument;
}

export function withDocument(set: MadeSet, array: string, changes: Partial<ArrayDocument>): MadeSet {
  const document = JSON.stringify({ ...documentOf(set, array), ...changes });
  return { ...set, references: { ...set.references, [`${array}/.zarray`]: document } };
}

export function withReference(set: MadeSet, key: string, reference: RangeReference): MadeSet {
  return { ...set, references: { ...set.references, [key]: reference } };
}

/** A chunk's bytes replaced by others, which are put after the end of its file, between bytes of something else. */
export function withBytes(set: MadeSet, key: string, bytes: Uint8Array): MadeSet {
  const [url] = set.references[key] as RangeReference;
  const file = set.files.get(url) ?? new Uint8Array();
  const gap = 96;
  const whole = new Uint8Array(file.length + gap + bytes.length + gap);
  whole.set(file);
  for (let at = file.length; at < whole.length; at++) whole[at] = (at * 37) & 255;
  whole.set(bytes, file.length + gap);
  const files = new Map([...set.files, [url, whole]]);
  return { files, references: { ...set.references, [key]: [url, file.length + gap, bytes.length] } };
}

export function storedBytes({ references, files }: MadeSet, key: string): Uint8Array {
  const [url, offset, length] = references[key] as RangeReference;
  return files.get(url)?.subarray(offset, offset + length) ?? new Uint8Array();
}

/** Little-endian bytes of the chunk's values in C order, read as a trial says; `undefined` where that fails. */
export async function valuesOf(
  set: EngineSet,
  array: string,
  coordinates: readonly number[],
  trial: Trial = {},
): Promise<Uint8Array | undefined> {
  const node = arrayNode(set, array);
  const chunk = await chunkReference(set, node, coordinates, context());
  const loaded = await loadTrial(set, chunk, trial, context());
  if (loaded.kind !== "bytes") return undefined;
  const decoded = await decodeChunk(
    trialMetadata(withEqualChunks(node.metadata), trial),
    loaded.bytes,
    context().signal,
  );
  return decoded.error === undefined ? decoded.values?.bytes : undefined;
}

/** Keys of chunks with a range, with their array and coordinates. */
export function rangedChunks({
  references,
}: MadeSet): readonly { key: string; array: string; coordinates: number[] }[] {
  return Object.entries(references).flatMap(([key, reference]) => {
    if (typeof reference === "string" || reference.length !== 3) return [];
    const cut = key.lastIndexOf("/");
    return [
      {
        key,
        array: key.slice(0, cut),
        coordinates: key
          .slice(cut + 1)
          .split(".")
          .map(Number),
      },
    ];
  });
}
