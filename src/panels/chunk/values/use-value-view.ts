import { useState } from "react";
import { chunkStart } from "#core/metadata/chunk-grid.ts";
import type { ShownSlice } from "#core/plane/plane.ts";
import type { Reading } from "#core/reading.ts";
import { elementOn } from "#store/one-selection.ts";
import { useActions, useAppState } from "#store/react.tsx";
import type { Plane } from "#widgets/cell-map/plane.ts";
import type { ChunkArray } from "../chunk-words.ts";
import { fitShown } from "../shown-dimensions.ts";
import type { ValueTab } from "../tabs.ts";
import type { Axes } from "#store/hooks/use-axes.ts";

/** How the user wants to see values: kept from chunk to chunk of one array. */
export interface ValueView {
  readonly tab: ValueTab | undefined;
  /** Stage whose bytes are shown, as chosen: the reading may have none there. */
  readonly stage: number | undefined;
  /** True only where the reading has a scaled view. */
  readonly scaled: boolean;
  /** Selected element of the array, else the beginning of the chunk on the slice. */
  readonly element: readonly number[];
  readonly isChosen: boolean;
  /** The plane through the reading's chunk at the element. */
  readonly shown: Plane;
  readonly change: (part: Partial<Pick<ValueView, "tab" | "stage" | "shown">>) => void;
}

/** `coordinates`: of the selected chunk; `reading` may be of the one before. */
export function useValueView(
  reading: Reading | undefined,
  { chunks }: Pick<ChunkArray, "chunks">,
  coordinates: readonly number[],
): ValueView {
  const actions = useActions();
  const point = useAppState((state) => state.point);
  const slice = useAppState((state) => state.slice);
  const inData = useAppState(({ view }) => view === "data");
  const isRaw = useAppState((state) => state.rawValues);
  const [chosen, setChosen] = useState<Partial<ValueView>>({});
  const inside = reading?.values?.inside ?? [];
  const start = chunkStart(reading?.coordinates ?? [], chunks);
  const element = point ?? elementOn(slice, chunkStart(coordinates, chunks));
  const plane = isWide(slice, inside) ? slice?.plane : undefined;
  const shown = fitShown(inData ? (plane ?? chosen.shown) : (chosen.shown ?? plane), inside);
  const at = pointInside(element, start, inside);
  return {
    tab: chosen.tab,
    stage: chosen.stage,
    scaled: !isRaw && reading?.values?.scaling !== undefined,
    element,
    isChosen: point !== undefined,
    shown: at === undefined ? shown : { ...shown, at },
    change: (part) => {
      setChosen((before) => ({ ...before, ...part }));
      const { row, column, at = [] } = part.shown ?? {};
      // Else the plane was turned.
      const isMoved = part.shown !== undefined && row === shown.row && column === shown.column;
      if (isMoved && start.length === at.length)
        actions.showPlace({ point: start.map((first, dimension) => first + (at[dimension] ?? 0)) });
    },
  };
}

/** True if the chunk is more than a line of the slice. */
function isWide(slice: ShownSlice | undefined, inside: readonly number[]): boolean {
  const { row, column } = slice?.plane ?? {};
  return [row, column].every((dimension) => dimension !== undefined && (inside[dimension] ?? 0) > 1);
}

/** Position in the chunk of an element of the array; `undefined` where it lies elsewhere. */
export function pointInside(
  point: readonly number[],
  start: readonly number[],
  inside: readonly number[],
): readonly number[] | undefined {
  if (point.length !== inside.length || start.length !== inside.length) return undefined;
  const at = point.map((one, dimension) => one - (start[dimension] ?? 0));
  return at.every((one, dimension) => one >= 0 && one < (inside[dimension] ?? 0)) ? at : undefined;
}

/** Props of a tab that shows values. */
export interface ValueTabProps {
  readonly set: number;
  readonly array: ChunkArray;
  readonly reading: Reading;
  readonly values: NonNullable<Reading["values"]>;
  readonly view: ValueView;
  readonly axes: Axes;
  /** Id of what says the value that is looked at, and telling it where the pointer is in the chunk. */
  readonly readout: string;
  readonly onHover: (element: readonly number[] | undefined) => void;
}
