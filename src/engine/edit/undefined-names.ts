/** Undefined names in templates: one finding per name, however often it is written and whatever it breaks. */
import { nearestName } from "#core/words/near-name.ts";
import type { Diagnostic } from "#core/studio.ts";
import { MAX_KNOWN } from "../render/name-findings.ts";
import type { DiagnosticLog, Span } from "./diagnostic-log.ts";
import { encodeRaw } from "./string-text.ts";

export interface UndefinedName {
  readonly name: string;
  /** Places in order; the first is the finding's own. */
  readonly places: Span[];
  /** Names that are known at the first place. */
  readonly known: readonly string[];
  /** Python raises UndefinedError for it, and fsspec refuses the set. */
  refuses: boolean;
  /** Causes of the set's findings that it covers. */
  readonly covers: string[];
  /** fsspec's default mode refuses the set for it in any case. */
  refusesByDefault: boolean;
}

export class UndefinedNames extends Map<string, UndefinedName> {
  add(name: string, place: Span, known: readonly string[]): void {
    const found = this.get(name);
    if (found !== undefined) found.places.push(place);
    else this.set(name, { name, places: [place], known, refuses: false, covers: [], refusesByDefault: false });
  }

  /** The name at a place where Python raised. */
  within({ start, end }: Span): UndefinedName | undefined {
    return [...this.values()].find(({ places }) => places.some((at) => at.start >= start && at.end <= end));
  }

  /** True if one of these is probably a misspelling of a known name. */
  isMeant(known: string): boolean {
    return [...this.values()].some((one) => nearestName(one.name, one.known) === known);
  }
}

/** Places that a finding marks beside its own. */
const MAX_MARKED = 200;

export function noteUndefined(log: DiagnosticLog, names: UndefinedNames): void {
  for (const { name, places, known, refuses, refusesByDefault, covers } of names.values()) {
    const [first, ...others] = places;
    if (first === undefined) continue;
    const nearest = nearestName(name, known);
    const raised = {
      raises: refuses ? "UndefinedError" : undefined,
      raisesByDefault: refusesByDefault ? "KeyError" : undefined,
    };
    const facts = { name, known: known.slice(0, MAX_KNOWN), nearest, ...raised };
    const fix = nearest === undefined ? undefined : changeTo(nearest, places);
    log.add("name-undefined", first, facts, { fix, covers, others: others.slice(0, MAX_MARKED), count: places.length });
  }
}

function changeTo(name: string, places: readonly Span[]): NonNullable<Diagnostic["fix"]> {
  const title = places.length === 1 ? `Change to “${name}”` : `Change all ${places.length} to “${name}”`;
  const edits = places
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end }) => ({ start, end, text: encodeRaw(name) }));
  return { title, edits };
}
