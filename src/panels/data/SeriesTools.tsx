/** Tools of the series: stop reading it, copy or save it. */
import { useRef } from "react";
import { Button } from "#widgets/controls/Button.tsx";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { SaveMenu } from "./SaveMenu.tsx";
import { pictureFile } from "./picture-file.ts";
import { type ArrayShown, placeAlong, useShown } from "./shown-array.ts";
import type { Series } from "./use-series.ts";

interface SeriesToolsProps {
  readonly series: Series;
  readonly dimension: number;
}

export function SeriesTools({ series, dimension }: SeriesToolsProps) {
  const shown = useShown();
  const here = useRef<HTMLSpanElement>(null);
  const reading = series.kind === "costly" ? undefined : series.reading;
  const { set, node, about } = shown;
  const picture = () => {
    const svg = here.current?.parentElement?.parentElement?.querySelector<SVGSVGElement>("svg[role=img]") ?? undefined;
    const title = `${about?.title ?? node.name} at ${cursorText(shown)}`;
    return svg === undefined
      ? Promise.reject(new Error("The series is not visible."))
      : pictureOf(svg, title, set.name);
  };
  return (
    <>
      <span ref={here}>
        {reading === undefined ? null : `${formatCount(reading.done)} of ${countOf(reading.wanted, "chunk")}`}
      </span>
      {reading === undefined ? null : (
        <Button
          aria-label={reading.isStopped ? "Read the rest of the series" : "Stop reading the series"}
          onClick={reading.toggle}
        >
          {reading.isStopped ? "Read on" : "Stop"}
        </Button>
      )}
      {series.kind === "line" ? <SaveMenu picture={picture} along={dimension} /> : null}
    </>
  );
}

/** "31°S 121°W": the cursor along the dimensions that are shown. */
export function cursorText(shown: ArrayShown): string {
  const { row, column, at } = shown.plane;
  return [row, column].flatMap((one) => (one === undefined ? [] : [placeAlong(shown, one, at[one] ?? 0)])).join(" ");
}

const DRAWN = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "font",
  "text-anchor",
  "dominant-baseline",
];
const ROOM = { top: 60, left: 80, right: 24, bottom: 20 };
const RATIO = 2;

/** The plot as a file, as the page's style has it, below a title. */
async function pictureOf(svg: SVGSVGElement, title: string, subtitle: string): Promise<Blob> {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [width, height] = [svg.clientWidth + ROOM.left + ROOM.right, svg.clientHeight + ROOM.top + ROOM.bottom];
  const parts = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  for (const [at, part] of [svg, ...svg.querySelectorAll("*")].entries()) {
    const style = getComputedStyle(part);
    for (const name of DRAWN) parts[at]?.style.setProperty(name, style.getPropertyValue(name));
  }
  copy.setAttribute("viewBox", `${-ROOM.left} ${-ROOM.top} ${width} ${height}`);
  copy.setAttribute("width", String(width * RATIO));
  copy.setAttribute("height", String(height * RATIO));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const words = { title, subtitle };
  return pictureFile({ width, height, ratio: RATIO }, words, getComputedStyle(document.body), (context) =>
    context.drawImage(image, 0, 0, width, height),
  );
}
