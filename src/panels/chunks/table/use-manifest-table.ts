/** Which columns of the manifest are shown and how wide they are, remembered between visits. */
import { useEffect, useMemo, useState } from "react";
import { remember, rememberedObject } from "../../../store/browser-storage.ts";
import { useFittedColumns } from "../../../widgets/data-grid/FittedColumns.tsx";
import { COLUMNS, type ManifestColumn } from "./manifest-columns.tsx";

/** Sets with templates or gen have a column more, and a layout of their own. */
const placeOf = (rendered: boolean): string => `refscope.manifest.1${rendered ? ".rendered" : ""}`;
const LEAST = 56;
const WIDEST = 2000;

interface TableLayout {
  /** CSS pixels, of columns that were sized. */
  readonly sizing: Readonly<Record<string, number>>;
  readonly visibility: Readonly<Record<string, boolean>>;
  readonly more: boolean;
}

/** What was remembered, as far as it can be understood. `rendered`: rows have an origin. */
function storedLayout(rendered: boolean): TableLayout {
  const { sizing, visibility, more } = rememberedObject(placeOf(rendered));
  return {
    sizing: picked(sizing, isWidth),
    // The key says what the coordinates say.
    visibility: { coordinates: false, from: rendered, ...picked(visibility, (value) => typeof value === "boolean") },
    more: more === true,
  };
}

const isWidth = (value: unknown): value is number => typeof value === "number" && value >= 1 && value <= 2 * WIDEST;

function picked<T>(value: unknown, is: (value: unknown) => value is T): Record<string, T> {
  if (typeof value !== "object" || value === null) return {};
  const given = new Map<string, unknown>(Object.entries(value));
  const known = COLUMNS.flatMap(({ id }): [string, T][] => {
    const one = given.get(id);
    return is(one) ? [[id, one]] : [];
  });
  return Object.fromEntries(known);
}

const isShown = ({ visibility }: Pick<TableLayout, "visibility">, ofRanges: boolean, id: string): boolean =>
  visibility[id] ?? (id !== "state" || !ofRanges);

/** The target and what reading gave take what is left of the width until the target is sized by hand. */
export function shownColumns(
  layout: Pick<TableLayout, "visibility" | "sizing">,
  ofRanges: boolean,
): readonly ManifestColumn[] {
  const { sizing } = layout;
  const shown = COLUMNS.filter(({ id }) => isShown(layout, ofRanges, id));
  const stretches = !("target" in sizing) && shown.some(({ id }) => id === "target");
  return shown.map(({ grow, ...column }) => ({
    ...column,
    width: sizing[column.id] ?? column.width,
    ...(stretches && grow !== undefined ? { grow } : {}),
  }));
}

export type ManifestTable = ReturnType<typeof useManifestTable>;

/** `rendered`: rows have an origin. `ofRanges`: all of them are ranges, so that the column of states says nothing. */
export function useManifestTable(rendered: boolean, ofRanges: boolean) {
  const [layout, setLayout] = useState(() => storedLayout(rendered));
  useEffect(() => {
    remember(placeOf(rendered), JSON.stringify(layout));
  }, [layout, rendered]);
  const columns = useMemo(() => shownColumns(layout, ofRanges), [layout, ofRanges]);
  return {
    /** Those that are chosen. */
    columns,
    /** Those of them that are shown. */
    fitted: useFittedColumns(columns),
    /** All columns that may be hidden. */
    hideable: COLUMNS.slice(1).map(({ id, header }) => ({ id, header, visible: isShown(layout, ofRanges, id) })),
    toggle: (id: string) => {
      const visibility = { ...layout.visibility, [id]: !isShown(layout, ofRanges, id) };
      setLayout({ ...layout, visibility });
    },
    /** Without a width: back to the one that it has by default. */
    resize: (id: string, width?: number) => {
      const others = Object.entries(layout.sizing).filter(([column]) => column !== id);
      const own = width === undefined ? [] : [[id, Math.round(Math.max(LEAST, Math.min(width, WIDEST)))] as const];
      setLayout({ ...layout, sizing: Object.fromEntries([...others, ...own]) });
    },
    /** Whether all filters are shown. */
    more: layout.more,
    setMore: (more: boolean) => setLayout({ ...layout, more }),
  };
}
