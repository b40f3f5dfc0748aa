/** Weighs an open repository. */
import type { Anatomy, AnatomyCost, ArrayAnatomy, Part } from "#core/anatomy.ts";
import type { SnapshotAnatomy } from "#core/anatomy.ts";
import type { CallContext } from "#core/byte-source.ts";
import { transactionPath } from "#formats/icechunk/index.ts";
import type { Weighed } from "#engine/engine-set.ts";
import { headsOf, reachedBy } from "../history.ts";
import type { OpenedRepository } from "../set-repository.ts";
import { simulateExpiry } from "./expire.ts";
import { countOf, isWithin, listFiles } from "./files.ts";
import { type OwnFiles, ownFiles, type ReadRepository } from "./own-files.ts";
import { planManifests, rankSnapshots } from "./rank.ts";
import { readManifests } from "./read-manifests.ts";
import { readSnapshots } from "./read-snapshots.ts";
import { readerAnatomy } from "./reader-anatomy.ts";

/** Known at once, or for one listing of the folder. */
export function anatomyCost({ store, repository }: OpenedRepository): AnatomyCost {
  const { keys, base } = store;
  const files = keys === undefined ? undefined : new Map(keys.map((key) => [key, store.sizeOf(key)]));
  return {
    snapshots: repository.info && reachedBy(headsOf(repository), repository.info.snapshots).size,
    manifests: files && countOf(files, isWithin("manifests/")),
    files: files && countOf(files, () => true),
    isLocal: base.kind === "file",
  };
}

/** Throws where the opened snapshot cannot be read; other files that cannot are findings. */
export async function weigh(opened: OpenedRepository, context: CallContext): Promise<Weighed> {
  const listed = await listFiles(opened.store, context);
  const seen = await readSnapshots(opened, listed, context);
  const ranked = rankSnapshots(seen.snapshots);
  const planned = planManifests(seen, ranked);
  const read = await readManifests(opened, seen, planned, context);
  const whole = { seen, ranked, planned, read };
  const own = await ownFiles(opened, whole, listed, context);
  const shown = read.arrays.flatMap(({ reach }, array) => (reach > 0 ? [array] : []));
  const arrays = arraysOf(whole, shown);
  const anatomy: Anatomy = {
    ...totals(whole, own),
    arrays,
    snapshots: snapshotsOf(whole, own),
    listed: listed === undefined ? "none" : "all",
    orphans: own.orphans,
    overwritten: own.overwritten,
    missingChunks: own.missingChunks,
    unread: seen.findings.length + read.findings.length,
    reader: await readerAnatomy(opened, whole, own.entry.bytes, context),
    findings: [...seen.findings, ...read.findings],
  };
  const places = new Map(shown.map((array, place) => [array, place]));
  const unlisted = listed === undefined ? read.tally.states.filter(({ kind }) => kind === 0) : [];
  return { anatomy, expire: (before) => simulateExpiry({ ranked, files: own.files, unlisted, places }, before) };
}

/** Parts in the order of the kinds that are counted. */
const REFERENCE_PARTS = ["native", "virtual", "inline"] as const;

const noBytes = (): Record<Part, number> => ({ native: 0, virtual: 0, inline: 0, manifests: 0, metadata: 0 });

function totals({ read }: ReadRepository, { files, entry }: OwnFiles): Pick<Anatomy, "bytes" | "counts"> {
  const bytes = { ...noBytes(), metadata: entry.bytes };
  const counts = { ...noBytes(), metadata: entry.files };
  for (const { kind, rank, count, bytes: size } of read.tally.states) {
    const part = REFERENCE_PARTS[kind];
    if (part === undefined || rank === 0) continue;
    bytes[part] += size;
    counts[part] += count;
  }
  for (const { part, rank, bytes: size = 0 } of files) {
    if (rank <= 0 || part === "native") continue;
    bytes[part] += size;
    counts[part] += 1;
  }
  return { bytes, counts };
}

function arraysOf({ read, ranked, planned }: ReadRepository, shown: readonly number[]): readonly ArrayAnatomy[] {
  const found = read.arrays.map(() => ({ references: 0, bytes: noBytes(), older: noBytes() }));
  const add = (array: number, part: Part, rank: number, size: number) => {
    const of = found[array];
    if (of === undefined || rank <= 0) return;
    of.bytes[part] += size;
    if (rank < ranked.firstHead) of.older[part] += size;
  };
  for (const { kind, array, rank, count, bytes } of read.tally.states) {
    const [part, of] = [REFERENCE_PARTS[kind], found[array]];
    if (part === undefined || of === undefined || rank === 0) continue;
    of.references += count;
    add(array, part, rank, bytes);
  }
  for (const { place, rank } of planned) {
    for (const { array, size } of read.manifests[place]?.arrays ?? []) add(array, "manifests", rank, size);
  }
  return shown.map((at) => {
    const { path = "", node = "", reach } = read.arrays[at] ?? {};
    return { path, node, isCurrent: reach === 2, ...(found[at] as (typeof found)[number]) };
  });
}

function snapshotsOf(whole: ReadRepository, own: OwnFiles): readonly SnapshotAnatomy[] {
  const { seen, ranked, planned, read } = whole;
  const logs = new Map(
    own.files.flatMap(({ name, bytes = 0 }) => (isWithin("transactions/")(name) ? [[name, bytes]] : [])),
  );
  const of = seen.snapshots.map(({ id, size, manifests }, at) => {
    const metadata = size + (logs.get(transactionPath(id)) ?? 0);
    const [bytes, added, unique] = [1, 2, 3].map(() => ({ ...noBytes(), metadata })) as [PartsSum, PartsSum, PartsSum];
    for (const place of manifests) addAll(bytes, read.manifests[place]);
    for (const [kind, part] of REFERENCE_PARTS.entries()) added[part] = read.added[at]?.[kind] ?? 0;
    return { bytes, added, unique };
  });
  const places = new Map(ranked.ranks.map((rank, at) => [rank, at] as const));
  for (const { kind, rank, isShared, bytes } of read.tally.states) {
    const [part, one] = [REFERENCE_PARTS[kind], of[places.get(rank) ?? -1]];
    if (part !== undefined && rank > 0 && !isShared && one !== undefined) one.unique[part] += bytes;
  }
  for (const { place, rank, first, isShared } of planned) {
    const size = rank === 0 ? 0 : (read.manifests[place]?.size ?? 0);
    const [one, alone] = [of[first], isShared ? undefined : of[first]];
    if (one !== undefined) one.added.manifests += size;
    if (alone !== undefined) alone.unique.manifests += size;
  }
  return seen.snapshots.flatMap(({ id, time, message, refs, isReached }, at) => {
    const sizes = of[at];
    return isReached && sizes !== undefined ? [{ id, time, message, refs, ...sizes }] : [];
  });
}

type PartsSum = Record<Part, number>;

function addAll(into: PartsSum, manifest: ReadRepository["read"]["manifests"][number]): void {
  if (manifest === undefined) return;
  for (const [kind, part] of REFERENCE_PARTS.entries()) into[part] += manifest.bytes[kind] ?? 0;
  into.manifests += manifest.size;
}
