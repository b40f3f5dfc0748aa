/** The open set compared with another that is not shown: `set` is A, `other` B. */
import type { CallContext } from "#core/byte-source.ts";
import { coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { ChangeKind } from "#core/repository.ts";
import type {
  ArrayPair,
  ArrayValues,
  DifferingChunk,
  Pair,
  PlaceKind,
  SetDifferences,
  ValuesCost,
} from "#core/set-differences.ts";
import { cut } from "#core/words.ts";
import { cellCollector, MAX_CHANGED } from "../repository/changed-cells.ts";
import { unpacked } from "../repository/changed-ordinals.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";
import type { EngineSet } from "../engine-set.ts";
import type { EngineContext, OfSet } from "../sessions.ts";
import { chunkReferences, compareSets, placeKind, sharedArrays } from "./compare-sets.ts";
import { comparableChunks, compareValues, type ValuesWish } from "./compare-values.ts";
import { pairArrays, type PairWish } from "./pair-arrays.ts";

interface OfTwo extends OfSet {
  readonly other: number;
}
interface OfArray extends OfTwo {
  readonly path: string;
}

/** State on the map of the grid; a chunk that cannot be compared is no change. */
const CHANGE: Readonly<Partial<Record<PlaceKind, ChangeKind>>> = {
  elsewhere: "changed",
  content: "changed",
  form: "changed",
  onlyA: "removed",
  onlyB: "added",
};

/** Inline data may be of any length. */
const shortened = (chunk: DifferingChunk): DifferingChunk => ({ ...chunk, a: cut(chunk.a, 500), b: cut(chunk.b, 500) });

export function compareOperations({ sessions, decoder }: EngineContext) {
  const setsOf = ({ set, other }: OfTwo) => ({ a: sessions.get(set).set, b: sessions.get(other).set });
  const forget = ({ set }: OfSet): void => {
    const session = sessions.get(set);
    if (session.compared !== undefined) sessions.close(session.compared.other);
    session.compared = undefined;
  };
  return {
    /** Kept with the set until the next, or until it is closed: the other set is closed then. */
    async sets({ set, other }: OfTwo, context: CallContext): Promise<SetDifferences> {
      const session = sessions.get(set);
      const changes = new Map<string, ReturnType<typeof unpacked>>();
      if (session.compared?.other !== other) forget({ set });
      session.compared = { other, changes };
      const budget = { left: MAX_CHANGED };
      const found = new Map<string, ReturnType<typeof cellCollector>>();
      const differences = await compareSets(setsOf({ set, other }), context, (path, grid) => {
        const cells = cellCollector(grid, false, budget);
        found.set(path, cells);
        return (ordinal, kind) => {
          const change = CHANGE[kind];
          if (change !== undefined) cells.add(ordinal, change);
        };
      });
      for (const [path, cells] of found) changes.set(path, unpacked(cells.finish().packed));
      const arrays = differences.arrays.map(({ first, ...array }) => ({ ...array, first: first && shortened(first) }));
      return { ...differences, arrays };
    },
    forget,
    /** Chunks with other references, in C order; `total`: those that can be listed. */
    async chunks(
      { path, from, to, ...of }: OfArray & { readonly from: number; readonly to: number },
      context: CallContext,
    ) {
      const sets = setsOf(of);
      const { ordinals } = sessions.get(of.set).compared?.changes.get(path) ?? { ordinals: new Float64Array(0) };
      const { at, grid } = await chunkReferences(sets, path, context);
      const chunks = Array.from(ordinals.subarray(from, to), (ordinal): DifferingChunk => {
        const { a, b } = at(ordinal);
        const kind = placeKind(sets, { a: a.reference, b: b.reference });
        return shortened({ coordinates: coordinatesOf(grid, ordinal), kind, a: a.written, b: b.written });
      });
      return { total: ordinals.length, chunks };
    },
    ...valueOperations(setsOf, decoder),
  };
}

function valueOperations(setsOf: (of: OfTwo) => Pair<EngineSet>, decoder: ChunkDecoder) {
  const arraysOf = ({ path, ...of }: OfArray) => {
    const sets = setsOf(of);
    const nodes = sharedArrays(sets).find(({ a }) => a.path === path);
    return nodes && { sets, nodes };
  };
  return {
    /** Cost of comparing by value, for the arrays that can be compared. Makes no request. */
    async cost({ mode, ...of }: OfTwo & Pick<PairWish, "mode">, context: CallContext): Promise<readonly ValuesCost[]> {
      const sets = setsOf(of);
      const costs: ValuesCost[] = [];
      for (const nodes of sharedArrays(sets)) {
        const found = await comparableChunks({ sets, nodes, mode }, context);
        const { candidates, rest, bytes, sized } = found ?? { candidates: 0, rest: 0, bytes: 0, sized: 0 };
        costs.push({ path: nodes.a.path, candidates, rest, bytes, sized });
      }
      return costs;
    },
    /** How an array of both is laid onto the other, which reads coordinates. `undefined`: it is not an array of both. */
    async pair({ path, mode, given, ...of }: OfArray & ValuesAsked, context: CallContext) {
      const found = arraysOf({ path, ...of });
      return found && ((await pairArrays({ ...found, mode, given, decoder }, context)) satisfies ArrayPair);
    },
    /** `undefined`: it is not an array of both. */
    async values(
      { path, chunks, mode, given, ...of }: OfArray & ValuesAsked & Pick<ValuesWish, "chunks">,
      context: CallContext,
    ) {
      const wish = arraysOf({ path, ...of });
      const asked = { chunks, mode, given, decoder };
      return wish && ((await compareValues({ ...wish, ...asked }, context)) satisfies ArrayValues);
    },
  };
}

type ValuesAsked = Pick<PairWish, "mode" | "given">;
