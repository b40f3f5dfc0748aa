/** Collects findings by cause: the first few places of each are kept, all are counted. */
import type { Finding, Severity } from "../finding.ts";
import { causeKey, ExtentCounter } from "./cause.ts";
import type { Place } from "./place.ts";

const MAX_PLACES = 20;
/** Causes of one code; beyond it the last one counts for all that follow. */
const MAX_CAUSES_PER_CODE = 20;

interface Kept {
  readonly first: Finding;
  readonly places: Place[];
  readonly extent: ExtentCounter;
  count: number;
}

/** Findings with a budget, so that a hostile set of ten million faults stays a short list with exact counts. */
export class FindingLog {
  readonly #codes = new Map<string, Map<string, Kept>>();
  #unplaced = 0;

  add(finding: Finding): void {
    const { code, place, facts, count = 1 } = finding;
    const causes = this.#codes.get(code) ?? new Map<string, Kept>();
    this.#codes.set(code, causes);
    const key = this.#keyOf(finding);
    const cause = causes.get(key) ?? (causes.size < MAX_CAUSES_PER_CODE ? undefined : [...causes.values()].at(-1));
    const places = finding.places ?? (place === undefined ? [] : [place]);
    if (cause !== undefined) {
      cause.count += count;
      cause.places.push(...places.slice(0, MAX_PLACES - cause.places.length));
      cause.extent.add(finding);
      return;
    }
    const extent = new ExtentCounter();
    if (facts !== undefined) extent.add(finding);
    causes.set(key, { first: finding, places: [...places], extent, count });
  }

  addAll(findings: Iterable<Finding>): void {
    for (const finding of findings) this.add(finding);
  }

  /** A cause each; errors first, then warnings, then information; within a severity in the order met. */
  list(): readonly Finding[] {
    const all = [...this.#codes.values()].flatMap((causes) => [...causes.values()].map((kept) => asFinding(kept)));
    return all.sort((a, b) => SEVERITY_ORDER[a.severity] - SEVERITY_ORDER[b.severity]);
  }

  #keyOf({ code, place, facts }: Finding): string {
    if (place !== undefined && facts !== undefined) return causeKey(code, place, facts);
    this.#unplaced += 1;
    return String(this.#unplaced);
  }
}

function asFinding({ first, places, extent, count }: Kept): Finding {
  const reach = extent.extent();
  return {
    ...first,
    ...(count === (first.count ?? 1) ? {} : { count }),
    ...(places.length > 1 ? { places } : {}),
    ...(reach === undefined || count === 1 ? {} : { extent: reach }),
  };
}

const SEVERITY_ORDER: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };
