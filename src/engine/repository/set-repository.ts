/**
 * The repository behind an open snapshot: what it says of itself at once, and the rest, fetched when it is asked
 * about.
 */
import type { CallContext } from "#core/byte-source.ts";
import { failure, nodeAt } from "#core/findings/finding.ts";
import type { Hierarchy } from "#core/metadata/array-metadata.ts";
import type { RepositorySummary } from "#core/repository.ts";
import type { FoundRef, HistoryEntry, Repository } from "#formats/icechunk/index.ts";
import { branchPath, MAIN, REPO_PATH } from "#formats/icechunk/paths.ts";
import { isWebPage, type Store } from "#io/store.ts";
import type { Comparison, KeptBlame, SetRepository, Weighed } from "../engine-set.ts";
import type { OpenManifest } from "./manifest-cache.ts";

/** The repository and snapshot as they were when the set was opened: nothing of these is fetched again. */
export interface OpenedRepository {
  readonly store: Store;
  readonly repository: Repository;
  readonly shown: FoundRef;
  readonly hierarchy: Hierarchy;
  /** Ids of the nodes shown, by path. */
  readonly ids: ReadonlyMap<string, string>;
  readonly manifests: OpenManifest;
  /** Entries read so far in format 1, where each snapshot is a file. */
  readonly entries: Map<string, HistoryEntry>;
}

/** Operations of a repository; the code for history and comparison is fetched with the first question. */
export function setRepository(opened: OpenedRepository, at: SetRepository["at"]): SetRepository {
  const summary: RepositorySummary = { format: String(opened.repository.format), shown: opened.shown };
  const history = () => import("./history.ts");
  let comparison: Comparison | undefined;
  const { snapshot } = opened.shown;
  let blamed: KeptBlame | undefined;
  let graph: SetRepository["graph"] | undefined;
  let changes: SetRepository["changesIn"] | undefined;
  const { containers } = opened.repository.configuration;
  return {
    summary,
    nodeIds: opened.ids,
    at,
    containers: containers.filter(({ ignored }) => ignored === undefined).map(({ prefix }) => prefix),
    async history(context) {
      const { detachedSnapshots } = await import("./graph.ts");
      return (await history()).historyOf(opened, summary, await detachedSnapshots(opened, context));
    },
    ancestry: async (from: string, limit: number, context: CallContext) =>
      (await history()).ancestryOf(opened, from, limit, context),
    async graph(window, context) {
      graph ??= (await import("./graph.ts")).graphReader(opened);
      return graph(window, context);
    },
    async changesIn(snapshot, context) {
      changes ??= (await import("./commit-changes.ts")).changesReader(opened);
      return changes(snapshot, context);
    },
    olderOperations: async (file, context) => (await history()).olderOperations(opened, file, context),
    async compare(what, context) {
      const { compareSnapshots } = await import("./compare.ts");
      comparison = await compareSnapshots(what, opened, context);
      return comparison.changes;
    },
    forgetComparison() {
      comparison = undefined;
    },
    changedChunks(path, from, to) {
      if (comparison !== undefined) return comparison.changedChunks(path, from, to);
      throw failure("nothing-compared", nodeAt(path), {});
    },
    ...anatomyOf(opened),
    changesOf: (array) => comparison?.changesOf(array),
    async blame(asked, context) {
      const { keepBlame } = await import("./blame/kept-blame.ts");
      blamed = await keepBlame(opened, { snapshot, ...asked }, context);
      return blamed.blame;
    },
    blamedChunks(array, from, to) {
      if (blamed?.blame.array === array) return blamed.chunks(from, to);
      throw failure("nothing-compared", nodeAt(array), {});
    },
    blameOf: (array) => (blamed?.blame.array === array ? blamed.map() : undefined),
    chunkLife: async (asked, context) =>
      (await import("./blame/chunk-life.ts")).chunkLife(opened, { snapshot, ...asked }, context),
    answersAbsence: absenceOf(opened),
  };
}

/** The repository is weighed once. */
function anatomyOf(opened: OpenedRepository): Pick<SetRepository, "anatomyCost" | "anatomy" | "expiry"> {
  let weighed: Weighed | undefined;
  const loaded = () => import("./anatomy/weigh.ts");
  const weigh = async (context: CallContext) => (weighed ??= await (await loaded()).weigh(opened, context));
  return {
    anatomyCost: async () => (await loaded()).anatomyCost(opened),
    anatomy: async (context) => (await weigh(context)).anatomy,
    expiry: async (before, context) => (await weigh(context)).expire(before),
  };
}

/** Asked once; asked again where the answer was unclear. */
function absenceOf({ store, repository }: OpenedRepository): SetRepository["answersAbsence"] {
  let answered: Promise<boolean | undefined> | undefined;
  return async (context) => {
    if (store.keys !== undefined) return true;
    // The official library asks for the file by which the other format is told.
    answered ??= store.get(repository.format === 2 ? branchPath(MAIN) : REPO_PATH, context).then(
      ({ kind }) => kind !== "denied",
      (error: unknown) => {
        answered = undefined;
        context.signal.throwIfAborted();
        return isWebPage(error) ? false : undefined;
      },
    );
    return answered;
  };
}
