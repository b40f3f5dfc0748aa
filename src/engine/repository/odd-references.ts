/** Virtual chunks of a page that are recorded without a checksum, or lie in no container: how many, and which first. */
import { coordinatesOf } from "../../core/chunk-grid.ts";
import { finding, type Finding } from "../../core/findings/finding.ts";
import { chunkAt, nodeAt, targetAt, type ChunkPlace, type Place } from "../../core/findings/place.ts";
import type { ChunkColumns } from "../../formats/icechunk/references.ts";
import { OrdinalBox } from "../table/ordinal-box.ts";

const MAX_PLACES = 100;
/** Hosts that are told apart; all further ones count as the last. */
const MAX_HOSTS = 200;

interface Host {
  readonly host: string;
  readonly url: string;
  readonly chunks: Chunks | undefined;
}

export interface OddReferences {
  /** A location that no container covers; `entry`: its place in the columns. */
  uncontained(columns: ChunkColumns, entry: number, url: string): void;
  /** A virtual chunk inside the grid. */
  chunk(columns: ChunkColumns, entry: number, ordinal: number, isRecorded: boolean): void;
  findings(): readonly Finding[];
}

export function oddReferences(path: string, grid: readonly number[] | undefined): OddReferences {
  const chunks = () => (grid === undefined ? undefined : new Chunks(path, grid));
  const unrecorded = chunks();
  const hosts = new Map<string, number>();
  const list: Host[] = [];
  /** By entry: 1 + the host that no container covers. */
  const marks = new Map<ChunkColumns, Uint16Array>();
  return {
    uncontained(columns, entry, url) {
      const host = /^[a-z][a-z\d+.-]*:\/\/[^/]*\/?/i.exec(url)?.[0] ?? url;
      let at = hosts.get(host);
      if (at === undefined && list.length < MAX_HOSTS) {
        at = list.push({ host, url, chunks: chunks() }) - 1;
        hosts.set(host, at);
      }
      const own = marks.get(columns) ?? new Uint16Array(columns.entries.count);
      marks.set(columns, own);
      own[entry] = 1 + (at ?? list.length - 1);
    },
    chunk(columns, entry, ordinal, isRecorded) {
      if (!isRecorded) unrecorded?.add(ordinal);
      if (marks.size === 0) return;
      const host = list[(marks.get(columns)?.[entry] ?? 0) - 1];
      host?.chunks?.add(ordinal);
    },
    findings: () => [
      ...(unrecorded?.found((places) => finding("icechunk-no-checksum", places[0] ?? nodeAt(path), {})) ?? []),
      ...list.flatMap(({ host, url, chunks }) => {
        const alone = finding("icechunk-no-container", targetAt(url), { host });
        const found = chunks?.found(() => alone) ?? [];
        return found.length === 0 ? [alone] : found;
      }),
    ],
  };
}

class Chunks {
  readonly #path: string;
  readonly #grid: readonly number[];
  readonly #box: OrdinalBox;
  readonly #first: number[] = [];

  constructor(path: string, grid: readonly number[]) {
    [this.#path, this.#grid, this.#box] = [path, grid, new OrdinalBox(grid)];
  }

  add(ordinal: number): void {
    this.#box.add(ordinal);
    if (this.#first.length < MAX_PLACES) this.#first.push(ordinal);
  }

  /** Nothing where there are none. */
  found(make: (chunks: readonly ChunkPlace[]) => Finding): readonly Finding[] {
    const { chunks } = this.#box;
    if (chunks === 0) return [];
    const places = this.#first.map((ordinal) => chunkAt(this.#path, coordinatesOf(this.#grid, ordinal)));
    const made = make(places);
    const { place } = made;
    const all: readonly Place[] = place.kind === "target" ? places.map((chunk) => ({ ...place, chunk })) : places;
    const extent = { arrays: [this.#box.extent(this.#path)], moreArrays: 0 };
    return [{ ...made, place: all[0] ?? place, count: chunks, extent, ...(all.length > 1 ? { places: all } : {}) }];
  }
}
