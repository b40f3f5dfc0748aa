/** For tests: repositories with a recorded history, and what is true of each chunk at their recorded snapshots. */
import { openRepository } from "#formats/icechunk/index.ts";
import { objectsOf, testZstd } from "#formats/icechunk/testing/objects.ts";
import { droppedFiles } from "#io/local-files.ts";
import { filesStore } from "#io/store.ts";
import { manifestCache } from "#engine/repository/manifest-cache.ts";
import type { OpenedRepository } from "#engine/repository/set-repository.ts";
import recorded from "#engine/repository/blame/fixtures/histories.json" with { type: "json" };
import { CONTEXT, type Files } from "#engine/repository/testing/open.ts";
import { type ArrayBlame, BLAME_KINDS, type BlamedChunks } from "#core/blame.ts";
import { coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { SetRepository } from "#engine/engine-set.ts";

/** A chunk that is there: who wrote it, and its reference. */
export interface TrueChunk {
  readonly by: string;
  readonly kind: "virtual" | "native" | "inline";
  readonly length: number;
  readonly location?: string;
  readonly offset?: number;
  readonly etag?: string;
  readonly lastModified?: string;
}

interface TrueArray {
  readonly chunks: Readonly<Record<string, TrueChunk>>;
  readonly gone: Readonly<Record<string, { readonly by: string; readonly how: "deleted" | "resized" }>>;
  readonly absent: readonly string[];
}

export interface TrueHistory {
  readonly messages: Readonly<Record<string, string>>;
  /** Newest first, by branch or tag. */
  readonly ancestry: Readonly<Record<string, readonly string[]>>;
  readonly times: Readonly<Record<string, string>>;
  readonly snapshots: Readonly<Record<string, { readonly arrays: Readonly<Record<string, TrueArray>> }>>;
  readonly bisect: {
    readonly snapshots: number;
    readonly code: string;
    readonly array: string;
    readonly first: string;
    readonly before: string;
  };
}

/** Those in the repository: files by path, and the truth. */
export function recordedHistories(): Readonly<Record<string, { readonly files: Files; readonly truth: TrueHistory }>> {
  const all = Object.entries(recorded).map(([name, { files, truth }]) => {
    const bytes = Object.entries(files).map(([path, text]) => [path, Buffer.from(text, "base64")] as const);
    return [name, { files: new Map(bytes), truth: truth as unknown as TrueHistory }] as const;
  });
  return Object.fromEntries(all);
}

/** The repository as if all but the first `kept` commits of a chain had expired. */
export async function expiredHistory(
  files: Files,
  chain: readonly string[],
  kept: number,
  how: "logs" | "gone" | "missing" | "circle",
): Promise<OpenedRepository> {
  const repository = await openRepository(objectsOf(files), testZstd);
  const snapshots = new Map(repository.info!.snapshots);
  const [oldest = "", ...expired] = chain.slice(kept - 1, -1);
  for (const id of expired) snapshots.delete(id);
  const prunedLogs = how === "logs" ? expired.toReversed() : [];
  const parent = how === "circle" ? chain[0] : how === "missing" ? expired[0] : chain.at(-1);
  snapshots.set(oldest, { ...snapshots.get(oldest)!, parent, prunedLogs });
  const dropped = [...files].map(([path, bytes]) => ({ path, blob: new Blob([bytes.slice()]) }));
  const store = filesStore(droppedFiles(dropped), "");
  return {
    store,
    repository: { ...repository, info: { ...repository.info!, snapshots } },
    shown: { kind: "snapshot", snapshot: chain[0] ?? "" },
    hierarchy: { nodes: new Map() },
    ids: new Map(),
    manifests: manifestCache(store),
    entries: new Map(),
  } as unknown as OpenedRepository;
}

export interface Difference {
  readonly at: string;
  readonly found: string;
  readonly expected: string;
}

/** Compares the blame of every chunk of every array at every recorded snapshot with the truth. */
export async function differencesIn(repository: SetRepository, truth: TrueHistory) {
  const differences: Difference[] = [];
  let compared = 0;
  for (const [snapshot, { arrays }] of Object.entries(truth.snapshots)) {
    for (const [array, expected] of Object.entries(arrays)) {
      const blame = await repository.blame({ array, snapshot }, CONTEXT);
      const found = linesOf(blame, repository.blamedChunks(array, 0, Infinity));
      const lines = expectedLines(expected);
      compared += lines.size;
      for (const chunk of new Set([...found.keys(), ...lines.keys()])) {
        const pair = { found: found.get(chunk) ?? "-", expected: lines.get(chunk) ?? "-" };
        if (pair.found !== pair.expected) differences.push({ at: `${snapshot} ${array} ${chunk}`, ...pair });
      }
      if (blame.findings.length > 0)
        differences.push({
          at: `${snapshot} ${array}`,
          found: JSON.stringify(blame.findings),
          expected: "no findings",
        });
    }
  }
  return { compared, differences };
}

function expectedLines({ chunks, gone, absent }: TrueArray): ReadonlyMap<string, string> {
  return new Map([
    ...Object.entries(chunks).map(([chunk, { by, kind }]) => [chunk, `${kind} ${by}`] as const),
    ...Object.entries(gone).map(([chunk, { by, how }]) => [chunk, `${how} ${by}`] as const),
    ...absent.map((chunk) => [chunk, "absent"] as const),
  ]);
}

/** Each chunk of a blame as one line. */
export function linesOf({ grid, commits }: ArrayBlame, { by, kinds }: BlamedChunks): ReadonlyMap<string, string> {
  const line = (ordinal: number): string => {
    const commit = commits[(by[ordinal] ?? 0) - 1];
    const who = commit === undefined ? "" : ` ${commit.id}${commit.orEarlier ? " or earlier" : ""}`;
    return `${BLAME_KINDS[kinds[ordinal] ?? 0]}${who}`;
  };
  return new Map(Array.from(by, (_, ordinal) => [coordinatesOf(grid, ordinal).join("."), line(ordinal)]));
}
