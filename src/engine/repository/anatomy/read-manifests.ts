/** Reads every manifest once, one after another, and counts its references; nothing of a manifest is kept. */
import type { CallContext } from "#core/byte-source.ts";
import { type Finding, ofFinding } from "#core/findings/finding.ts";
import { readChunkColumns, type Manifest } from "#formats/icechunk/references.ts";
import { startPace, type Pace } from "#engine/pace.ts";
import { manifestCache } from "../manifest-cache.ts";
import type { OpenedRepository } from "../set-repository.ts";
import { BAD, newSeed, rowReader, type Hash } from "./reference-hash.ts";
import type { SeenArray, SnapshotsRead } from "./read-snapshots.ts";
import { newTally, type Lasting, type Tally } from "./tally.ts";

export interface PlannedManifest extends Lasting {
  /** Index in `SnapshotsRead.manifests`. */
  readonly place: number;
  /** The first snapshot that has it, in the order of time. */
  readonly first: number;
}

interface ManifestRead {
  /** Size of the file. */
  readonly size: number;
  /** References and bytes by kind: each of its references counted. */
  readonly bytes: readonly number[];
  readonly references: number;
  /** Shares of the file's size, by references. */
  readonly arrays: readonly { readonly array: number; readonly size: number }[];
}

export interface ManifestsRead {
  readonly arrays: readonly SeenArray[];
  /** Manifests by place; `undefined` for those that could not be read. */
  readonly manifests: readonly (ManifestRead | undefined)[];
  readonly tally: Tally;
  readonly seed: Hash;
  /** Bytes that no earlier snapshot has, by snapshot and kind. */
  readonly added: readonly number[][];
  readonly findings: readonly Finding[];
}

/** Manifests that are opened before their turn, and their bytes together, if there is more than one. */
const [MOST_AHEAD, MOST_BYTES_AHEAD] = [6, 4 << 20] as const;
/** Manifests above this size are worth the decoder for chunks, where there are many. */
const [MANY, SMALL_FILE] = [100, 4096] as const;
const ROWS_A_TURN = 65_536;

/** @param planned in order of time; manifests of unreached snapshots last: those that cannot be read are no findings */
export async function readManifests(
  { store }: Pick<OpenedRepository, "store">,
  seen: SnapshotsRead,
  planned: readonly PlannedManifest[],
  context: CallContext,
): Promise<ManifestsRead> {
  const arrays = [...seen.arrays.values()];
  const places = new Map(arrays.map(({ node }, at) => [node, at] as const));
  const [tally, seed, findings] = [newTally(seen.snapshots.length + 1), newSeed(), [] as Finding[]];
  const added = seen.snapshots.map(() => [0, 0, 0]);
  const manifests = Array.from<ManifestRead | undefined>({ length: seen.manifests.length });
  const open = manifestCache(store, undefined, planned.length < MANY ? undefined : SMALL_FILE);
  const opened = inTurn(planned, {
    size: ({ place }) => seen.manifests[place]?.size ?? 0,
    open: async ({ place, rank }) =>
      open(seen.manifests[place]?.id ?? "", context).catch(
        ofFinding(({ finding }) => {
          if (rank > 0) findings.push(finding);
          return undefined;
        }),
      ),
  });
  const pace = startPace(context, "Reading references", 0);
  let done = 0;
  for await (const [one, manifest] of opened) {
    context.signal.throwIfAborted();
    const into = { arrays, places, tally, seed, added: added[one.first] ?? [], pace };
    if (manifest !== undefined) manifests[one.place] = await addManifest(manifest, one, into);
    context.report({ label: "Reading manifests", done: ++done, total: planned.length, unit: "files" });
  }
  tally.finish();
  return { arrays, manifests, tally, seed, added, findings };
}

interface Opening<T, R> {
  readonly size: (item: T) => number;
  readonly open: (item: T) => Promise<R>;
}

/** Items with what opening each gives, in their order; the next ones are opened meanwhile. */
async function* inTurn<T, R>(items: readonly T[], { size, open }: Opening<T, R>): AsyncGenerator<readonly [T, R]> {
  const ahead: { readonly item: T; readonly opened: Promise<R> }[] = [];
  let [next, bytes] = [0, 0];
  for (let item = items[0]; item !== undefined || ahead.length > 0; item = items[next]) {
    const hasRoom = ahead.length < MOST_AHEAD && bytes < MOST_BYTES_AHEAD;
    if (item !== undefined && (ahead.length === 0 || hasRoom)) {
      const opened = open(item);
      // Who leaves early does not wait for it.
      opened.catch(() => undefined);
      ahead.push({ item, opened });
      bytes += size(item);
      next += 1;
      continue;
    }
    const first = ahead.shift();
    if (first === undefined) return;
    yield [first.item, await first.opened];
    bytes -= size(first.item);
  }
}

interface Into {
  readonly arrays: SeenArray[];
  readonly places: Map<string, number>;
  readonly tally: Tally;
  readonly seed: Hash;
  /** Bytes that came with the first snapshot that has the manifest, by kind. */
  readonly added: number[];
  readonly pace: Pace;
}

async function addManifest(manifest: Manifest, lasting: Lasting, into: Into): Promise<ManifestRead> {
  const bytes = [0, 0, 0];
  const references = manifest.arrays.reduce((sum, { count }) => sum + count, 0);
  const arrays: { array: number; size: number }[] = [];
  let rest = manifest.size;
  for (const [at, one] of manifest.arrays.entries()) {
    const array = arrayPlace(one.node, into);
    const isLast = at === manifest.arrays.length - 1;
    const size = isLast ? rest : Math.round((manifest.size * one.count) / Math.max(1, references));
    rest -= size;
    arrays.push({ array, size });
    const columns = readChunkColumns(manifest, one, into.arrays[array]?.grid ?? [], []);
    const row = rowReader(columns, one.node, into.seed);
    const add = into.tally.adder({ array, added: into.added, ...lasting });
    for (let from = 0; from < columns.rows; from += ROWS_A_TURN) {
      const to = Math.min(columns.rows, from + ROWS_A_TURN);
      for (let at = from; at < to; at += 1) {
        row.read(at);
        if (row.kind === BAD) continue;
        bytes[row.kind] = (bytes[row.kind] as number) + row.length;
        add(row);
      }
      await into.pace.yieldIfDue(into.tally.count);
    }
  }
  return { size: manifest.size, bytes, references, arrays };
}

/** A manifest may hold references of a node that no snapshot has: they keep chunk files all the same. */
function arrayPlace(node: string, { arrays, places }: Into): number {
  const known = places.get(node);
  if (known !== undefined) return known;
  places.set(node, arrays.length);
  return arrays.push({ node, path: `node ${node}`, time: "", reach: 1, grid: [] }) - 1;
}
