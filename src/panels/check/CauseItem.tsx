import { useEffect, useMemo, useRef, useState } from "react";
import { isNorthLast } from "../../core/cf/axis.ts";
import type { Acceptance } from "../../core/check/acceptance.ts";
import { alikeWords, certaintyWords, nothingFoundWords, REFUSED_WORDS, repairTitle } from "../../core/repair.ts";
import { SEARCH_COST } from "../../core/repair.ts";
import type { RepairOffer, RepairSearch } from "../../core/repair-offer.ts";
import type { Severity } from "../../core/findings/catalogue/entry.ts";
import type { Place } from "../../core/findings/place.ts";
import { startAlong } from "../../core/metadata/chunk-edges.ts";
import type { NodeSummary, Raster, RasterSpec } from "../../core/open-set.ts";
import { boxSpans } from "../../core/words/box-words.ts";
import { useApplyEdits } from "../../store/hooks/use-apply-edits.ts";
import { type Axes, useCheapAxes } from "../../store/hooks/use-cheap-axes.ts";
import { useActions, useEngine, useSend } from "../../store/react.tsx";
import type { SideSpacing } from "../../widgets/cell-map/camera.ts";
import { cssColour, mixed, type Palette, readPalette, useThemeName } from "../../widgets/cell-map/palette.ts";
import { type Spacing, spacingOf } from "../../widgets/cell-map/spacing.ts";
import { ErrorNotice } from "../../widgets/notes/ErrorNotice.tsx";
import { SeverityMark } from "../../widgets/notes/SeverityMark.tsx";
import { countOf, formatBytes, formatCount, formatShare } from "../../widgets/number-format.ts";
import { RepairCard } from "../../widgets/RepairCard.tsx";
import { ArrayThumbnail } from "../../widgets/values/ArrayThumbnail.tsx";
import { useThumbnail } from "../../widgets/values/thumbnails.ts";
import styles from "./CauseItem.module.css";
import causePictureStyles from "./CausePicture.module.css";
import causeRepairStyles from "./CauseRepair.module.css";
import { FindingDetails } from "./FindingDetails.tsx";
import { SetAsideButton } from "./SetAsideButton.tsx";
import {
  areMany,
  type CauseOffer,
  type CauseSubjects,
  isCheap,
  isLastWord,
  joinedOffers,
  offerTitle,
  only,
  subjectsOf,
} from "../../core/check/cause-offers.ts";
import { type CauseReach, reachOf } from "../../core/check/cause-reach.ts";
import type { NodesByPath } from "../../core/metadata/chunk-of-key.ts";
import { type ListedFinding, whereOf } from "./findings.ts";
import { CauseEvidence } from "./values/CauseEvidence.tsx";
import { EvidencePicture } from "./values/EvidencePicture.tsx";

// Repairs of a cause: looked for unasked where that costs little, and applied as one edit of the document.

type CauseRepairs = ReturnType<typeof useCauseRepairs>;

/** `isAsked`: looked for without being asked. */
function useCauseRepairs(set: number, cause: CauseSubjects, isAsked: boolean) {
  const [isWanted, setWanted] = useState(false);
  const { applying, error, apply } = useApplyEdits();
  const { subjects, chunks } = cause;
  const asks = subjects.length > 0 && (isAsked || isWanted);
  const request = { set, subjects, chunks, isUnasked: !isWanted };
  const answer = useEngine("repair.ofCause", asks ? request : undefined, JSON.stringify([subjects, chunks]));
  const searches = answer.data ?? [];
  const mayFindMore = !isWanted && (answer.error !== undefined || !isLastWord(cause, searches));
  const offer = joinedOffers(searches);
  const isOpen = (answer.data === undefined || answer.stale) && answer.error === undefined;
  const known = isOpen ? "searching" : mayFindMore ? "unasked" : "found";
  return {
    state: subjects.length === 0 ? ("none" as const) : asks ? known : ("unasked" as const),
    offer,
    cause,
    /** What the search has cost, once it is done. */
    searches,
    find: () => setWanted(true),
    applying,
    error: error ?? answer.error,
    apply: ({ offers, array, edits, chunks }: CauseOffer) => apply(edits, { label: labelOf(offers), array, chunks }),
  };
}

function labelOf(offers: readonly RepairOffer[]): string {
  const [first] = offers;
  if (first === undefined) return "";
  return offers.length === 1
    ? `${repairTitle(first).replace(/\?$/, "")}, for ${first.key}`
    : countOf(offers.length, "repair");
}

export interface ListedItemProps {
  readonly set: number;
  readonly listed: ListedFinding;
  readonly nodes: NodesByPath;
  readonly opened: boolean;
  /** It was accepted, and reaches further now. */
  readonly outgrown: Acceptance | undefined;
  readonly onGo: (place: Place) => void;
  readonly onToggle: () => void;
}

/** `isEarly`: one of the first, of which a fix is looked for unasked. */
interface CauseItemProps extends ListedItemProps {
  readonly isEarly: boolean;
}

/** A cause: where it lies, what it is, the evidence, how much it costs, and what to do. */
export function CauseItem({ set, isEarly, listed, nodes, opened, outgrown, onGo, onToggle }: CauseItemProps) {
  const { found: finding, said } = listed;
  const { severity, title, message } = said;
  const reach = useMemo(() => reachOf(listed, nodes), [listed, nodes]);
  const node = reach === undefined ? undefined : nodes.get(reach.array);
  const axes = useCheapAxes(set, { path: reach?.array ?? "" }, reach !== undefined);
  const where = reach === undefined ? whereOf(listed) || "the set" : reachWords(reach, node, axes);
  const size = sizeWords(reach, severity === "error");
  const cause = useMemo(() => subjectsOf(finding, nodes), [finding, nodes]);
  const repairs = useCauseRepairs(set, cause, isEarly && isCheap(cause, severity, nodes));
  const picture = <CausePicture set={set} node={node} reach={reach} severity={severity} axes={axes} />;
  return (
    <li className={styles.item} data-code={finding.code} data-severity={severity} data-opened={opened}>
      <div className={styles.line}>
        {isEarly ? <EvidencePicture {...{ set, finding, severity, nodes }} otherwise={picture} /> : picture}
        <button type="button" className={styles.go} onClick={() => onGo(listed.place)}>
          <span className={styles.title}>
            <SeverityMark severity={severity} /> {title}
          </span>
          <span className={styles.where} title={where}>
            {where}
          </span>
          <Key listed={listed} shown={where} />
          {outgrown === undefined ? null : (
            <span className={styles.where}>Has spread further since it was accepted on {outgrown.date}.</span>
          )}
        </button>
        <p className={styles.message} title={message}>
          {message}
        </p>
        <p className={styles.size}>
          {size === undefined ? null : (
            <>
              <b>{size[0]}</b> {size[1]}
            </>
          )}
        </p>
        <span className={styles.repair}>
          <RepairButton repairs={repairs} opened={opened} onOpen={onToggle} />
        </span>
        <button type="button" data-kind="quiet" className={styles.more} aria-expanded={opened} onClick={onToggle}>
          {opened ? "Less" : "More"}
        </button>
      </div>
      {opened ? (
        <div className={styles.details}>
          <CauseEvidence set={set} finding={finding} severity={severity} nodes={nodes} />
          <RepairDetails repairs={repairs} />
          <FindingDetails listed={listed} nodes={nodes} onGo={onGo}>
            <SetAsideButton listed={listed} nodes={nodes} outgrown={outgrown} />
          </FindingDetails>
        </div>
      ) : null}
    </li>
  );
}

/** The key or address, where the place in words does not say it. */
function Key({ listed, shown }: { readonly listed: ListedFinding; readonly shown: string }) {
  const key = whereOf(listed);
  if (key === "" || key === shown || shown.replaceAll(" ", "/").includes(key)) return null;
  return <code className={styles.key}>{key}</code>;
}

// What is said of a cause beside its title: where it is, how much of what it costs.

/** "ice · 1 chunk · 2026-01-01 – 01-06, 89°S – 1°S": the array, its chunks, the box that holds them in coordinates. */
export function reachWords(reach: CauseReach, node: NodeSummary | undefined, axes: Axes): string {
  const { array, chunks, moreArrays, from } = reach;
  const name = array === "" ? "/" : array;
  const others = moreArrays === 0 ? [] : [`and ${countOf(moreArrays, "more array")}`];
  const one = chunks === 1 && from.length > 0 ? [from.join(".")] : [];
  return [[name, ...one].join(" "), countOf(chunks, "chunk"), ...spanWords(reach, node, axes), ...others].join(" · ");
}

/** In coordinates where they are known, else in positions; nothing where all of the array is meant. */
function spanWords(reach: CauseReach, node: NodeSummary | undefined, axes: Axes): readonly string[] {
  const { shape, chunks, dimensionNames } = node ?? {};
  if (shape === undefined || chunks === undefined || shape.length === 0 || reach.share === 1) return [];
  const spans = boxSpans(reach, { shape, chunks, dimensionNames }, axes, reach.chunks === 1);
  return spans.length === 0 ? [] : [spans.join(", ")];
}

/** "2.6%", "all", "none"; and of what. */
export function sizeWords(
  reach: CauseReach | undefined,
  isLost: boolean,
): readonly [share: string, of: string] | undefined {
  if (reach === undefined) return undefined;
  const name = reach.array === "" ? "/" : reach.array;
  if (reach.share === undefined) return [formatCount(reach.chunks), reach.chunks === 1 ? "chunk" : "chunks"];
  if (reach.share === 1 && reach.chunks > 1) return ["all", `of ${name}`];
  return [formatShare(reach.share, 1), isLost ? `of ${name} lost` : `of ${name}`];
}

// Where in its array a cause lies: over the array's picture, or the map of its chunks' lengths, and along the dimension
// before.

interface CausePictureProps {
  readonly set: number;
  readonly node: NodeSummary | undefined;
  readonly reach: CauseReach | undefined;
  readonly severity: Severity;
  readonly axes: Axes;
}

function CausePicture({ set, node, reach, severity, axes }: CausePictureProps) {
  const hasPicture = useThumbnail(set, node?.path ?? "") !== undefined;
  if (node?.shape === undefined || node.chunks === undefined || reach === undefined || reach.from.length === 0)
    return <span className={causePictureStyles.none} data-severity={severity} aria-hidden="true" />;
  const rank = node.shape.length;
  const along = (axis: number) => shareOf(reach, node, axis);
  const across = along(rank - 1);
  const down = rank > 1 ? along(rank - 2) : { at: 0, size: 1 };
  const isTurned = rank > 1 && isNorthLast(axes[rank - 2]);
  const top = isTurned ? 1 - down.at - down.size : down.at;
  const before = rank > 2 ? along(0) : undefined;
  return (
    <span
      className={causePictureStyles.picture}
      data-severity={severity}
      data-has-bar={before !== undefined}
      aria-hidden="true"
    >
      {hasPicture ? (
        <ArrayThumbnail set={set} path={node.path} className={causePictureStyles.thumbnail} />
      ) : (
        <LengthMap set={set} node={node} at={reach.from} isTurned={isTurned} className={causePictureStyles.map} />
      )}
      <i
        style={{
          left: cssShare(across.at),
          width: cssShare(across.size),
          top: cssShare(top),
          height: cssShare(down.size),
        }}
      />
      {before === undefined ? null : (
        <span className={causePictureStyles.bar}>
          <i style={{ left: cssShare(before.at), width: cssShare(before.size) }} />
        </span>
      )}
    </span>
  );
}

const cssShare = (share: number): string => `${100 * share}%`;

/** Where the box begins along a dimension, and how much of it it fills. */
function shareOf({ from, to }: CauseReach, { shape = [], chunks = [] }: NodeSummary, axis: number) {
  const length = Math.max(1, shape[axis] ?? 1);
  const edges = chunks[axis] ?? 1;
  const first = Math.min(length, startAlong(edges, from[axis] ?? 0));
  const last = Math.min(length, startAlong(edges, (to[axis] ?? 0) + 1));
  return { at: first / length, size: Math.max(0, last - first) / length };
}

// The lengths of a slice of chunks, as a small map: it costs no request, so that there is always a picture.

interface LengthMapProps {
  readonly set: number;
  readonly node: NodeSummary;
  /** A chunk of the slice. */
  readonly at: readonly number[];
  /** Rows from the last to the first: north is up. */
  readonly isTurned: boolean;
  readonly className: string | undefined;
}

/** References of an array over which such a map is made unasked. */
const MOST_REFERENCES = 2_000_000;

function LengthMap({ set, node, at, isTurned, className }: LengthMapProps) {
  const spec = useMemo(() => specOf(node, at), [node, at]);
  const raster = useEngine("table.raster", spec === undefined ? undefined : { set, spec }).data;
  const spacing = useMemo((): SideSpacing => {
    const { shape = [], chunks = [] } = node;
    const [rows, columns] = [-2, -1].map((at) => spacingOf(shape.at(at) ?? 0, chunks.at(at) ?? 1));
    return { rows, columns };
  }, [node]);
  const theme = useThemeName();
  const read = useRef<{ readonly palette: Palette; readonly theme: string }>(undefined);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const { current } = canvas;
    const context = current?.getContext("2d");
    if (current === null || context === null || context === undefined || raster === undefined) return;
    if (read.current?.theme !== theme) read.current = { theme, palette: readPalette(current.parentElement ?? current) };
    const { palette } = read.current;
    context.clearRect(0, 0, MAP.width, MAP.height);
    for (const { x, y, width, height, share } of lengthCells(raster, isTurned, spacing)) {
      context.fillStyle = cssColour(mixed(palette["--ramp-low"], palette["--ramp-high"], share));
      context.fillRect(x, y, width, height);
    }
  }, [raster, theme, isTurned, spacing]);
  return spec === undefined ? null : <canvas ref={canvas} className={className} {...MAP} aria-hidden="true" />;
}

/** `undefined` where there is no grid, or it is too large to be looked at unasked. */
function specOf({ path, grid, present = 0 }: NodeSummary, at: readonly number[]): RasterSpec | undefined {
  if (grid === undefined || present > MOST_REFERENCES) return undefined;
  const rank = grid.length;
  const [row, column] = [rank > 1 ? rank - 2 : undefined, rank > 0 ? rank - 1 : undefined];
  const along = (dimension: number | undefined) => ({
    from: 0,
    to: dimension === undefined ? 1 : (grid[dimension] ?? 1),
  });
  return {
    array: path,
    rowDimension: row,
    columnDimension: column,
    fixed: grid.map((count, dimension) => Math.min(at[dimension] ?? 0, Math.max(0, count - 1))),
    colour: "length",
    rows: along(row),
    columns: along(column),
    width: MAP.width / 2,
    height: MAP.height / 2,
  };
}

// Lengths of chunks as rectangles of a small map. Pure.

/** In pixels of the picture; on the page it is half as wide and high. */
export const MAP = { width: 192, height: 96 } as const;

/** Cells so large have a gap between them. */
const LEAST_WITH_GAP = 10;

type Pixels = Pick<Raster, "width" | "height" | "values" | "minimum" | "maximum" | "cellsDown" | "cellsAlong">;

/** Of one side of the map: where each pixel of the raster begins, the last one ends. */
function edgesOf(pixels: number, cellsEach: number, room: number, spacing: Spacing | undefined): readonly number[] {
  return Array.from({ length: pixels + 1 }, (_, at) => {
    if (spacing === undefined) return (at * room) / Math.max(1, pixels);
    const cell = at === pixels ? spacing.count : Math.min(spacing.count, at * cellsEach);
    return (spacing.placeOf(cell) / spacing.count) * room;
  });
}

/** What has no reference is left out. Unequal chunks are to scale. `share`: from the shortest, 0, to the longest, 1. */
export function lengthCells(raster: Pixels, isTurned: boolean, spacing?: SideSpacing) {
  const { width, height, values, minimum = 0, maximum = 0, cellsDown, cellsAlong } = raster;
  const xs = edgesOf(width, cellsAlong, MAP.width, spacing?.columns);
  const ys = edgesOf(height, cellsDown, MAP.height, spacing?.rows);
  const isFine = Math.min(MAP.width / Math.max(1, width), MAP.height / Math.max(1, height)) >= LEAST_WITH_GAP;
  return [...values.entries()].flatMap(([pixel, length]) => {
    if (length < 0) return [];
    const [row, column] = [Math.floor(pixel / width), pixel % width];
    const [left = 0, right = 0, top = 0, bottom = 0] = [xs[column], xs[column + 1], ys[row], ys[row + 1]];
    const [across, down] = [right - left, bottom - top];
    const gap = isFine && Math.min(across, down) >= LEAST_WITH_GAP / 2 ? 2 : 0;
    // Most chunks are short, a few very long; where all are the same, none is either.
    const share = maximum > minimum ? Math.sqrt((length - minimum) / (maximum - minimum)) : 0.5;
    const y = isTurned ? MAP.height - bottom : top;
    return [{ x: left, y, width: across - gap, height: down - gap, share }];
  });
}

// The repair of a cause: its button in the line, and in the details what speaks for it, before and after.

interface RepairButtonProps {
  readonly repairs: CauseRepairs;
  readonly opened: boolean;
  /** Opens the details, which show the choice to make. */
  readonly onOpen: () => void;
}

function RepairButton({ repairs, opened, onOpen }: RepairButtonProps) {
  const { state, offer, searches, applying, apply, find } = repairs;
  const quiet = (text: string, title: string, onClick: () => void) => (
    <button type="button" data-kind="quiet" className={causeRepairStyles.button} title={title} onClick={onClick}>
      {text}
    </button>
  );
  if (state === "unasked") return quiet("Find a fix", costWords(repairs), find);
  if (state === "searching") return <span className={causeRepairStyles.searching}>Searching for a fix…</span>;
  if (offer === undefined && state === "found" && searches.length > 0)
    return quiet("No fix found", noneWords(searches), onOpen);
  if (offer === undefined) return null;
  const isAtOnce =
    !isPartial(repairs, offer) &&
    offer.edits.length > 0 &&
    offer.offers.every(({ certainty }) => certainty !== "needs-you");
  const title = offerTitle(offer);
  const all = offer.offers.length === 1 ? offer.offers.map((one) => repairTitle(one)).join() : title;
  return (
    <button
      type="button"
      className={causeRepairStyles.button}
      data-kind={opened && isAtOnce ? "primary" : undefined}
      disabled={applying}
      title={isAtOnce ? `${all}. It is applied as an edit of the document, and can be undone.` : all}
      onClick={() => (isAtOnce ? apply(offer) : onOpen())}
    >
      {title}
    </button>
  );
}

/** What looking for it may cost. */
function costWords({ cause }: CauseRepairs): string {
  if (cause.subjects.every(({ kind }) => kind === "key")) return "Compares keys; reads nothing.";
  // Where none is found for all, the first is looked at alone.
  const { bytes, requests } = areMany(cause) ? SEARCH_COST.all : SEARCH_COST.one;
  const places = areMany(cause) ? 1 : cause.subjects.length;
  const most = `at most ${countOf(requests * places, "request")} and ${formatBytes(bytes * places)}`;
  return `Reads chunks to test fixes: ${most}, or more if the chunks are large.`;
}

/** A repair of one chunk, where many have the cause. */
const isPartial = ({ cause }: CauseRepairs, { offers }: CauseOffer): boolean =>
  areMany(cause) && offers.every(({ alike, change }) => alike === undefined && !OF_ALL.has(change.kind));

/** What changes all of an array at once. */
const OF_ALL: ReadonlySet<RepairOffer["change"]["kind"]> = new Set(["separator", "metadata"]);

function RepairDetails({ repairs }: { readonly repairs: CauseRepairs }) {
  const { offer, error, searches } = repairs;
  if (error !== undefined) return <ErrorNotice error={error} />;
  if (offer === undefined)
    return repairs.state === "found" && searches.length > 0 ? (
      <p className={causeRepairStyles.none}>{noneWords(searches)}</p>
    ) : null;
  const shown = [...offer.offers.slice(0, MAX_SHOWN), ...offer.others];
  const more = offer.offers.length - MAX_SHOWN;
  return (
    <section className={causeRepairStyles.repair} aria-label="Repair">
      {isPartial(repairs, offer) ? <p>{partialWords(repairs, offer)}</p> : null}
      {shown.map((one) => (
        <OfferPart key={`${one.key} ${one.after}`} offer={one} joined={offer} repairs={repairs} />
      ))}
      {more > 0 ? (
        <p className={causeRepairStyles.none}>and {countOf(more, "more fix", "more fixes")} of the same cause.</p>
      ) : null}
      <p className={causeRepairStyles.none}>{spentWords(searches)}</p>
    </section>
  );
}

function partialWords({ cause }: CauseRepairs, { offers }: CauseOffer): string {
  const repaired = offers.length === 1 ? (offers[0]?.key ?? "") : countOf(offers.length, "chunk");
  return `No single change fixes all ${countOf(cause.chunks, "chunk")}. This one fixes only ${repaired}.`;
}

/** What of the cause stays as it is. */
function leftWords({ cause }: CauseRepairs, { alike }: RepairOffer): string | undefined {
  const left = alike === undefined ? 0 : cause.chunks - alike.references;
  return left <= 0
    ? undefined
    : `${countOf(left, "other chunk")} with this problem ${left === 1 ? "stays" : "stay"} as before.`;
}

/** Repairs of one cause that are told one by one. */
const MAX_SHOWN = 3;

interface OfferPartProps {
  readonly repairs: CauseRepairs;
  readonly offer: RepairOffer;
  readonly joined: CauseOffer;
}

function OfferPart({ offer, joined, repairs }: OfferPartProps) {
  const page = useActions();
  const send = useSend();
  const { array, certainty, before, after, refused, trial } = offer;
  const [chunk] = offer.chunks;
  const isChoice = certainty === "needs-you" || joined.others.length > 0 || isPartial(repairs, joined);
  const notes = [certaintyWords(offer), alikeWords(offer), leftWords(repairs, offer)].filter(
    (one) => one !== undefined,
  );
  const actions = (
    <>
      {isChoice && refused === undefined ? (
        <button type="button" disabled={repairs.applying} onClick={() => repairs.apply(only(offer))}>
          Apply
        </button>
      ) : null}
      {chunk === undefined || array === undefined ? null : (
        <button
          type="button"
          data-kind="link"
          onClick={() => {
            page.selectChunk(array, chunk.coordinates);
            // The microscope reads it so.
            if (trial !== undefined) send({ kind: "try-reading", trial });
          }}
        >
          {trial === undefined ? "Show the chunk" : "Try it first"}
        </button>
      )}
    </>
  );
  return (
    <RepairCard repair={offer} notes={notes} actions={actions}>
      <dl className={causeRepairStyles.change}>
        <dt>Now</dt>
        <dd>
          <code>{before === "" ? "no reference" : before}</code>
        </dd>
        <dt>Then</dt>
        <dd>
          <code>{after === "" ? "no reference" : after}</code>
        </dd>
      </dl>
      {refused === undefined ? null : <p>{REFUSED_WORDS[refused]}</p>}
    </RepairCard>
  );
}

export const noneWords = (searches: readonly RepairSearch[]): string =>
  `${nothingFoundWords(searches)} ${spentWords(searches)}`;

function spentWords(searches: readonly RepairSearch[]): string {
  const requests = searches.reduce((sum, { spent }) => sum + spent.requests, 0);
  const bytes = searches.reduce((sum, { spent }) => sum + spent.bytes, 0);
  if (requests === 0) return "Nothing had to be read.";
  return `The search read ${formatBytes(bytes)} in ${countOf(requests, "request")}.`;
}
