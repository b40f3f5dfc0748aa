/** Which findings have one cause, and how far it reaches. */
import type { Code } from "./catalogue/index.ts";
import { chunkIn, nodeOf } from "./fact.ts";
import type { ArrayExtent, Extent, Finding, Place } from "./fact.ts";

/** Facts by these names distinguish two causes of one code; all others may differ from chunk to chunk. */
// oxfmt-ignore
const TELLING = [
  "status", "codec", "configuration", "host", "scheme", "member", "attribute", "problem", "python", "name",
  "dimension", "template", "rule",
];

/** A store has lost objects for one reason, whichever they are; a copy of its metadata is out of date as a whole. */
// oxfmt-ignore
const OF_OBJECTS: ReadonlySet<string> = new Set([
  "native-object-missing", "native-object-short", "native-object-long", "consolidated-metadata-differs",
  "consolidated-lacks-array",
] satisfies Code[]);

/**
 * The same for findings of the same code and cause: by array for chunks and keys, by host for URLs, and by those facts
 * that tell causes apart.
 */
export function causeOf({ code, place, facts }: Pick<Finding, "code" | "place" | "facts">): string {
  const telling = TELLING.map((name) => facts[name]).filter((fact) => fact !== undefined);
  const where = OF_OBJECTS.has(code) ? "objects" : whereabouts(place);
  return JSON.stringify([code, where, ...telling], (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
}

function whereabouts(place: Place): string {
  switch (place.kind) {
    case "chunk":
    case "shard":
      return `node ${nodeOf(place) ?? ""}`;
    case "node":
      return `node ${place.path} ${place.pointer ?? ""}`;
    case "key":
      return `key ${parentOfKey(place.key)}`;
    case "target":
      return `host ${hostOf(place.target) ?? place.target}`;
    case "text":
      return `text ${place.start}`;
    case "gen":
      return `gen ${place.index} ${place.field ?? ""}`;
    case "snapshot":
      return `snapshot ${place.id}`;
    case "set":
      return "set";
  }
}

/** `sst` for `sst/0.0.1`, `sst/0/0/1`, `sst/c/0/0/1`; metadata keys stand for themselves. */
export function parentOfKey(key: string): string {
  const chunk = /^(.*?)(?:^|\/)(?:c(?:\/|\.|$))?-?\d+(?:[./]-?\d+)*$/s.exec(key);
  return chunk?.[1] ?? key;
}

function hostOf(target: string): string | undefined {
  const url = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(target);
  return url?.[1] === "" ? undefined : url?.[0];
}

const MAX_ARRAYS = 1000;
const MAX_LISTED_ARRAYS = 20;

/** Grows with each finding; never larger than a thousand boxes. */
export class ExtentCounter {
  readonly #boxes = new Map<string, { chunks: number; from: number[]; to: number[] }>();
  #more = 0;

  add({ place, extent, count }: Finding): void {
    if (extent !== undefined) {
      for (const box of extent.arrays) this.#include(box);
      this.#more += extent.moreArrays;
      return;
    }
    const chunk = chunkIn(place);
    if (chunk !== undefined) {
      const { array, coordinates } = chunk;
      this.#include({ array, chunks: count, from: coordinates, to: coordinates });
    }
  }

  #include({ array, chunks, from, to }: ArrayExtent): void {
    const box = this.#boxes.get(array);
    if (box === undefined) {
      if (this.#boxes.size >= MAX_ARRAYS) this.#more += 1;
      else this.#boxes.set(array, { chunks, from: [...from], to: [...to] });
      return;
    }
    box.chunks += chunks;
    for (const [axis, at] of from.entries()) box.from[axis] = Math.min(box.from[axis] ?? at, at);
    for (const [axis, at] of to.entries()) box.to[axis] = Math.max(box.to[axis] ?? at, at);
  }

  extent(): Extent | undefined {
    if (this.#boxes.size === 0) return undefined;
    const arrays = [...this.#boxes].map(([array, box]) => ({ array, ...box }));
    const listed = arrays.toSorted((a, b) => b.chunks - a.chunks).slice(0, MAX_LISTED_ARRAYS);
    return { arrays: listed, moreArrays: arrays.length - listed.length + this.#more };
  }
}
