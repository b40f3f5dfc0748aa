/** Collects findings by cause: the first few places of each are kept, all are counted. */
import { causeOf, ExtentCounter } from "./cause.ts";
import { chunkIn, type Finding, type Place } from "./fact.ts";

const MAX_PLACES = 100;
/** Causes of one code; beyond it the last one counts for all that follow. */
const MAX_CAUSES_PER_CODE = 20;

interface Kept {
  readonly first: Finding;
  readonly places: Place[];
  readonly extent: ExtentCounter;
  /** Chunks among the places. */
  readonly chunks: Set<string>;
  count: number;
}

/** Findings with a budget, so that a hostile set of ten million errors stays a short list with exact counts. */
export class FindingLog {
  readonly #codes = new Map<string, Map<string, Kept>>();

  add(finding: Finding): void {
    const causes = this.#codes.get(finding.code) ?? new Map<string, Kept>();
    this.#codes.set(finding.code, causes);
    const key = causeOf(finding);
    const known = causes.get(key) ?? (causes.size < MAX_CAUSES_PER_CODE ? undefined : [...causes.values()].at(-1));
    const kept = known ?? { first: finding, places: [], extent: new ExtentCounter(), chunks: new Set(), count: 0 };
    if (known === undefined) causes.set(key, kept);
    const open = withoutKnown(finding, kept.chunks);
    if (open === undefined) return;
    kept.count += open.count;
    for (const place of (open.places ?? [open.place]).slice(0, MAX_PLACES - kept.places.length)) {
      kept.places.push(place);
      const name = chunkName(place);
      if (name !== undefined) kept.chunks.add(name);
    }
    kept.extent.add(open);
  }

  addAll(findings: Iterable<Finding>): void {
    for (const finding of findings) this.add(finding);
  }

  /** A cause each, in the order met by code. */
  list(): readonly Finding[] {
    return [...this.#codes.values()].flatMap((causes) => [...causes.values()].map((kept) => asFinding(kept)));
  }
}

/** A chunk has a cause once, whoever met it: of a finding what is not told yet; `undefined` where all of it is. */
function withoutKnown(finding: Finding, known: ReadonlySet<string>): Finding | undefined {
  const { place, places = [place], count, extent } = finding;
  // Places beyond the count are neighbours.
  if (known.size === 0 || places.length > count) return finding;
  const again = places.filter((one) => known.has(chunkName(one) ?? ""));
  if (again.length === 0) return finding;
  const open = places.filter((one) => !again.includes(one));
  const rest = count - again.length;
  if (rest <= 0) return undefined;
  const [first = place] = open;
  const arrays = extent?.arrays.map((box) => {
    const told = again.filter((one) => chunkIn(one)?.array === box.array).length;
    return { ...box, chunks: Math.max(0, box.chunks - told) };
  });
  return {
    ...finding,
    place: first,
    places: open,
    count: rest,
    ...(extent === undefined || arrays === undefined ? {} : { extent: { ...extent, arrays } }),
  };
}

function chunkName(place: Place): string | undefined {
  const chunk = chunkIn(place);
  return chunk === undefined ? undefined : `${chunk.array}\n${chunk.coordinates.join(".")}`;
}

function asFinding({ first, places, extent, count }: Kept): Finding {
  const reach = extent.extent();
  return {
    ...first,
    count,
    ...(places.length > 1 ? { places } : {}),
    ...(reach === undefined || count === 1 ? {} : { extent: reach }),
  };
}
