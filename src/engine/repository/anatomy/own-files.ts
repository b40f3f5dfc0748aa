/** The files of a repository, with how long each stays: those of a listing, or else those that snapshots name. */
import type { FileCount, OrphanFile, OrphanReason, Part } from "#core/anatomy.ts";
import type { CallContext } from "#core/byte-source.ts";
import { isObjectId, manifestPath, snapshotPath, transactionPath } from "#formats/icechunk/index.ts";
import { idBytes } from "#formats/icechunk/object-id.ts";
import { branchPath, CONFIG_PATH, REPO_PATH, tagPath } from "#formats/icechunk/paths.ts";
import type { OpenedRepository } from "../set-repository.ts";
import { countOf, type FileSizes, isCollected, isEntry, isUnfinished, isWithin, OVERWRITTEN } from "./files.ts";
import type { Ranked } from "./rank.ts";
import type { ManifestsRead, PlannedManifest } from "./read-manifests.ts";
import type { SnapshotsRead } from "./read-snapshots.ts";
import { nativeHash } from "./reference-hash.ts";
import type { State } from "./tally.ts";

export interface RankedFile {
  readonly name: string;
  readonly bytes: number | undefined;
  readonly part: Part;
  /** How long it stays, as in `tally.ts`; -1: nothing names it. */
  readonly rank: number;
  /** Bytes by array. */
  readonly shares: readonly { readonly array: number; readonly size: number }[];
}

export interface OwnFiles {
  /** Chunk files among them only where they are listed. */
  readonly files: readonly RankedFile[];
  readonly orphans: readonly OrphanFile[];
  readonly overwritten: FileCount;
  /** `repo`, or refs and configuration. */
  readonly entry: FileCount;
  /** Chunk files that references of reached snapshots name and the listing lacks. */
  readonly missingChunks: number;
}

export interface ReadRepository {
  readonly seen: SnapshotsRead;
  readonly ranked: Ranked;
  readonly planned: readonly PlannedManifest[];
  readonly read: ManifestsRead;
}

export async function ownFiles(
  opened: OpenedRepository,
  repository: ReadRepository,
  listed: FileSizes | undefined,
  context: CallContext,
): Promise<OwnFiles> {
  const named = namedFiles(repository);
  if (listed === undefined) {
    const files = [...named.values()].filter(({ bytes }) => bytes !== undefined);
    const entry = await entryFiles(opened, context);
    return { files, orphans: orphansOf(files), overwritten: { files: 0, bytes: 0 }, entry, missingChunks: 0 };
  }
  const { tally, seed } = repository.read;
  const hash = new Int32Array(2);
  const stateOf = (id: string): State | undefined => {
    if (!isObjectId(id)) return undefined;
    nativeHash(hash, seed, idBytes(id));
    return tally.stateOf(hash);
  };
  const files: RankedFile[] = [];
  const chunks: (readonly [State, number | undefined])[] = [];
  for (const [name, bytes] of listed) {
    if (!isCollected(name)) {
      if (isUnfinished(name)) files.push({ name, bytes, part: "metadata", rank: -1, shares: [] });
      continue;
    }
    const [folder = "", id = ""] = name.split("/");
    const state = folder === "chunks" ? stateOf(id) : undefined;
    if (state !== undefined) chunks.push([state, bytes]);
    files.push(fileOf(name, bytes, named.get(name) ?? rankedChunk(state, bytes)));
  }
  const overwritten = countOf(listed, isWithin(OVERWRITTEN));
  const entry = countOf(listed, (name) => isEntry(name) && !isUnfinished(name));
  return { files, orphans: orphansOf(files), overwritten, entry, missingChunks: weighChunks(tally.states, chunks) };
}

type Named = Omit<RankedFile, "name">;

/** Snapshots, their logs and manifests, by path; of logs no size is known. */
function namedFiles({ seen, ranked, planned, read }: ReadRepository): ReadonlyMap<string, RankedFile> {
  const named = new Map<string, RankedFile>();
  const add = (name: string, file: Named) => named.set(name, { name, ...file });
  for (const [at, { id, size }] of seen.snapshots.entries()) {
    const metadata = { part: "metadata", rank: ranked.ranks[at] ?? 0, shares: [] } as const;
    add(snapshotPath(id), { ...metadata, bytes: size });
    add(transactionPath(id), { ...metadata, bytes: undefined });
  }
  for (const { place, rank } of planned) {
    const [manifest, opened] = [seen.manifests[place], read.manifests[place]];
    if (manifest === undefined) continue;
    const bytes = opened?.size ?? manifest.size;
    add(manifestPath(manifest.id), { part: "manifests", rank, bytes, shares: opened?.arrays ?? [] });
  }
  return named;
}

const FOLDER_PARTS: Readonly<Record<string, Part>> = { chunks: "native", manifests: "manifests" };

const fileOf = (name: string, bytes: number | undefined, known: Named): RankedFile => ({
  ...known,
  name,
  bytes: bytes ?? known.bytes,
  part: FOLDER_PARTS[name.split("/", 1)[0] ?? ""] ?? "metadata",
});

const rankedChunk = (state: State | undefined, size = 0): Named => ({
  bytes: undefined,
  part: "native",
  rank: state?.rank ?? -1,
  shares: state === undefined ? [] : [{ array: state.array, size }],
});

/** Chunk files count as they are, where their sizes are known: references say how much of them is read. */
function weighChunks(states: readonly State[], chunks: readonly (readonly [State, number | undefined])[]): number {
  const native = states.filter(({ kind, rank }) => kind === 0 && rank > 0);
  const found = chunks.filter(([{ rank }]) => rank > 0).length;
  const missing = native.reduce((sum, { count }) => sum + count, 0) - found;
  if (chunks.some(([, bytes]) => bytes === undefined)) return missing;
  for (const state of native) state.bytes = 0;
  for (const [state, bytes = 0] of chunks) state.bytes += bytes;
  return missing;
}

function orphansOf(files: readonly RankedFile[]): readonly OrphanFile[] {
  const orphans = files.filter(({ rank }) => rank <= 0);
  return orphans.map(({ name, bytes, rank }) => ({ name, bytes, reason: reasonOf(name, rank) }));
}

function reasonOf(name: string, rank: number): OrphanReason {
  if (isUnfinished(name)) return "unfinished";
  if (/^(?:snapshots|transactions)\//.test(name)) return "unreached";
  return rank === 0 ? "of-unreached" : "unused";
}

/** Files that a reader asks for first, read for their sizes. */
async function entryFiles({ store, repository, shown }: OpenedRepository, context: CallContext): Promise<FileCount> {
  const name = shown.kind === "tag" ? tagPath(shown.name) : branchPath(shown.kind === "branch" ? shown.name : "main");
  const paths = repository.format === 2 ? [REPO_PATH] : [name, CONFIG_PATH];
  const sizes: number[] = [];
  for (const path of paths) {
    const known = store.sizeOf(path);
    const read = known === undefined ? await store.get(path, context) : undefined;
    if (known !== undefined) sizes.push(known);
    else if (read?.kind === "present") sizes.push(read.bytes.length);
  }
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
