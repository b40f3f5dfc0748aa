/** The snapshots of a repository: which manifests each has, how long it stays, and the arrays of all of them. */
import type { CallContext } from "#core/byte-source.ts";
import { failure, type Finding, ofFinding, targetAt } from "#core/findings/finding.ts";
import { readSnapshot, snapshotPath, type Repository, type Snapshot } from "#formats/icechunk/index.ts";
import { eachAtOnce } from "#engine/kept.ts";
import { reachedBy, snapshotIds } from "../history.ts";
import { icechunkObjects, icechunkZstd } from "../objects.ts";
import type { OpenedRepository } from "../set-repository.ts";
import type { FileSizes } from "./files.ts";

export interface ReadSnapshotFacts {
  readonly id: string;
  readonly parent: string | undefined;
  readonly time: string | undefined;
  readonly message: string;
  /** Size of its file. */
  readonly size: number;
  /** Branches and tags that point to it. */
  readonly refs: readonly string[];
  /** False: no branch or tag leads to it. */
  readonly isReached: boolean;
  /** Places in `manifests`, each once. */
  readonly manifests: Uint32Array;
}

export interface SeenArray {
  readonly node: string;
  path: string;
  /** When it had this path. */
  time: string;
  /** Who has it: only unreached snapshots, older ones, or one that a branch or tag points to. */
  reach: 0 | 1 | 2;
  /** A grid that its grids in all snapshots fit into. */
  readonly grid: number[];
}

interface SeenManifest {
  readonly id: string;
  /** The size that the first snapshot with it records. */
  readonly size: number | undefined;
}

export interface SnapshotsRead {
  readonly snapshots: readonly ReadSnapshotFacts[];
  readonly manifests: readonly SeenManifest[];
  readonly arrays: ReadonlyMap<string, SeenArray>;
  readonly findings: readonly Finding[];
}

const AT_ONCE = 8;

/** Names of the branches and tags, by the snapshots that they point to. */
const refNames = ({ branches, tags }: Repository): ReadonlyMap<string, readonly string[]> => {
  const heads = new Map<string, string[]>();
  const add = (kind: string, refs: ReadonlyMap<string, string>) => {
    for (const [name, id] of refs) heads.set(id, [...(heads.get(id) ?? []), `${kind} ${name}`]);
  };
  add("branch", branches);
  add("tag", tags);
  return heads;
};

/** Snapshots that cannot be read are findings, unless nothing leads to them. */
export async function readSnapshots(
  { store, repository, shown }: OpenedRepository,
  files: FileSizes | undefined,
  context: CallContext,
): Promise<SnapshotsRead> {
  const objects = icechunkObjects(store, context);
  const zstd = icechunkZstd(context.signal);
  const heads = refNames(repository);
  const known = repository.info?.snapshots ?? new Map();
  // Heads alone in format 1, until more is read.
  const reached = new Set(reachedBy(heads.size === 0 ? [shown.snapshot] : heads.keys(), known));
  const seen = seenIn();
  const findings: Finding[] = [];
  const snapshots: ReadSnapshotFacts[] = [];
  const total = repository.info?.snapshots.size;
  const read = async (id: string): Promise<string | undefined> => {
    context.signal.throwIfAborted();
    const path = snapshotPath(id);
    const bytes = await objects.get(path);
    if (bytes === undefined) throw failure("icechunk-object-missing", targetAt(path), { file: "snapshot" });
    const snapshot = await readSnapshot(bytes, id, zstd);
    const known = repository.info?.snapshots.get(id);
    const { time, message } = known ?? snapshot;
    const parent = repository.info === undefined ? snapshot.parent : known?.parent;
    const [refs, isReached] = [heads.get(id) ?? [], reached.has(id)];
    const manifests = seen.add(snapshot, refs.length > 0 ? 2 : isReached ? 1 : 0);
    snapshots.push({ id, parent, time, message, size: bytes.length, refs, isReached, manifests });
    context.report({ label: "Reading snapshots", done: snapshots.length, ...(total && { total }), unit: "files" });
    return parent;
  };
  const readReached = (id: string) =>
    read(id).catch(
      ofFinding(({ finding }) => {
        findings.push(finding);
        return undefined;
      }),
    );
  if (repository.info === undefined) {
    for (const id of reached) {
      const parent = await readReached(id);
      if (parent !== undefined) reached.add(parent);
    }
  } else await eachAtOnce(reached, AT_ONCE, async (id) => void (await readReached(id)));
  const rest = new Set([...(repository.info?.snapshots.keys() ?? []), ...snapshotIds(files?.keys() ?? [])]);
  const others = [...rest].filter((id) => !reached.has(id));
  await eachAtOnce(others, AT_ONCE, async (id) => void (await read(id).catch(ofFinding(() => undefined))));
  return { snapshots: snapshots.toSorted(byTime), ...seen.result(), findings };
}

const byTime = (a: ReadSnapshotFacts, b: ReadSnapshotFacts): number => {
  const [one, other] = [a.time ?? "", b.time ?? ""];
  return one === other ? (a.parent === b.id ? 1 : b.parent === a.id ? -1 : 0) : one < other ? -1 : 1;
};

function seenIn() {
  const places = new Map<string, number>();
  const manifests: SeenManifest[] = [];
  const arrays = new Map<string, SeenArray>();
  const placeOf = (id: string, { manifestSizes }: Snapshot): number => {
    const known = places.get(id);
    if (known !== undefined) return known;
    const size = manifestSizes.get(id);
    places.set(id, manifests.length);
    return manifests.push({ id, size: size === undefined ? undefined : Number(size) }) - 1;
  };
  return {
    /** @returns places of the snapshot's manifests */
    add(snapshot: Snapshot, reach: SeenArray["reach"]): Uint32Array {
      // Garbage collection goes by this list; nodes may name others.
      const own = new Set([...snapshot.manifestSizes.keys()].map((id) => placeOf(id, snapshot)));
      for (const node of snapshot.nodes) {
        if (node.kind !== "array") continue;
        for (const { id } of node.manifests) own.add(placeOf(id, snapshot));
        addArray(arrays, node, snapshot.time ?? "", reach);
      }
      return Uint32Array.from(own);
    },
    result: () => ({ manifests, arrays }),
  };
}

type NodeOfArray = Extract<Snapshot["nodes"][number], { readonly kind: "array" }>;

function addArray(
  arrays: Map<string, SeenArray>,
  { id, path, shape }: NodeOfArray,
  time: string,
  reach: SeenArray["reach"],
): void {
  const known: SeenArray = arrays.get(id) ?? { node: id, path: "", time: "", reach: 0, grid: [] };
  arrays.set(id, known);
  for (const [axis, { chunks }] of shape.entries()) known.grid[axis] = Math.max(known.grid[axis] ?? 0, Number(chunks));
  const isFirst = known.path === "" || (known.reach === 0 && reach > 0);
  if (isFirst || (time >= known.time && Math.min(1, reach) === Math.min(1, known.reach)))
    Object.assign(known, { path: path.slice(1), time });
  if (reach > known.reach) known.reach = reach;
}
