/** For tests: comparisons by logs and by manifests, held against each other. Laws, for every two snapshots:
 * - By manifests the changed chunks are those whose references differ when all are read and compared one by one.
 * - By logs and by manifests the same nodes are added and removed; moved by manifests are those moved by logs that were in
 *   the first snapshot; updated by manifests are among those updated by logs.
 * - A chunk that differs by manifests is listed by logs too, unless a commit deleted its array.
 * - A chunk that is listed by logs is in one of the snapshots.
 */
import { expect } from "vitest";
import type { ChangedChunk, SnapshotChanges } from "#core/repository.ts";
import { fetchSnapshot, openRepository } from "#formats/icechunk/index.ts";
import { describeReference, referencesOf } from "#formats/icechunk/testing/expected.ts";
import { objectsOf, testZstd } from "#formats/icechunk/testing/objects.ts";
import type { SetRepository } from "#engine/engine-set.ts";
import { CONTEXT, type Files } from "./open.ts";

export type Changed = ReadonlyMap<string, readonly ChangedChunk[]>;

/** A comparison with all its chunks. */
export async function compared(
  repository: SetRepository,
  from: string,
  to: string,
  method: "auto" | "manifests" = "auto",
) {
  const changes = await repository.compare({ from, to, method }, CONTEXT);
  const chunks = new Map(changes.arrays.map(({ path }) => [path, repository.changedChunks(path, 0, 2000).chunks]));
  return { changes, chunks };
}

export const texts = (chunks: readonly ChangedChunk[] = []) => chunks.map(({ coordinates }) => coordinates.join("/"));

/** Every reference of a snapshot as one line, by path and coordinates. */
async function linesOf(files: Files, id: string) {
  const objects = objectsOf(files);
  const { nodes } = await fetchSnapshot(objects, testZstd, id);
  const byId = new Map<string, { readonly path: string; readonly lines: ReadonlyMap<string, string> }>();
  for (const node of nodes) {
    if (node.kind !== "array") continue;
    const { placed } = await referencesOf(objects, node);
    const lines = placed.map((one) => [one.at.join("/"), describeReference(one).line] as const);
    byId.set(node.id, { path: node.path.slice(1), lines: new Map(lines) });
  }
  return byId;
}

type Lines = Awaited<ReturnType<typeof linesOf>>;

/** Arrays of both by id, or by path where one was made again; with the path in `to`, or `from` where it is gone. */
function* arraysOf(from: Lines, to: Lines) {
  const gone = new Map([...from].flatMap(([id, one]) => (to.has(id) ? [] : [[one.path, one.lines] as const])));
  for (const [id, { path, lines }] of to) {
    yield [path, from.get(id)?.lines ?? gone.get(path), lines] as const;
    if (!from.has(id)) gone.delete(path);
  }
  for (const [path, lines] of gone) yield [path, lines, undefined] as const;
}

function bruteForce(from: Lines, to: Lines): readonly string[] {
  const found: string[] = [];
  for (const [path, one, other] of arraysOf(from, to)) {
    for (const at of new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])])) {
      const [was, is] = [one?.get(at), other?.get(at)];
      if (was !== is)
        found.push(`${path} ${at} ${was === undefined ? "added" : is === undefined ? "removed" : "changed"}`);
    }
  }
  return found.sort();
}

const flat = (chunks: Changed) =>
  [...chunks]
    .flatMap(([path, all]) => all.map(({ coordinates, kind }) => `${path} ${coordinates.join("/")} ${kind}`))
    .sort();

export const nodesOf = ({ nodes }: SnapshotChanges, kind: string) => nodes.filter((node) => node.kind === kind);

export async function checkLaws(files: Files, repository: SetRepository, ids: readonly string[]): Promise<number> {
  const lines = new Map<string, Lines>();
  for (const id of ids) lines.set(id, await linesOf(files, id));
  let byLogs = 0;
  for (const from of ids) {
    for (const to of ids) {
      const exact = await compared(repository, from, to, "manifests");
      expect(exact.changes.method).toBe("manifests");
      expect(flat(exact.chunks), `${from} ${to}`).toEqual(bruteForce(lines.get(from)!, lines.get(to)!));
      const logged = await compared(repository, from, to);
      if (logged.changes.method !== "logs") {
        expect({ ...logged.changes, because: "" }).toEqual({ ...exact.changes, because: "" });
        continue;
      }
      byLogs += 1;
      checkAgreement(logged, exact);
      const there = chunksOfBoth(lines.get(from)!, lines.get(to)!);
      const listed = flat(logged.chunks).map((line) => line.slice(0, line.lastIndexOf(" ")));
      expect(listed.filter((chunk) => !there.has(chunk))).toEqual([]);
    }
  }
  return byLogs;
}

/** `path coordinates` of all chunks of both. */
const chunksOfBoth = (from: Lines, to: Lines): ReadonlySet<string> =>
  new Set(
    [...arraysOf(from, to)].flatMap(([path, ...sides]) =>
      sides.flatMap((lines) => [...(lines?.keys() ?? [])].map((at) => `${path} ${at}`)),
    ),
  );

function checkAgreement(
  logged: Awaited<ReturnType<typeof compared>>,
  exact: Awaited<ReturnType<typeof compared>>,
): void {
  for (const kind of ["added", "removed"]) expect(nodesOf(logged.changes, kind)).toEqual(nodesOf(exact.changes, kind));
  const added = new Set(nodesOf(exact.changes, "added").map(({ path }) => path));
  const moved = nodesOf(logged.changes, "moved").filter(({ path }) => !added.has(path));
  expect(moved).toEqual(nodesOf(exact.changes, "moved"));
  expect(nodesOf(logged.changes, "updated")).toEqual(expect.arrayContaining([...nodesOf(exact.changes, "updated")]));
  const { because } = logged.changes;
  const deleted = because.kind === "logs" && because.reversed ? ["added", "removed"] : ["removed"];
  const gone = new Set(deleted.flatMap((kind) => nodesOf(exact.changes, kind).map(({ path }) => path)));
  for (const [path, chunks] of exact.chunks) {
    if (!gone.has(path)) expect(texts(logged.chunks.get(path))).toEqual(expect.arrayContaining(texts(chunks)));
  }
}

/** Snapshots that branches and tags lead to, and in format 2 the others too. */
export async function snapshotsIn(files: Files, repository: SetRepository): Promise<readonly string[]> {
  const { info, branches, tags } = await openRepository(objectsOf(files), testZstd);
  const ids = new Set(info?.snapshots.keys());
  for (const head of [...branches.values(), ...tags.values()]) {
    for (const { id } of (await repository.ancestry(head, 100, CONTEXT)).entries) ids.add(id);
  }
  return [...ids];
}
