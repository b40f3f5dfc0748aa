/**
 * Chunks of a page whose references cannot be followed, and virtual ones that are recorded without a checksum or lie in no
 * container: how many, and which first.
 */
import { coordinatesOf } from "../../core/chunk-grid.ts";
import { finding, placed, type Finding } from "../../core/findings/finding.ts";
import { chunkAt, nodeAt, targetAt, type ChunkPlace, type Place } from "../../core/findings/place.ts";
import type { ChunkColumns } from "../../formats/icechunk/references.ts";
import { OrdinalBox } from "../table/ordinal-box.ts";

const MAX_PLACES = 100;
/** Hosts that are told apart; all further ones count as the last. */
const MAX_HOSTS = 200;
/** So are reasons. */
const MAX_REASONS = 50;

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
  /** A reference that cannot be followed, and why. */
  unusable(ordinal: number, reason: Finding): void;
  /** All rows are virtual chunks inside the grid. */
  chunks(columns: ChunkColumns): void;
  findings(): readonly Finding[];
}

interface Reason {
  readonly reason: Finding;
  readonly chunks: Chunks | undefined;
}

export function oddReferences(path: string, grid: readonly number[] | undefined): OddReferences {
  const chunks = () => (grid === undefined ? undefined : new Chunks(path, grid));
  const unrecorded = chunks();
  const hosts = new Map<string, number>();
  const list: Host[] = [];
  const reasons = new Map<string, Reason>();
  /** By entry: 1 + the host that no container covers. */
  const marks = new Map<ChunkColumns, Uint16Array>();
  const chunk: OddReferences["chunk"] = (columns, entry, ordinal, isRecorded) => {
    if (!isRecorded) unrecorded?.add(ordinal);
    if (marks.size === 0) return;
    const host = list[(marks.get(columns)?.[entry] ?? 0) - 1];
    host?.chunks?.add(ordinal);
  };
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
    chunk,
    chunks(columns) {
      const { rows, ordinal, entry, checksum } = columns;
      if (marks.size === 0 && checksum === undefined) return unrecorded?.addAll(ordinal);
      for (let row = 0; row < rows; row += 1)
        chunk(columns, entry[row] as number, ordinal[row] as number, (checksum?.[row] ?? 0) !== 0);
    },
    unusable(ordinal, reason) {
      const key = reasonKey(reason);
      const known = reasons.get(key) ?? (reasons.size < MAX_REASONS ? undefined : [...reasons.values()].at(-1));
      const kept = known ?? { reason, chunks: chunks() };
      if (known === undefined) reasons.set(key, kept);
      kept.chunks?.add(ordinal);
    },
    findings: () => [
      ...[...reasons.values()].flatMap(({ reason, chunks: own }) => {
        const found = own?.found(([first]) => placed(reason, first ?? nodeAt(path))) ?? [];
        return found.length === 0 ? [placed(reason, nodeAt(path))] : found;
      }),
      ...(unrecorded?.found((places) => finding("icechunk-no-checksum", places[0] ?? nodeAt(path), {})) ?? []),
      ...list.flatMap(({ host, url, chunks }) => {
        const alone = finding("icechunk-no-container", targetAt(url), { host });
        const found = chunks?.found(() => alone) ?? [];
        return found.length === 0 ? [alone] : found;
      }),
    ],
  };
}

/** What is wrong, and in which manifest: its location is of one chunk alone. */
function reasonKey({ code, facts, place }: Finding): string {
  const isOfFile = place.kind === "target" && facts["text"] === undefined;
  return JSON.stringify([code, facts["problem"], facts["name"], isOfFile ? place.target : ""]);
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

  addAll(ordinals: ArrayLike<number>): void {
    this.#box.addAll(ordinals);
    for (let at = 0; at < ordinals.length && this.#first.length < MAX_PLACES; at += 1)
      this.#first.push(ordinals[at] as number);
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
