/** A picture fit for a slide: SVG with a title, axes and a colour bar around pixels or lines, and the same as PNG. */
import { type ChunkEdges, startAlong } from "#core/metadata/chunk-grid.ts";
import { countLooks, type PlaneValues } from "#core/plane/plane-values.ts";
import { distinctTexts } from "#core/values/number-text.ts";
import { unitsText } from "#core/values/value-text.ts";
import type { Axes, PlacedTick } from "#widgets/cell-map/axes.ts";
import { placedTicks } from "#widgets/cell-map/axes.ts";
import type { CellView } from "#widgets/cell-map/camera.ts";
import { coastDrawing, type Coasts } from "#widgets/cell-map/coast-lines.ts";
import { keptDrawings } from "#widgets/cell-map/draw-map.ts";
import { readPalette } from "#widgets/cell-map/palette.ts";
import { colourAt } from "#widgets/values/colormap.ts";
import { shareOf, valueAtShare } from "#widgets/plane/colour-range.ts";
import { type PlaneLook, planePicture } from "#widgets/plane/plane-picture.ts";
import { countOf } from "#widgets/number-format.ts";
import { lineShape } from "#widgets/plot/plot-shape.ts";
import { LOOK_WORDS, plotTicks } from "./SeriesPlot.tsx";
import { type ArrayShown, placeAlong } from "./shown-array.ts";
import { namedSteps } from "./StepScale.tsx";

interface SlideWords {
  /** "sea surface temperature (°C)" */
  readonly title: string;
  /** "sst · 1000 hPa · 2026-01-03 · ocean.json" */
  readonly subtitle: string;
  readonly units: string;
  /** Chunks that are not in it; nothing if all are. */
  readonly note: string;
}

/** Words for what lies along some dimensions of the array: the others are said with their places. */
export function slideWords(shown: ArrayShown, along: readonly (number | undefined)[]): SlideWords {
  const { set, node, about, plane, request, progress } = shown;
  const places = plane.at.flatMap((at, dimension) =>
    along.includes(dimension) ? [] : [placeAlong(shown, dimension, at)],
  );
  const units = request.scaled && about?.units !== undefined ? unitsText(about.units) : "";
  const title = about?.title ?? node.name;
  const looks = progress.shown?.looks ?? [];
  const read = countLooks(looks, "read");
  return {
    title: units === "" ? title : `${title} (${units})`,
    subtitle: [...(title === node.name ? [] : [node.name]), ...places, set.name].join(" · "),
    units,
    note: along.length < 2 || read === looks.length ? "" : `${read} of ${countOf(looks.length, "chunk")} read`,
  };
}

const ROOM = { top: 76, left: 64, right: 28 };
const FONT = "system-ui, sans-serif";
const NAMESPACE = "http://www.w3.org/2000/svg";

type Attributes = Readonly<Record<string, string | number>>;

/** XML has no other characters, not even escaped: with one of them no reader takes the picture. */
export const xmlText = (text: string): string =>
  text.replaceAll(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD");

function make(name: string, attributes: Attributes, ...children: readonly (Node | string)[]): SVGElement {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children.map((one) => (typeof one === "string" ? xmlText(one) : one)));
  return element;
}

const text = (x: number, y: number, words: string, more: Attributes = {}) =>
  make("text", { x: x.toFixed(1), y: y.toFixed(1), fill: "currentColor", "font-size": 14, ...more }, words);

/** Around a plot of this size: its ground, title and what is missing, in the colours of `style`. */
function slide(
  plot: { readonly width: number; readonly height: number; readonly below: number; readonly left?: number },
  { title, subtitle, note }: SlideWords,
  style: CSSStyleDeclaration,
  ...content: readonly Node[]
): SVGElement {
  const left = Math.max(ROOM.left, plot.left ?? 0);
  const [width, height] = [plot.width + left + ROOM.right, plot.height + plot.below + ROOM.top].map(Math.ceil);
  const size = { width: width ?? 0, height: height ?? 0 };
  return make(
    "svg",
    { xmlns: NAMESPACE, ...size, viewBox: `0 0 ${width} ${height}`, "font-family": FONT, color: style.color },
    make("title", {}, title),
    make("rect", { ...size, fill: getComputedStyle(document.body).backgroundColor }),
    text(left, 36, title, { "font-size": 22, "font-weight": 600, ...fitted(title, plot.width, 12.4) }),
    text(left, 60, subtitle, { "fill-opacity": 0.75, ...fitted(subtitle, plot.width, 7.6) }),
    text(left, size.height - 10, note, { "font-size": 12, "fill-opacity": 0.75 }),
    make("g", { transform: `translate(${left} ${ROOM.top})` }, ...content),
  );
}

/** Long words are drawn closer together rather than out of the picture. */
const fitted = (words: string, room: number, letter: number): Attributes =>
  words.length * letter > room ? { textLength: room, lengthAdjust: "spacingAndGlyphs" } : {};

const ticksAcross = (ticks: readonly PlacedTick[], height: number): readonly SVGElement[] =>
  ticks.flatMap(({ at, text: words }) => [
    make("path", { d: `M${at.toFixed(1)} ${height}v5`, stroke: "currentColor" }),
    text(at, height + 21, words, { "text-anchor": "middle" }),
  ]);

export interface PlaneSlide {
  readonly look: PlaneLook;
  readonly view: CellView;
  readonly axes: Axes;
  readonly coasts: Coasts | undefined;
  /** Element with the colours of the page. */
  readonly frame: HTMLElement;
  /** Names of the dimensions across and down. */
  readonly names: readonly [across: string, down: string];
  /** Meanings of classes, in place of ticks. */
  readonly meanings: readonly string[] | undefined;
}

const BAR = { top: 48, height: 16 };

export function planeSlide({ frame, view, axes, names, ...shown }: PlaneSlide, words: SlideWords, ratio: number) {
  const probe = document.createElement("canvas").getContext("2d");
  if (probe !== null) probe.font = `14px ${FONT}`;
  const { across, down, width, height } = placedTicks(view, axes, (one) => probe?.measureText(one).width ?? 0);
  const left = 20 + Math.max(0, ...down.map(({ text: one }) => probe?.measureText(one).width ?? 0));
  return slide(
    { width, height, below: 112, left },
    words,
    getComputedStyle(frame),
    make("image", { width, height, href: pixelsOf({ frame, view, ...shown }, { width, height, ratio }) }),
    make("rect", { width, height, fill: "none", stroke: "currentColor" }),
    ...ticksAcross(across, height),
    ...down.flatMap(({ at, text: one }) => [
      make("path", { d: `M0 ${at.toFixed(1)}h-5`, stroke: "currentColor" }),
      text(-10, at, one, { "text-anchor": "end", "dominant-baseline": "central" }),
    ]),
    text(width, height + 40, names[0], { "text-anchor": "end", "font-size": 12, "fill-opacity": 0.75 }),
    text(-10, -8, names[1], { "text-anchor": "end", "font-size": 12, "fill-opacity": 0.75 }),
    ...colourBar({ ...shown, ...words }, width, height + BAR.top),
  );
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
}

/** The cells and coasts alone, as a PNG in a `data:` URL. */
function pixelsOf(
  { look, view, coasts, frame }: Pick<PlaneSlide, "look" | "view" | "coasts" | "frame">,
  { width, height, ratio }: Pixels,
): string {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("The browser provides no canvas to draw on.");
  context.scale(ratio, ratio);
  const painter = { context, ratio, palette: readPalette(frame) };
  const { textOf: _, ...picture } = planePicture(look, new Map());
  keptDrawings()(painter, { view, axes: undefined }, picture);
  if (coasts !== undefined) coastDrawing(coasts, view, { x: 0, y: 0 })(painter);
  return canvas.toDataURL();
}

const STOPS = 32;

function colourBar(
  { look: { range, colormap, plane }, units, meanings }: Pick<PlaneSlide, "look" | "meanings"> & SlideWords,
  room: number,
  top: number,
): readonly SVGElement[] {
  if (range === undefined) return [];
  if (meanings !== undefined) return classSwatches(["other", ...meanings], colormap, room, top);
  const width = Math.min(480, room - 130);
  const stops = Array.from({ length: STOPS + 1 }, (_, at) =>
    make("stop", { offset: at / STOPS, "stop-color": colourAt(colormap, at / STOPS) }),
  );
  const ends = [range.minimum, range.maximum];
  const ticks = range.logarithmic
    ? [0, 0.25, 0.5, 0.75, 1].map((share) => Number(valueAtShare(range, share).toPrecision(2)))
    : plotTicks(range.minimum, range.maximum, 8);
  const values = ticks.filter((value) => value >= Math.min(...ends) && value <= Math.max(...ends));
  const texts = distinctTexts(values);
  return [
    make("linearGradient", { id: "colours" }, ...stops),
    make("rect", { y: top, width, height: BAR.height, fill: "url(#colours)", stroke: "currentColor" }),
    ...ticksAcross(
      values.map((value, at) => ({ at: shareOf(range, value) * width, text: texts[at] ?? "" })),
      top + BAR.height,
    ),
    text(width + 12, top + 13, units),
    // A sample of the hatching that stands where there is no value.
    ...(plane.values.some(Number.isNaN) ? noData(width + 24 + units.length * 8, top) : []),
  ];
}

function noData(x: number, y: number): readonly SVGElement[] {
  const line = make("path", { d: "M0 0v5", stroke: "currentColor", "stroke-opacity": 0.5 });
  const hatch = { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  const box = { x, y: y + 1, width: 14, height: 14, fill: "url(#hatch)", stroke: "currentColor" };
  return [make("pattern", hatch, line), make("rect", box), text(x + 20, y + 13, "no data")];
}

export interface SeriesSlide {
  readonly values: PlaneValues;
  readonly count: number;
  readonly side: ChunkEdges;
  readonly placeOf: (at: number) => string;
  /** Name of the dimension. */
  readonly name: string;
}

const PLOT = { width: 960, height: 380 };
const LETTER = 8;

/** The whole series as a line, with what has no values. */
export function seriesSlide(
  { values: { values, steps, looks }, count, side, placeOf, name }: SeriesSlide,
  { style, ...words }: SlideWords & { readonly style: CSSStyleDeclaration },
): SVGElement {
  const { width, height } = PLOT;
  const x = (step: number) => (step / count) * width;
  const along = x((values.length - 1) * steps.across);
  const { line, middle, extent, y } = lineShape(values, { width: along, height: height - 16 });
  const ticks = extent === undefined ? [] : plotTicks(extent.minimum, extent.maximum, 7);
  const texts = distinctTexts(ticks);
  const room = Math.max(...[0, count - 1].map((at) => placeOf(at).length)) * LETTER + 24;
  const stroke = { fill: "none", stroke: "currentColor", "stroke-linecap": "round", "stroke-linejoin": "round" };
  return slide(
    { width, height, below: 60, left: 24 + Math.max(0, ...texts.map((one) => one.length)) * LETTER },
    words,
    style,
    ...ticks.flatMap((value, at) => [
      make("path", { d: `M0 ${(y(value) + 8).toFixed(1)}h${width}`, stroke: "currentColor", "stroke-opacity": 0.15 }),
      text(-10, y(value) + 8, texts[at] ?? "", { "text-anchor": "end", "dominant-baseline": "central" }),
    ]),
    ...looks.flatMap((look, chunk) => {
      if (look === "read") return [];
      const [from, to] = [x(startAlong(side, chunk)), Math.min(width, x(startAlong(side, chunk + 1)))];
      const box = { x: from, width: Math.max(1, to - from), height, fill: "currentColor", "fill-opacity": 0.1 };
      const word = LOOK_WORDS[look];
      const hasRoom = to - from > word.length * LETTER;
      return [
        make("rect", box),
        ...(hasRoom ? [text((from + to) / 2, height / 2, word, { "text-anchor": "middle" })] : []),
      ];
    }),
    make(
      "g",
      { transform: `translate(${x(0.5)} 8)`, ...stroke },
      make("path", { d: line, "stroke-width": 2, "stroke-opacity": middle === "" ? 1 : 0.3 }),
      make("path", { d: middle, "stroke-width": 2 }),
    ),
    make("path", { d: `M0 0V${height}H${width}`, fill: "none", stroke: "currentColor" }),
    ...ticksAcross(
      namedSteps({ from: 0, to: count }, width, room, side).map((at) => ({ at: x(at + 0.5), text: placeOf(at) })),
      height,
    ),
    text(width, height + 44, name, { "text-anchor": "end", "font-size": 12, "fill-opacity": 0.75 }),
  );
}

/** Each class with its colour and meaning, as many as have room. */
function classSwatches(meanings: readonly string[], colormap: PlaneLook["colormap"], room: number, top: number) {
  let x = 0;
  let y = top;
  return meanings.flatMap((meaning, at) => {
    const width = 28 + meaning.length * 7.5;
    if (x > 0 && x + width > room) [x, y] = [0, y + 20];
    const place = x;
    x += width;
    if (y > top + 40) return [];
    const colour = colourAt(colormap, at / Math.max(1, meanings.length - 1));
    return [
      make("rect", { x: place, y, width: 14, height: 14, fill: colour, stroke: "currentColor" }),
      text(place + 20, y + 12, meaning),
    ];
  });
}

export const svgFile = (svg: SVGElement): Blob =>
  new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });

/** The same in so many pixels for each of CSS. */
export async function pngFile(svg: SVGElement, ratio: number): Promise<Blob> {
  const [width = 0, height = 0] = ["width", "height"].map((name) => Number(svg.getAttribute(name)) * ratio);
  const scaled = svg.cloneNode(true) as SVGElement;
  scaled.setAttribute("width", String(width));
  scaled.setAttribute("height", String(height));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(scaled))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, width, height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("The browser made no picture.")) : resolve(blob)));
  });
}
