/**
 * Report of a check for programs and other tools: plain JSON, in which findings name their place as a store names it.
 * Needs the catalogue.
 */
import type { Remedy } from "../access/server-remedies.ts";
import type { Checked, Verdict } from "../check/check.ts";
import { arrayAbove, shareOf, type SizesOf } from "../check/lost-chunks.ts";
import { chunkKey, type KeysOfArray } from "../metadata/chunk-grid.ts";
import { bySeverity, type SaidFinding } from "../findings/explained.ts";
import type { Severity } from "../findings/catalogue/entry.ts";
import { chunkIn, type ChunkPlace, type Finding, nodeOf, OF_TOOL, type Place } from "../findings/finding.ts";
import { count, counted } from "../words.ts";
import type { Certainty } from "../repair.ts";
import type { ReaderReport } from "./readers.ts";

/** Most chunks listed: the first of them. */
const MAX_CHUNKS = 100;

export interface CheckFinding {
  readonly code: string;
  readonly severity: Severity;
  readonly array?: string;
  readonly key?: string;
  readonly target?: string;
  /** Targets, if it is about several: the first of them. */
  readonly targets?: readonly string[];
  /** Keys of chunks; coordinates of inner chunks of shards, which have no keys. */
  readonly chunks?: readonly (string | readonly number[])[];
  /** Chunk coordinates of the box that holds them, both ends included. */
  readonly span?: ChunkSpan;
  /** Chunks of the array that it is about, where it is about several. */
  readonly affected?: number;
  readonly message: string;
  readonly advice?: string;
  readonly count: number;
  /** Cause in a few words: the same for all findings of one kind. */
  readonly cause: string;
  /** Text to paste, on the server or in Python, and requests to try by hand. */
  readonly remedies?: readonly Remedy[];
  /** It was accepted, and reaches further by now. */
  readonly outgrown?: Outgrown;
  /** A change that was tried, and mends it. */
  readonly fix?: CauseFix;
  /** One was looked for in vain: what was tried. */
  readonly tried?: string;
  /** Line at which the document writes the first of its references, from 1. */
  readonly line?: number;
  /** The reference as written. */
  readonly written?: string;
  /** Extent of its chunks along each dimension: dates and degrees if they are known. */
  readonly where?: readonly string[];
  /** How many of the array's chunks it is about. */
  readonly share?: { readonly chunks: number; readonly of: number };
}

export interface CauseFix {
  readonly title: string;
  readonly certainty: Certainty;
  /** How sure it is, in a sentence. */
  readonly words: string;
  /** Key of the reference, or of the metadata, that it changes; the first of several. */
  readonly key: string;
  /** Line of the document, from 1. */
  readonly line?: number;
  /** Text before, as written; "" if there is none. */
  readonly before: string;
  readonly after: string;
  /** Evidence for it, in lines. */
  readonly evidence: readonly string[];
  /** It mends the first of the chunks alone. */
  readonly ofFirstAlone?: true;
}

/** The acceptance of a finding that is still open. */
export interface Outgrown {
  readonly reason: string;
  readonly date: string;
  /** Limits of the acceptance, if given: chunks affected, and occurrences. */
  readonly affected?: number;
  readonly count?: number;
}

/** Facts known of a finding beside its explanation by the catalogue. */
export type KnownBeside = Pick<
  CheckFinding,
  "remedies" | "outgrown" | "fix" | "tried" | "line" | "written" | "where" | "share"
>;

export interface ChunkSpan {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** Known, with the reason and the date for which it is. */
export interface KnownFinding extends CheckFinding {
  readonly reason: string;
  readonly date: string;
}

export interface CheckReport {
  readonly verdict: Verdict;
  readonly findings: readonly CheckFinding[];
  /** They are not among the findings. Absent where nothing was accepted. */
  readonly accepted?: readonly KnownFinding[];
  readonly checked: Checked;
  /** Those that were asked about; absent where none was. */
  readonly readers?: readonly ReaderReport[];
}

/** Findings about a dataset, or about files that may be one. */
export type ReportedFindings = Pick<CheckReport, "findings" | "accepted">;

/** How the keys of an array are written. */
export type NodeKeys = (array: string) => KeysOfArray | undefined;

export function checkFinding({ found, said }: SaidFinding, nodes: NodeKeys | undefined): CheckFinding {
  const { severity, title, message, remedy } = said;
  const { place, places = [place], extent, count, code } = found;
  const chunk = chunkOf(place);
  const array = nodeOf(place) ?? onlyArray(found, nodes);
  const chunks = uniqueChunks(places, nodes);
  const keys = places.flatMap((one) => (one.kind === "key" ? [one.key] : []));
  const all = [...chunks, ...keys].slice(0, MAX_CHUNKS);
  const targets = [...new Set(places.flatMap((one) => (one.kind === "target" ? [one.target] : [])))];
  const box = extent?.arrays.find((one) => one.array === array);
  const name = chunk === undefined ? undefined : chunkName(chunk, nodes);
  const key = place.kind === "key" ? place.key : name;
  return {
    code,
    severity,
    ...(array === undefined ? {} : { array }),
    ...(typeof key === "string" ? { key } : {}),
    ...(place.kind === "target" ? { target: place.target } : {}),
    ...(targets.length > 1 ? { targets } : {}),
    ...(all.length === 0 ? {} : { chunks: all }),
    ...(box === undefined ? {} : { span: { from: box.from, to: box.to }, affected: box.chunks }),
    message,
    ...(remedy === undefined ? {} : { advice: remedy }),
    count,
    cause: title,
  };
}

/** A finding with the share of an array that it costs. */
export interface WeighedFinding {
  readonly found: CheckFinding;
  readonly share: number;
}

export const weighed = (one: SaidFinding, nodes: NodeKeys | undefined, sizesOf: SizesOf): WeighedFinding => ({
  found: checkFinding(one, nodes),
  share: isOfAll(one) ? 1 : shareOf(one, sizesOf),
});

/** True if all of an array, group or set is lost: an error in its metadata that stops readers. */
const isOfAll = ({ found: { place, places, extent }, said, failing }: SaidFinding): boolean =>
  said.severity === "error" &&
  (place.kind === "node" || place.kind === "set") &&
  (places ?? extent ?? failing) === undefined;

export interface ReportOptions {
  readonly beside?: (one: SaidFinding) => KnownBeside;
  readonly sizesOf?: SizesOf;
}

/**
 * Worst first, since a note about all of an array is less than an error in some of it; of one severity those that cost
 * most of an array, by elements, and then by array, code and place, so that two reports of the same set are alike.
 */
export function reportOf(
  { verdict, checked, accepted = [], readers = [] }: Omit<CheckReport, "findings">,
  found: readonly SaidFinding[],
  nodes: NodeKeys | undefined,
  { beside = () => ({}), sizesOf = () => undefined }: ReportOptions = {},
): CheckReport {
  const findings = found.map((one) => ({ one, ...weighed(one, nodes, sizesOf) })).toSorted(mostFirst);
  return {
    verdict,
    findings: findings.map((each) => ({ ...each.found, ...beside(each.one) })),
    checked,
    ...(accepted.length === 0 ? {} : { accepted: accepted.toSorted(inReport) }),
    ...(readers.length === 0 ? {} : { readers }),
  };
}

/** Likeness of a finding in a report, as `likenessOf` has it. */
export function likenessInReport(one: CheckFinding): string | undefined {
  const { code, severity, cause, message, advice, array, key, target, chunks, span, outgrown, remedies } = one;
  if (OF_TOOL.has(code) && outgrown === undefined) return JSON.stringify([code, severity, cause, advice]);
  const isOfNode = array !== undefined && (key ?? target ?? chunks ?? span ?? outgrown ?? remedies) === undefined;
  return isOfNode ? JSON.stringify([code, severity, cause, message, advice]) : undefined;
}

/** How often it was met, begins with a space; nothing where it was once. What names chunks is counted by them. */
export const oftenWords = ({ count: times, chunks = [] }: CheckFinding): string =>
  times <= 1 ? "" : ` (${chunks.length > 1 ? counted(times, "chunk") : `${count(times)} times`})`;

/** The order in which causes are told, on the page as in reports. */
export const mostFirst = (one: WeighedFinding, other: WeighedFinding): number =>
  bySeverity(one.found, other.found) || other.share - one.share || inReport(one.found, other.found);

function inReport(one: CheckFinding, other: CheckFinding): number {
  const [a, b] = [one, other].map((found) => [found.array ?? "", found.code, found.key ?? found.target ?? ""]);
  const at = a?.findIndex((text, place) => text !== b?.[place]) ?? -1;
  return bySeverity(one, other) || (at < 0 ? 0 : (a?.[at] ?? "") < (b?.[at] ?? "") ? -1 : 1);
}

function onlyArray({ place, extent }: Finding, nodes: NodeKeys | undefined): string | undefined {
  if (place.kind === "key" && place.key.includes("/")) return arrayAbove(place.key, (path) => nodes?.(path));
  return extent?.arrays.length === 1 && extent.moreArrays === 0 ? extent.arrays[0]?.array : undefined;
}

function uniqueChunks(places: readonly Place[], nodes: NodeKeys | undefined): readonly (string | readonly number[])[] {
  const names = places.flatMap((one) => chunkOf(one) ?? []).map((one) => chunkName(one, nodes));
  return [...new Map(names.map((name) => [String(name), name])).values()];
}

type NamedChunk = ChunkPlace & { readonly isShard?: true };

function chunkOf(place: Place): NamedChunk | undefined {
  if (place.kind !== "shard") return chunkIn(place);
  return { kind: "chunk", array: place.array, coordinates: place.shard, isShard: true };
}

/** The store's key of a chunk or shard (`sst/0.0.1`, `sst/c/0/0/1`), coordinates of an inner chunk. */
function chunkName(
  { array, coordinates, isShard }: NamedChunk,
  nodes: NodeKeys | undefined,
): string | readonly number[] {
  const keys = nodes?.(array);
  if (keys?.shards === undefined) return chunkKey(array, coordinates, keys?.separator ?? ".");
  return isShard === true ? chunkKey(array, coordinates, keys.shards) : coordinates;
}

/** Says by how much a finding reaches further than its acceptance; `undefined` if nothing of it was accepted. */
export function outgrownWords({ outgrown, affected, count: times }: CheckFinding): string | undefined {
  if (outgrown === undefined) return undefined;
  const { date, affected: knownChunks, count: knownTimes } = outgrown;
  const chunks = affected ?? times;
  const more =
    knownChunks !== undefined && chunks > knownChunks
      ? `: ${counted(chunks, "chunk")} by now, ${count(knownChunks)} then`
      : knownTimes !== undefined && times > knownTimes
        ? `: met ${counted(times, "time")} by now, ${count(knownTimes)} then`
        : ", at other places";
  return `Spread further since it was accepted on ${date}${more}.`;
}
