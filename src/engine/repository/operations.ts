/** The history of the repository that a set is a snapshot of; other sets throw `no-repository`. */
import type { CallContext } from "../../core/byte-source.ts";
import type {
  Ancestry,
  ChangedChunks,
  OlderOperations,
  RepositoryHistory,
  SnapshotChanges,
} from "../../core/repository.ts";
import { repositoryOf, type ComparedSnapshots } from "../engine-set.ts";
import type { House } from "../sessions.ts";

interface OfSet {
  readonly set: number;
}

interface ChangedWindow extends OfSet {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

export function repositoryOperations({ sessions }: House) {
  const of = ({ set }: OfSet) => repositoryOf(sessions.get(set).set);
  return {
    history: async (request: OfSet, context: CallContext): Promise<RepositoryHistory> => of(request).history(context),
    /** The chain of snapshots behind one, newest first, at most `limit`. */
    ancestry: async (
      request: OfSet & { readonly from: string; readonly limit: number },
      context: CallContext,
    ): Promise<Ancestry> => of(request).ancestry(request.from, request.limit, context),
    olderOperations: async (
      request: OfSet & { readonly file: string },
      context: CallContext,
    ): Promise<OlderOperations> => of(request).olderOperations(request.file, context),
    /** Kept with the set until the next: `changedChunks` and the raster `change` use it. */
    compare: async ({ set, ...what }: OfSet & ComparedSnapshots, context: CallContext): Promise<SnapshotChanges> =>
      of({ set }).compare(what, context),
    /** What was compared is no longer of interest. */
    forgetComparison(request: OfSet): void {
      of(request).forgetComparison();
    },
    changedChunks: (request: ChangedWindow): ChangedChunks =>
      of(request).changedChunks(request.path, request.from, request.to),
  };
}
