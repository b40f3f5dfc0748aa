/** What a cause's places and repairs come to: one offer for all of them. */
import { ordinalOf } from "../../core/chunk-grid.ts";
import type { Severity } from "../../core/findings/catalogue/entry.ts";
import type { ForeseenChunk } from "../../core/lab.ts";
import { repairTitle } from "../../core/repair-offer-words.ts";
import type { RepairOffer, RepairSearch, RepairSubject } from "../../core/repairs.ts";
import type { TableEdit } from "../../core/studio.ts";
import { countOf } from "../../widgets/number-format.ts";
import { placeOfKey, type NodesByPath } from "./chunk-of-key.ts";
import { chunkOf, type ListedFinding } from "./findings.ts";

export interface CauseOffer {
  /** For each place that has one, the best. */
  readonly offers: readonly RepairOffer[];
  /** Further ones of the only place, where it is not certain which is meant. */
  readonly others: readonly RepairOffer[];
  readonly array: string;
  readonly edits: readonly TableEdit[];
  readonly chunks: readonly ForeseenChunk[];
}

/** Repairs are looked for in so many places of a cause. */
const MAX_PLACES = 12;
/** Where a cause is met at more, one repair does not end it. */
const MAX_COUNT = 12;

/** None where the cause is of no chunk or key, or of too many. */
export function subjectsOf(
  { finding: { place, places = [place], count } }: ListedFinding,
  nodes: NodesByPath,
): readonly RepairSubject[] {
  const subjects = new Map<string, RepairSubject>();
  for (const one of places.slice(0, MAX_PLACES)) {
    const subject = subjectAt(chunkOf(one), nodes);
    if (subject !== undefined) subjects.set(JSON.stringify(subject), subject);
  }
  return count > MAX_COUNT ? [...subjects.values()].slice(0, 1) : [...subjects.values()];
}

function subjectAt(place: ReturnType<typeof chunkOf>, nodes: NodesByPath): RepairSubject | undefined {
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

/** Whether looking for repairs costs so little that it need not be asked for: keys cost nothing. */
export function isCheap(subjects: readonly RepairSubject[], severity: Severity, nodes: NodesByPath): boolean {
  return subjects.every((one) => {
    if (one.kind === "key") return true;
    const elements = nodes.get(one.array)?.chunks?.reduce((product, length) => product * length, 1) ?? Infinity;
    return severity !== "info" && subjects.length <= MAX_UNASKED && elements <= CHEAP_ELEMENTS;
  });
}

const MAX_UNASKED = 3;

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

/** What repairs all keys of an array is found for each of them. */
function distinct(offers: readonly RepairOffer[]): readonly RepairOffer[] {
  const seen = new Map(offers.map((one) => [JSON.stringify([one.key, one.change]), one]));
  return [...seen.values()];
}

/** "Read 7 bytes earlier"; of several places how many. */
export function offerTitle({ offers }: CauseOffer): string {
  const [first] = offers;
  if (first === undefined) return "";
  if (offers.length === 1) return repairTitle(first);
  const isSame = offers.every((one) => repairTitle(one) === repairTitle(first));
  return isSame ? `${repairTitle(first)} (${offers.length})` : `Repair ${countOf(offers.length, "chunk")}`;
}
