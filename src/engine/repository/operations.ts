/** The history of the repository that a set is a snapshot of; other sets throw `no-repository`. */
import type { CallContext } from "#core/byte-source.ts";
import { repositoryOf, type ComparedSnapshots } from "../engine-set.ts";
import type { EngineContext, OfSet } from "../sessions.ts";

type Asked<Members> = OfSet & Readonly<Members>;

export function repositoryOperations({ sessions }: EngineContext) {
  const of = (set: number) => repositoryOf(sessions.get(set).set);
  return {
    history: async ({ set }: OfSet, context: CallContext) => of(set).history(context),
    /** The chain of snapshots behind one, newest first, at most `limit`. */
    ancestry: async ({ set, from, limit }: Asked<{ from: string; limit: number }>, context: CallContext) =>
      of(set).ancestry(from, limit, context),
    olderOperations: async ({ set, file }: Asked<{ file: string }>, context: CallContext) =>
      of(set).olderOperations(file, context),
    /** Kept with the set until the next: `changedChunks` and the raster `change` use it. */
    compare: async ({ set, ...what }: Asked<ComparedSnapshots>, context: CallContext) => of(set).compare(what, context),
    /** Forgets a comparison that is no longer of interest. */
    forgetComparison: ({ set }: OfSet): void => of(set).forgetComparison(),
    changedChunks: ({ set, path, from, to }: Asked<{ path: string; from: number; to: number }>) =>
      of(set).changedChunks(path, from, to),
  };
}
