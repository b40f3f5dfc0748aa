/** The pictures of all slices, asked for together. */
import { useMemo } from "react";
import type { NodeSummary, Raster, RasterColour, RasterSpec } from "../../../core/open-set.ts";
import { useAppState, useEngine } from "../../../store/react.tsx";
import type { PanelPicture, PanelRasters } from "./draw-panels.ts";
import { READ_FAILED } from "./grid-picture.ts";
import type { PanelLayout } from "./panel-layout.ts";
import type { PanelSlices } from "./panel-slices.ts";

const KINDS = 3;

export function usePanels(
  set: number,
  node: NodeSummary,
  slices: PanelSlices,
  colour: RasterColour,
  layout: PanelLayout | undefined,
) {
  const specs = useMemo(() => panelSpecs(node.path, slices, colour), [node.path, slices, colour]);
  const comparison = useAppState((state) => state.comparison);
  const keep = `panels ${node.path} ${colour} ${specs.length} ${colour === "change" ? `${comparison?.from} ${comparison?.to}` : ""}`;
  const answer = useEngine("table.rasters", { set, specs }, keep);
  const { data } = answer;
  const panels = useMemo(() => data && panelRasters(data), [data]);
  const lengths = useMemo(
    () => (panels === undefined || colour !== "length" ? {} : lengthRange(panels)),
    [panels, colour],
  );
  const picture = useMemo<PanelPicture | undefined>(() => {
    if (panels === undefined || layout === undefined || panels.length !== slices.panels) return undefined;
    const shown = panels.map((one) => ({ ...one, colour: { ...one.colour, ...lengths } }));
    const dotted = panels.some(({ readings }) => readings.codes.some((code) => code > 0));
    return { layout, panels: shown, by: colour, dotted, shard: slices.shard };
  }, [panels, layout, lengths, colour, slices]);
  return {
    picture,
    minimum: lengths.minimum,
    maximum: lengths.maximum,
    stale: answer.stale,
    error: answer.error,
    retry: answer.retry,
  };
}

function panelSpecs(array: string, { panels, rows, columns, plane, through }: PanelSlices, colour: RasterColour) {
  return Array.from({ length: panels }, (_, panel) => {
    // Where the cursor is on a slice changes nothing of its picture.
    const fixed = plane.at.map((at, dimension) =>
      dimension === through?.dimension ? panel : dimension === plane.row || dimension === plane.column ? 0 : at,
    );
    const spec: Omit<RasterSpec, "colour"> = {
      array,
      rowDimension: plane.row,
      columnDimension: plane.column,
      fixed,
      rows: { from: 0, to: rows.count },
      columns: { from: 0, to: columns.count },
      width: columns.count,
      height: rows.count,
    };
    return [colour, "state", "reading"].map((one) => ({ ...spec, colour: one as RasterColour }));
  }).flat();
}

function panelRasters(rasters: readonly Raster[]): readonly PanelRasters[] {
  return Array.from({ length: Math.floor(rasters.length / KINDS) }, (_, at) => {
    const [colour, states, readings] = rasters.slice(at * KINDS, (at + 1) * KINDS) as [Raster, Raster, Raster];
    return { colour, states, readings };
  });
}

/** Shortest and longest of all panels; failed ones are drawn red, and would stretch the scale by lengths that are wrong. */
function lengthRange(panels: readonly PanelRasters[]): { readonly minimum?: number; readonly maximum?: number } {
  let minimum = Infinity;
  let maximum = -1;
  for (const { colour, readings } of panels) {
    for (const [pixel, length] of colour.values.entries()) {
      if (length < 0 || readings.codes[pixel] === READ_FAILED) continue;
      if (length < minimum) minimum = length;
      if (length > maximum) maximum = length;
    }
  }
  return maximum < 0 ? {} : { minimum, maximum };
}
