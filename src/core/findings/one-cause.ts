/**
 * One fault, one finding: where a cause of its own is known for a chunk (its range overlaps another's, its target is
 * shorter), that reading it then fails adds the evidence, and is no cause beside it.
 */
import { ExtentCounter } from "./cause.ts";
import type { SaidFinding } from "./explained.ts";
import type { Finding } from "./fact.ts";
import { chunkIn, nodeOf, type ChunkPlace, type Place } from "./place.ts";

export function oneCauseEach(findings: readonly SaidFinding[]): readonly SaidFinding[] {
  const causes = new Map<string, SaidFinding>();
  // A cause that is nothing else comes before one that may itself follow from another.
  for (const isLast of [false, true]) {
    for (const one of findings) {
      if (one.said.causes !== true || (one.said.follows === true) !== isLast) continue;
      for (const name of chunkNames(one.found)) if (!causes.has(name)) causes.set(name, one);
    }
  }
  if (causes.size === 0) return findings;
  const evidence = new Map<SaidFinding, Evidence>();
  const rest = findings.flatMap((one) => (one.said.follows === true ? withoutExplained(one, causes, evidence) : [one]));
  return rest.map((one) => confirmed(one, evidence.get(one)));
}

/** A finding that follows, and at which chunks. */
interface Evidence {
  readonly by: SaidFinding;
  readonly chunks: ChunkPlace[];
}

/** The finding without the chunks for which a cause is known; nothing where that is all of them. */
function withoutExplained(
  one: SaidFinding,
  causes: ReadonlyMap<string, SaidFinding>,
  evidence: Map<SaidFinding, Evidence>,
): readonly SaidFinding[] {
  const { place, places = [place] } = one.found;
  const count = Math.max(one.found.count, places.length);
  const kept: Place[] = [];
  for (const at of places) {
    const chunk = chunkIn(at);
    const cause = chunk === undefined ? undefined : causes.get(nameOf(chunk));
    if (chunk === undefined || cause === undefined || cause === one) kept.push(at);
    else {
      const known = evidence.get(cause) ?? { by: one, chunks: [] };
      evidence.set(cause, known);
      known.chunks.push(chunk);
    }
  }
  const explained = places.length - kept.length;
  if (explained === 0) return [one];
  const rest = count - explained;
  if (rest <= 0) return [];
  // Of very many only the first places are known: the others are counted.
  const [first] = kept;
  if (first === undefined) return [{ ...one, found: { ...one.found, count: rest } }];
  return [{ ...one, found: { ...one.found, place: first, places: kept, count: rest, ...extentOf(one.found, kept) } }];
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

/** What was suspected is known once reading failed. */
function confirmed(one: SaidFinding, evidence: Evidence | undefined): SaidFinding {
  if (evidence === undefined) return one;
  const { by, chunks } = evidence;
  const { said } = one;
  const severity = by.said.severity === "error" ? "error" : said.severity;
  // The same said by a look at the target and by a reading.
  const isSame = one.found.code === by.found.code;
  const told = { ...said, severity, message: isSame ? said.message : `${said.message} ${by.said.message}` };
  return { found: one.found, said: told, ...(by.said.severity === "error" ? { failing: chunks } : {}) };
}

const nameOf = ({ array, coordinates }: ChunkPlace): string => `${array}\n${coordinates.join(".")}`;

/** Those of the array that it is about: it may name chunks of others as neighbours. */
function chunkNames({ place, places = [place] }: Finding): readonly string[] {
  const array = nodeOf(place);
  return places
    .flatMap((one) => chunkIn(one) ?? [])
    .filter((chunk) => chunk.array === array)
    .map(nameOf);
}
