/** The history of the repository that a set is a snapshot of; other sets throw `no-repository`. */
import type { Expiry } from "#core/anatomy.ts";
import type { CallContext } from "#core/byte-source.ts";
import { givingAway } from "#core/transfer.ts";
import { type BlameAsked, repositoryOf, type ComparedSnapshots, type GraphWindow } from "../engine-set.ts";
import type { EngineContext, OfSet } from "../sessions.ts";

const MOST_NAMES = 500;

type Asked<Members> = OfSet & Readonly<Members>;

export function repositoryOperations({ sessions }: EngineContext) {
  const of = (set: number) => repositoryOf(sessions.get(set).set);
  return {
    history: async ({ set }: OfSet, context: CallContext) => of(set).history(context),
    /** A window of the graph of snapshots; an empty one for the facts alone. */
    graph: async ({ set, ...window }: Asked<GraphWindow>, context: CallContext) => of(set).graph(window, context),
    /** Changes of one commit, from its transaction log. */
    changesIn: async ({ set, snapshot }: Asked<{ snapshot: string }>, context: CallContext) =>
      of(set).changesIn(snapshot, context),
    olderOperations: async ({ set, file }: Asked<{ file: string }>, context: CallContext) =>
      of(set).olderOperations(file, context),
    /** Kept with the set until the next: `changedChunks` and the raster `change` use it. */
    compare: async ({ set, ...what }: Asked<ComparedSnapshots>, context: CallContext) => of(set).compare(what, context),
    /** Forgets a comparison that is no longer of interest. */
    forgetComparison: ({ set }: OfSet): void => of(set).forgetComparison(),
    anatomyCost: async ({ set }: OfSet) => of(set).anatomyCost(),
    anatomy: async ({ set }: OfSet, context: CallContext) => of(set).anatomy(context),
    /** `before`: ISO; "" for garbage alone. Only some of the files are named: there may be hundreds of thousands. */
    async expiry({ set, before }: Asked<{ before: string }>, context: CallContext): Promise<Expiry> {
      const expiry = await of(set).expiry(before === "" ? undefined : before, context);
      return { ...expiry, freed: expiry.freed.slice(0, MOST_NAMES) };
    },
    changedChunks: ({ set, path, from, to }: Asked<{ path: string; from: number; to: number }>) =>
      of(set).changedChunks(path, from, to),
    /** Kept with the set until the next: `blamedChunks` and the raster `blame` use it. */
    blame: async ({ set, ...asked }: Asked<BlameAsked>, context: CallContext) => of(set).blame(asked, context),
    blamedChunks({ set, array, from, to }: Asked<{ array: string; from: number; to: number }>) {
      const chunks = of(set).blamedChunks(array, from, to);
      return givingAway(chunks, [chunks.by.buffer, chunks.kinds.buffer]);
    },
    chunkLife: async ({ set, ...asked }: Asked<BlameAsked & { chunk: readonly number[] }>, context: CallContext) =>
      of(set).chunkLife(asked, context),
  };
}
