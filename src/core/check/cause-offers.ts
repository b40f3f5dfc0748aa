/** Combines the fixes of a cause's places: one offer for all of them. */
import { cellCount, isRegular, largestShape, ordinalOf } from "../metadata/chunk-grid.ts";
import { chunkIn, factsOf, type Finding, nodeOf, type Place } from "../findings/finding.ts";
import type { Severity } from "../findings/catalogue/entry.ts";
import { OF_SERVER } from "../findings/of-servers.ts";
import { repairTitle } from "../repair.ts";
import { FEW_PLACES, type RepairSubject } from "../repair.ts";
import type { ForeseenChunk, RepairOffer, RepairSearch } from "../repair-offer.ts";
import type { TableEdit } from "../studio.ts";
import { count as countText, counted } from "../words.ts";
import { placeOfKey, type NodesByPath } from "../metadata/chunk-of-key.ts";

export interface CauseOffer {
  /** For each place that has one, the best. */
  readonly offers: readonly RepairOffer[];
  /** Further ones of the only place, where it is not certain which is meant. */
  readonly others: readonly RepairOffer[];
  readonly array: string;
  readonly edits: readonly TableEdit[];
  readonly chunks: readonly ForeseenChunk[];
}

export interface CauseSubjects {
  /** The first of them, as many as a finding has places. */
  readonly subjects: readonly RepairSubject[];
  /** Chunks, or keys, that have the cause. */
  readonly chunks: number;
}

/** Statuses that another target, or another range of it, may not have. */
const OF_REFERENCE: ReadonlySet<number> = new Set([400, 404, 410, 416]);

/** Servers that do not tell what they have refuse also what is not there: a target named nearly alike may be meant. */
function isServers(found: Finding): boolean {
  const answered = factsOf(found, "http-status");
  if (answered === undefined) return OF_SERVER.has(found.code);
  return !OF_REFERENCE.has(answered.status) && answered.near === undefined;
}

/** Half of a chunk of float64 decodes as float32: such a range would hide that the type is wrong. */
function isOfLargerType(found: Finding): boolean {
  const lengths = factsOf(found, "chunk-lengths-fit-other");
  return lengths?.fits === "type" && lengths.least > lengths.expected;
}

/** Other ranges of an image, or of a file, would read its bytes as if they were values. */
function isUnread(found: Finding): boolean {
  const format = factsOf(found, "chunks-of-other-format");
  return format !== undefined && format.change === undefined;
}

/** None where the cause is of no chunk or key, or a server's. */
export function subjectsOf(finding: Finding, nodes: NodesByPath): CauseSubjects {
  const { place, places = [place], count, extent } = finding;
  if (isServers(finding) || isOfLargerType(finding) || isUnread(finding)) return { subjects: [], chunks: 0 };
  const subjects = new Map<string, RepairSubject>();
  const grid = gridSubject(finding, nodes);
  if (grid !== undefined) subjects.set("metadata", grid);
  // Chunks that the metadata declares too long: to remove their references would seal the loss.
  if (factsOf(finding, "keys-past-grid")?.chunkFits !== undefined)
    return { subjects: [...subjects.values()], chunks: count };
  for (const one of places) {
    const subject = subjectAt(chunkIn(one) ?? one, nodes);
    if (subject !== undefined) subjects.set(JSON.stringify(subject), subject);
  }
  const told = subjects.size - (grid === undefined ? 0 : 1);
  const met = places.length < count ? count : told;
  const reach = extent?.arrays.reduce((sum, { chunks }) => sum + chunks, 0) ?? 0;
  return { subjects: [...subjects.values()], chunks: Math.max(met, reach, told) };
}

function arrayOfKey(key: string, nodes: NodesByPath): string | undefined {
  const found = placeOfKey(key, nodes);
  return found?.kind === "chunk" ? found.array : found?.path;
}

/** The array whose metadata may be what is wrong, with the chunk shape that its references speak for. */
function gridSubject(found: Finding, nodes: NodesByPath): RepairSubject | undefined {
  const sizes = factsOf(found, "dimension-size-disagrees");
  const past = factsOf(found, "keys-past-grid");
  const lengths = factsOf(found, "chunk-lengths-fit-other");
  const gap = factsOf(found, "steps-missing");
  const { place } = found;
  const array = place.kind === "key" ? arrayOfKey(place.key, nodes) : nodeOf(place);
  if (array === undefined) return undefined;
  const edges = nodes.get(array)?.chunks;
  if (past?.chunkFits !== undefined && edges !== undefined && isRegular(edges))
    return { kind: "metadata", array, chunks: edges.with(past.axis, past.chunkFits) };
  if (sizes !== undefined || past !== undefined) return { kind: "metadata", array };
  if (lengths !== undefined)
    return lengths.fits === "chunks" ? { kind: "metadata", array, chunks: lengths.chunks } : undefined;
  // One repair does not end a cause in several arrays.
  if (gap === undefined || gap.problem !== "end" || gap.arrays.length > 1) return undefined;
  if (!gap.isElsewhere) return gap.otherLength === undefined ? undefined : { kind: "metadata", array };
  const length = gap.chunkFits;
  return edges === undefined || length === undefined || !isRegular(edges)
    ? undefined
    : { kind: "metadata", array, chunks: edges.with(gap.axis, length) };
}

function subjectAt(place: Place, nodes: NodesByPath): RepairSubject | undefined {
  const found = place.kind === "key" ? placeOfKey(place.key, nodes) : place;
  if (found?.kind === "chunk") {
    const { array, coordinates } = found;
    const { grid } = nodes.get(array) ?? {};
    const isInside = grid !== undefined && ordinalOf(grid, coordinates) !== undefined;
    return isInside ? { kind: "chunk", array, coordinates } : undefined;
  }
  const isKey = place.kind === "key" && found?.kind === "node" && "metadata" in found && !found.metadata;
  return isKey ? { kind: "key", key: place.key } : undefined;
}

/** Elements of a chunk that may be read unasked, and a few of its neighbours. */
const CHEAP_ELEMENTS = 262_144;

/** True if one repair is looked for that holds for all. */
export function areMany({ subjects, chunks }: CauseSubjects): boolean {
  const told = subjects.filter(({ kind }) => kind !== "metadata").length;
  return told > 0 && chunks > Math.min(told, FEW_PLACES);
}

/** True if searching again on request would find nothing more: a search that nobody asked for may be cut. */
export const isLastWord = (searches: readonly RepairSearch[]): boolean =>
  !searches.some(({ ended, offers }) => ended !== undefined && offers.length === 0);

/**
 * True if looking for repairs is cheap enough to do unasked: keys cost nothing. The number of chunks known to have the
 * cause, which depends on earlier checks, does not change the cost.
 */
export function isCheap({ subjects }: CauseSubjects, severity: Severity, nodes: NodesByPath): boolean {
  const [first] = subjects;
  // Lengths of dimensions and keys: nothing is read. Of a chunk shape, a few chunks are.
  if (first?.kind === "metadata" && first.chunks === undefined) return true;
  return subjects.every((one) => {
    if (one.kind === "key") return true;
    const { chunks: edges } = nodes.get(one.array) ?? {};
    const elements = edges === undefined ? Infinity : cellCount(largestShape(edges));
    return severity !== "info" && elements <= CHEAP_ELEMENTS;
  });
}

/** `undefined` where nothing is offered. */
export function joinedOffers(searches: readonly RepairSearch[]): CauseOffer | undefined {
  const found = searches.filter(({ offers }) => offers.length > 0);
  const offers = distinct(found.flatMap(({ offers: [best] }) => best ?? []));
  const [first] = offers;
  if (first === undefined) return undefined;
  return {
    offers,
    others: offers.length === 1 ? (found[0]?.offers.slice(1) ?? []) : [],
    ...joined(offers, first),
  };
}

/** The one offer alone. */
export const only = (offer: RepairOffer): CauseOffer => ({ offers: [offer], others: [], ...joined([offer], offer) });

function joined(offers: readonly RepairOffer[], first: RepairOffer): Pick<CauseOffer, "array" | "edits" | "chunks"> {
  const array = first.array ?? "";
  return {
    array,
    edits: offers.flatMap(({ edits }) => edits),
    chunks: offers.filter((one) => (one.array ?? "") === array).flatMap(({ chunks }) => chunks),
  };
}

/** Removes duplicates: a repair of all keys of an array is found for each of them. */
function distinct(offers: readonly RepairOffer[]): readonly RepairOffer[] {
  const seen = new Map(offers.map((one) => [JSON.stringify([one.key, one.change]), one]));
  return [...seen.values()];
}

/** "Read 7 bytes earlier"; of several places how many: "Read 7 bytes earlier (27)". */
export function offerTitle({ offers }: CauseOffer): string {
  const [first] = offers;
  if (first === undefined) return "";
  const { change, certainty, alike } = first;
  if (offers.length === 1 && alike !== undefined && change.kind !== "remove")
    return `${repairTitle({ change, certainty })} (${countText(alike.references)})`;
  if (offers.length === 1) return repairTitle(first);
  const isSame = offers.every((one) => repairTitle(one) === repairTitle(first));
  return isSame ? `${repairTitle(first)} (${offers.length})` : `Fix ${counted(offers.length, "chunk")}`;
}
