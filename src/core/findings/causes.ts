/** Findings that merely follow from a cause: one fault, one finding. */
import { nodePathOf } from "../metadata/hierarchy-path.ts";
import type { Code } from "./catalogue/index.ts";
import { leavesArraysUnread } from "./finding.ts";
import { ExtentCounter, parentOfKey } from "./cause.ts";
import { chunkIn, nodeOf } from "./fact.ts";
import type { ChunkPlace, Evidence, Facts, Finding, Place } from "./fact.ts";

/** Causes of their own: that reading their chunks fails follows from them. */
// oxfmt-ignore
const CAUSES: ReadonlySet<string> = new Set([
  "codec-unregistered", "steps-missing", "coordinate-incomplete", "key-separator-wrong", "keys-past-grid",
  "range-empty", "chunk-length-wrong", "chunk-lengths-fit-other", "compressed-length-impossible",
  "inline-length-wrong", "values-misread", "range-short", "steps-from-same-bytes", "range-repeated",
  "range-of-other-array", "arrays-share-ranges", "ranges-overlap", "target-missing", "target-name-elsewhere",
  "target-gone", "target-too-short", "offset-beyond-target", "whole-file-for-chunk", "target-error-document",
  "target-lfs-pointer", "target-gzipped", "target-empty", "native-object-missing", "native-object-short",
  "url-scheme-typo", "url-bucket-invalid", "url-placeholder", "chunk-missing-as-denied", "file-unreadable",
  "held-chunks-moved", "held-length-differs", "held-chunk-other", "held-chunk-none", "held-chunk-unnamed",
  "held-filters-skipped", "held-partial-chunk", "chunks-lost", "array-without-data",
] satisfies Code[]);

/** The same, but they may follow from one of those. */
// oxfmt-ignore
const EITHER: ReadonlySet<string> = new Set([
  "zip-member-missing", "target-unfit", "range-offset-wrong", "range-length-wrong", "chunk-codec-skipped",
  "chunk-codecs-other", "http-status", "range-past-end", "range-mismatch", "web-page", "range-ignored",
  "range-encoded", "host-unreachable", "cors-missing", "whole-beside-ranges", "chunk-shifted", "chunk-zeroed",
  "url-local-path",
] satisfies Code[]);

/** Met when a chunk is read: they may follow from a cause that was found otherwise. */
// oxfmt-ignore
const FOLLOWING: ReadonlySet<string> = new Set([
  "reference-bad", "checksum-mismatch", "chunk-size-mismatch", "codec-unavailable", "codec-unknown", "decode-failed",
  "decode-too-large", "short-read", "response-too-large", "connection-dropped", "chunks-missing", "target-malformed",
  "target-scheme-unsupported", "target-relative", "target-is-local",
] satisfies Code[]);

/** Causes about where a source is: all chunks that are read from there have them, whether they are named or not. */
// oxfmt-ignore
const OF_PLACE: ReadonlySet<string> = new Set([
  "target-missing", "target-name-elsewhere", "target-gone", "url-local-path", "url-scheme-typo", "url-bucket-invalid",
  "file-unreadable", "url-placeholder", "url-fragment",
] satisfies Code[]);

/** Codes of a source's place, found when it is read. */
// oxfmt-ignore
const UNPLACED = [
  "target-relative", "target-is-local", "target-malformed", "target-scheme-unsupported",
] as const satisfies Code[];
const OF_UNPLACED: ReadonlySet<string> = new Set(UNPLACED);

/** Codes that a wrong byte order causes in a coordinate. */
// oxfmt-ignore
const OF_BYTE_ORDER: ReadonlySet<string> = new Set([
  "coordinate-files-unordered", "coordinate-unordered", "coordinate-restarts", "coordinate-unit-changes",
  "coordinate-repeated",
] satisfies Code[]);

export const mayFollow = (code: string): boolean => FOLLOWING.has(code) || EITHER.has(code);

/**
 * One fault, one finding: where a cause of its own is known for a chunk (its range overlaps another's, its target is
 * shorter), that reading it then fails is evidence of that, and no cause beside it.
 */
export function causesOf(all: readonly Finding[]): readonly Finding[] {
  const findings = withEmptyTails(
    withSwappedCoordinates(withWrongMetadata(withWrongAddresses(withEndedSignatures(withoutEmptiness(all))))),
  );
  const causes = new Map<string, Finding>();
  for (const codes of [CAUSES, EITHER]) {
    for (const found of findings) {
      if (!codes.has(found.code)) continue;
      for (const name of ownChunks(found)) if (!causes.has(name)) causes.set(name, found);
      if (!OF_PLACE.has(found.code)) continue;
      for (const place of placesOf(found)) {
        const name = placeName(place);
        if (name !== undefined && !causes.has(name)) causes.set(name, found);
      }
    }
  }
  const evidence = new Map<Finding, { readonly found: Finding; readonly chunks: ChunkPlace[] }>();
  const twins = twinsIn(findings);
  if (causes.size === 0 && twins.size === 0) return findings;
  const rest = findings.flatMap((found) => {
    const twin = twins.get(found);
    if (twin !== undefined) {
      evidence.set(twin, { found, chunks: chunksOf(found) });
      return [];
    }
    // A missing file is reported with the finding about its path.
    if (found.code === "url-local-path" && isMissing(causes.get(placeName(found.place) ?? ""))) return [];
    const open = mayFollow(found.code) ? withoutExplained(found, causes, evidence) : found;
    return open === undefined ? [] : [[found, open] as const];
  });
  return rest.map(([found, open]) => withEvidence(open, evidence.get(found)));
}

const isMissing = (cause: Finding | undefined): boolean =>
  cause?.code === "target-missing" || cause?.code === "file-unreadable";

/**
 * Pairs of findings: one about a key of an array (a record of Parquet), and the same again about chunks that were read
 * for it.
 */
function twinsIn(findings: readonly Finding[]): ReadonlyMap<Finding, Finding> {
  const ofKeys = new Map(
    findings.flatMap((one) => (one.place.kind === "key" ? [[twinName(one, nodePathOf(one.place.key)), one]] : [])),
  );
  const twins = new Map<Finding, Finding>();
  for (const found of findings) {
    const array = chunkIn(found.place)?.array;
    const twin = array === undefined ? undefined : ofKeys.get(twinName(found, array));
    if (twin !== undefined) twins.set(found, twin);
  }
  return twins;
}

function twinName(found: Finding, array: string): string {
  const { code, facts } = found.code === "reference-bad" ? (found.facts["cause"] as Finding) : found;
  return JSON.stringify([code, array, facts], (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
}

/** Codes that each array has where nothing at all is there. */
// oxfmt-ignore
const OF_NO_CHUNKS: ReadonlySet<string> = new Set([
  "array-without-data", "coordinate-incomplete", "coordinate-missing-values", "chunks-missing",
] satisfies Code[]);

/** A set is empty as metadata are not read, and its arrays are as there is no chunk. */
function withoutEmptiness(findings: readonly Finding[]): readonly Finding[] {
  const isUnread = findings.some(leavesArraysUnread);
  const isEmpty = findings.some(({ code }) => code === "no-chunks");
  if (!isUnread && !isEmpty) return findings;
  return findings.filter(({ code }) => !(isUnread && code === "no-arrays") && !(isEmpty && OF_NO_CHUNKS.has(code)));
}

/** Statuses with which servers refuse a signature. */
const REFUSALS: ReadonlySet<unknown> = new Set([400, 401, 403]);

/**
 * A server that refuses an address whose signature has expired does so for that reason: it is told with the refusal.
 */
function withEndedSignatures(findings: readonly Finding[]): readonly Finding[] {
  const ended = findings.filter(({ code }) => code === "url-signature-expired");
  if (ended.length === 0) return findings;
  const told = new Set<Finding>();
  const all = findings.map((found) => {
    const isRefusal = found.code === "http-status" && REFUSALS.has(found.facts["status"]);
    const signed = isRefusal ? ended.find((one) => sharesTarget(one, found)) : undefined;
    if (signed === undefined) return found;
    told.add(signed);
    return { ...found, facts: { ...found.facts, signatureEnded: signed.facts["ends"] } };
  });
  return all.filter((found) => !told.has(found));
}

function sharesTarget(one: Finding, other: Finding): boolean {
  const known = new Set(bareTargets(one));
  return bareTargets(other).some((target) => known.has(target));
}

/** Faults of addresses as they are written: that nothing is there follows from them. */
// oxfmt-ignore
const OF_ADDRESS: ReadonlySet<string> = new Set([
  "url-placeholder", "url-fragment", "url-double-encoded", "url-blank", "url-region-typo",
] satisfies Code[]);

// oxfmt-ignore
const NOTHING_THERE: ReadonlySet<string> = new Set([
  "target-gone", "target-missing", "target-has-template", "http-status", "host-unreachable", ...UNPLACED,
] satisfies Code[]);

/** An address that is wrong as it is written is the cause, and that nothing was found there its evidence. */
function withWrongAddresses(findings: readonly Finding[]): readonly Finding[] {
  const causes = new Map<string, Finding>();
  for (const found of findings)
    if (OF_ADDRESS.has(found.code))
      for (const at of placesOf(found)) causes.set(placeName(at) ?? "", causes.get(placeName(at) ?? "") ?? found);
  if (causes.size === 0) return findings;
  const follows = new Map<Finding, Finding>();
  const left = findings.flatMap((found) => {
    if (!NOTHING_THERE.has(found.code)) return [found];
    const kept = placesOf(found).filter((at) => !causes.has(placeName(at) ?? ""));
    const [cause] = placesOf(found).flatMap((at) => causes.get(placeName(at) ?? "") ?? []);
    if (cause === undefined) return [found];
    follows.set(cause, follows.get(cause) ?? found);
    const [place] = kept;
    if (place === undefined) return [];
    const count = Math.max(kept.length, found.count - cause.count);
    const targets = new Set(kept.map(placeName)).size;
    return [{ ...found, place, places: kept, count, facts: { ...found.facts, targets }, ...extentOf(found, kept) }];
  });
  return left.map((found) =>
    follows.has(found)
      ? withFollower({ ...found, facts: { ...found.facts, isGone: true } }, follows.get(found))
      : found,
  );
}

/** Members of an array's metadata from which lengths and codecs follow. */
const OF_BYTES: ReadonlySet<unknown> = new Set(["dtype", "chunks", "filters"]);

// oxfmt-ignore
const OF_WRONG_METADATA: ReadonlySet<string> = new Set([
  "chunk-lengths-fit-other", "chunk-length-wrong", "compressed-length-impossible", "inline-length-wrong",
  "values-of-other-type", "target-unfit", "decode-failed", "chunk-size-mismatch",
] satisfies Code[]);

/** Lengths that do not fit are evidence of another type, if the source files' own index or the first bytes state one. */
function withWrongMetadata(findings: readonly Finding[]): readonly Finding[] {
  const causes = new Map(
    findings.flatMap((one) =>
      one.code === "chunks-of-other-format" ||
      (one.code === "held-metadata-differs" && OF_BYTES.has(one.facts["member"]))
        ? [[nodeOf(one.place), one]]
        : [],
    ),
  );
  return underCauses(findings, (found) => {
    const arrays = OF_WRONG_METADATA.has(found.code) ? placesOf(found).map((at) => chunkIn(at)?.array) : [];
    const [cause, ...others] = arrays.map((array) => causes.get(array));
    return others.every((one) => one === cause) ? cause : undefined;
  });
}

/** Findings without those that have a cause; of these, the cause has the first as its evidence. */
function underCauses(findings: readonly Finding[], causeOf: (found: Finding) => Finding | undefined) {
  const follows = new Map<Finding, Finding>();
  const left = findings.filter((found) => {
    const cause = causeOf(found);
    if (cause !== undefined && !follows.has(cause)) follows.set(cause, found);
    return cause === undefined;
  });
  return follows.size === 0 ? findings : left.map((cause) => withFollower(cause, follows.get(cause)));
}

const withFollower = (cause: Finding, found: Finding | undefined): Finding =>
  found === undefined ? cause : { ...cause, evidence: { found, chunks: chunksOf(found) } };

const chunksOf = (found: Finding): ChunkPlace[] => placesOf(found).flatMap((at) => chunkIn(at) ?? []);

const bareTargets = ({ place, places = [place] }: Finding): readonly string[] =>
  places.flatMap((at) => (at.kind === "target" ? [at.target.replace(/[?#].*$/s, "")] : []));

/**
 * If all arrays with noise have the other byte order, so has a coordinate that is out of order: it has too few numbers
 * to show it.
 */
function withSwappedCoordinates(findings: readonly Finding[]): readonly Finding[] {
  const noise = findings.filter(({ code }) => code === "values-misread");
  const isSwapped = noise.every(({ facts }) => (facts["change"] as Facts | undefined)?.["kind"] === "byte-order");
  const [first, ...more] = noise;
  if (first === undefined || more.length === 0 || !isSwapped) return findings;
  const arrays = new Set(noise.map(({ place }) => nodeOf(place)));
  return underCauses(findings, ({ code, place }) =>
    OF_BYTE_ORDER.has(code) && !arrays.has(nodeOf(place)) ? first : undefined,
  );
}

/**
 * Chunks declared longer than files fill them leave a coordinate without the values that lie in references past its
 * end.
 */
function withEmptyTails(findings: readonly Finding[]): readonly Finding[] {
  const tooLong = new Map(
    findings.flatMap((one) =>
      one.code === "keys-past-grid" && one.facts["chunkFits"] !== undefined && one.place.kind === "key"
        ? [[parentOfKey(one.place.key), one] as const]
        : [],
    ),
  );
  return underCauses(findings, ({ code, place }) =>
    code === "coordinate-missing-values" ? tooLong.get(nodeOf(place) ?? "") : undefined,
  );
}

const placesOf = ({ place, places = [place] }: Finding): readonly Place[] => places;

const placeName = (place: Place): string | undefined =>
  place.kind === "target" ? `target ${place.target}` : undefined;

const withEvidence = (found: Finding, evidence: Evidence | undefined): Finding =>
  evidence === undefined ? found : { ...found, evidence };

/** The finding without the chunks for which a cause is known; `undefined` where that is all of them. */
function withoutExplained(
  found: Finding,
  causes: ReadonlyMap<string, Finding>,
  evidence: Map<Finding, { readonly found: Finding; readonly chunks: ChunkPlace[] }>,
): Finding | undefined {
  const { place, places = [place] } = found;
  const count = Math.max(found.count, places.length);
  const kept: Place[] = [];
  for (const at of places) {
    const chunk = chunkIn(at);
    const ofPlace = OF_UNPLACED.has(found.code) ? causes.get(placeName(at) ?? "") : undefined;
    const cause = chunk === undefined ? undefined : (causes.get(chunkId(chunk)) ?? ofPlace);
    if (chunk === undefined || cause === undefined || cause === found) kept.push(at);
    else {
      const known = evidence.get(cause) ?? { found, chunks: [] };
      evidence.set(cause, known);
      known.chunks.push(chunk);
    }
  }
  if (kept.length === places.length) return found;
  const rest = count - (places.length - kept.length);
  if (rest <= 0) return undefined;
  // Only the first places of very many are known: the others are counted.
  const [first] = kept;
  if (first === undefined) return { ...found, count: rest };
  return { ...found, place: first, places: kept, count: rest, ...extentOf(found, kept) };
}

function extentOf(found: Finding, kept: readonly Place[]): Pick<Finding, "extent"> {
  const isComplete = (found.places ?? [found.place]).length === found.count;
  if (found.extent === undefined || !isComplete) return {};
  const counter = new ExtentCounter();
  const { extent: _, ...bare } = found;
  for (const place of kept) counter.add({ ...bare, place, count: 1 });
  const extent = counter.extent();
  return extent === undefined ? {} : { extent };
}

const chunkId = ({ array, coordinates }: ChunkPlace): string => `${array}\n${coordinates.join(".")}`;

/** Those of the array that it is about: it may name chunks of others as neighbours. */
function ownChunks({ place, places = [place] }: Finding): readonly string[] {
  const array = nodeOf(place);
  return places
    .flatMap((one) => chunkIn(one) ?? [])
    .filter((chunk) => chunk.array === array)
    .map(chunkId);
}
