/** Collects findings by cause: the first few places of each are kept, all are counted. */
import { causeOf, ExtentCounter } from "./cause.ts";
import type { Finding } from "./fact.ts";
import type { Place } from "./place.ts";

const MAX_PLACES = 100;
/** Causes of one code; beyond it the last one counts for all that follow. */
const MAX_CAUSES_PER_CODE = 20;

interface Kept {
  readonly first: Finding;
  readonly places: Place[];
  readonly extent: ExtentCounter;
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
    const kept = known ?? { first: finding, places: [], extent: new ExtentCounter(), count: 0 };
    if (known === undefined) causes.set(key, kept);
    kept.count += finding.count;
    kept.places.push(...(finding.places ?? [finding.place]).slice(0, MAX_PLACES - kept.places.length));
    kept.extent.add(finding);
  }

  addAll(findings: Iterable<Finding>): void {
    for (const finding of findings) this.add(finding);
  }

  /** A cause each, in the order met by code. */
  list(): readonly Finding[] {
    return [...this.#codes.values()].flatMap((causes) => [...causes.values()].map((kept) => asFinding(kept)));
  }
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
