/** Cells of the treemap: the repository's own files by array and kind, or virtual bytes by array. */
import type { Anatomy, Expiry } from "#core/anatomy.ts";

export interface AnatomyCell {
  readonly name: string;
  readonly kind: "native" | "manifests" | "metadata" | "orphans" | "virtual" | "others";
  readonly bytes: number;
  /** The share that collecting would free. */
  readonly freed: number;
}

export type Shown = "files" | "virtual";

/** Smaller ones are put together. */
const MOST_CELLS = 48;

export function anatomyCells(anatomy: Anatomy, expiry: Expiry | undefined, shown: Shown): readonly AnatomyCell[] {
  const cells = (shown === "virtual" ? virtualCells(anatomy) : fileCells(anatomy, expiry)).filter(
    ({ bytes }) => bytes > 0,
  );
  const sorted = cells.toSorted((a, b) => b.bytes - a.bytes);
  if (sorted.length <= MOST_CELLS) return sorted;
  const rest = sorted.slice(MOST_CELLS - 1);
  const [bytes, freed] = (["bytes", "freed"] as const).map((of) => rest.reduce((sum, cell) => sum + cell[of], 0));
  const others = { name: `${rest.length} smaller ones`, kind: "others", bytes: bytes ?? 0, freed: freed ?? 0 } as const;
  return [...sorted.slice(0, MOST_CELLS - 1), others].toSorted((a, b) => b.bytes - a.bytes);
}

export const pathText = ({ path }: { readonly path: string }): string => (path === "" ? "/" : path);

function fileCells({ arrays, bytes, orphans }: Anatomy, expiry: Expiry | undefined): readonly AnatomyCell[] {
  const all = orphans.reduce((sum, one) => sum + (one.bytes ?? 0), 0);
  return [
    ...arrays.flatMap((array, at) =>
      (["native", "manifests"] as const).map((kind) => ({
        name: pathText(array),
        kind,
        bytes: array.bytes[kind],
        freed: expiry?.ofArrays[at]?.[kind] ?? 0,
      })),
    ),
    { name: "metadata", kind: "metadata", bytes: bytes.metadata, freed: expiry?.byPart.metadata ?? 0 },
    { name: "orphans", kind: "orphans", bytes: all, freed: all },
  ];
}

const virtualCells = ({ arrays }: Anatomy): readonly AnatomyCell[] =>
  arrays.map((array) => ({ name: pathText(array), kind: "virtual", bytes: array.bytes.virtual, freed: 0 }));
