/** The kinds of damage: metadata or a reference changed while the bytes stay, or bytes not stored as declared. */
import { encode, type Filter, withFletcher } from "./encode.ts";
import { documentOf, storedBytes, withBytes, withDocument, withReference } from "./damaged-set.ts";
import type { MadeSet, RangeReference } from "./damaged-set.ts";
import type { DecodingChange } from "#core/repair.ts";
import type { Random } from "./random.ts";

export interface Chunk {
  readonly key: string;
  readonly array: string;
}

export interface Damage {
  readonly name: string;
  /** Kinds of repair that undo it. */
  readonly repairs: readonly DecodingChange["kind"][];
  /** `undefined` where it cannot be done to this chunk. */
  apply(set: MadeSet, chunk: Chunk, values: Uint8Array, random: Random): Promise<MadeSet | undefined>;
}

const filtersOf = (set: MadeSet, array: string): readonly Filter[] => {
  const { filters, compressor } = documentOf(set, array);
  return [...(filters ?? []), ...(compressor === null ? [] : [compressor])] as unknown as readonly Filter[];
};

const withFilters = (set: MadeSet, array: string, filters: readonly Filter[]): MadeSet =>
  withDocument(set, array, { filters: filters as never, compressor: null });

const itemSize = (set: MadeSet, array: string) => Number.parseInt(documentOf(set, array).dtype.slice(2), 10);

export const DAMAGES: readonly Damage[] = [
  {
    name: "offset wrong by 1 to 64",
    repairs: ["move"],
    apply: async (set, { key }, _, random) => {
      const [url, offset, length] = set.references[key] as RangeReference;
      const by = random.whole(1, 64) * (random.next() < 0.5 ? 1 : -1);
      const size = set.files.get(url)?.length ?? 0;
      const moved = offset + by;
      return moved < 0 || moved + length > size ? undefined : withReference(set, key, [url, moved, length]);
    },
  },
  {
    name: "length short by 4",
    repairs: ["move"],
    apply: async (set, { key }) => {
      const [url, offset, length] = set.references[key] as RangeReference;
      return withReference(set, key, [url, offset, length - 4]);
    },
  },
  {
    name: "shuffle element size wrong",
    repairs: ["element-size"],
    apply: async (set, { array }, _, random) => {
      const filters = filtersOf(set, array);
      if (!filters.some(({ id }) => id === "shuffle")) return undefined;
      const sizes = [2, 4, 8, 16].filter((size) => size !== itemSize(set, array));
      const elementsize = random.pick(sizes);
      return withFilters(
        set,
        array,
        filters.map((filter) => (filter.id === "shuffle" ? { ...filter, elementsize } : filter)),
      );
    },
  },
  {
    name: "byte order wrong",
    repairs: ["byte-order"],
    apply: async (set, { array }) => {
      const { dtype } = documentOf(set, array);
      if (dtype.startsWith("|")) return undefined;
      return withDocument(set, array, { dtype: (dtype.startsWith("<") ? ">" : "<") + dtype.slice(1) });
    },
  },
  {
    name: "filter declared, not applied",
    repairs: ["codec-not-applied"],
    apply: async (set, { key, array }, values, random) =>
      random.next() < 0.5 ? storedWithout(set, { key, array }, values, random) : declaredToo(set, array, random),
  },
  {
    name: "Fletcher-32 not declared",
    repairs: ["codec-undeclared"],
    apply: async (set, { key, array }) => {
      const filters = filtersOf(set, array);
      if (filters.at(-1)?.id === "fletcher32") return withFilters(set, array, filters.slice(0, -1));
      return withBytes(set, key, withFletcher(storedBytes(set, key)));
    },
  },
];

/** Stores a chunk as HDF5 does when a filter failed or did not help: its mask says that this chunk went without it. */
async function storedWithout(set: MadeSet, { key, array }: Chunk, values: Uint8Array, random: Random) {
  const filters = filtersOf(set, array);
  if (filters.length === 0) return undefined;
  const left = random.whole(0, filters.length - 1);
  const isBig = documentOf(set, array).dtype.startsWith(">");
  const inOrder = isBig ? turned(values, itemSize(set, array)) : values;
  return withBytes(
    set,
    key,
    await encode(
      inOrder,
      filters.filter((_, at) => at !== left),
    ),
  );
}

function turned(values: Uint8Array, size: number): Uint8Array {
  const copy = new Uint8Array(values);
  for (let at = 0; at < copy.length; at += size) copy.subarray(at, at + size).reverse();
  return copy;
}

function declaredToo(set: MadeSet, array: string, random: Random): MadeSet | undefined {
  const filters = filtersOf(set, array);
  const { dtype } = documentOf(set, array);
  const size = itemSize(set, array);
  const added = random.pick<Filter>([
    ...(size > 1 && !filters.some(({ id }) => id === "shuffle") ? [{ id: "shuffle", elementsize: size }] : []),
    { id: "zlib" },
    { id: "fletcher32" },
    ...(/^[<>][if]/.test(dtype) ? [{ id: "delta", dtype }] : []),
  ]);
  if (filters.some(({ id }) => id === added.id)) return undefined;
  const isOuter = added.id === "zlib" || added.id === "fletcher32";
  return withFilters(set, array, isOuter ? [...filters, added] : [added, ...filters]);
}
