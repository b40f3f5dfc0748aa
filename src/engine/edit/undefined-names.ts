/** Names that templates use and nobody gives: one finding a name, however often it is written and whatever it breaks. */
import { nearestName } from "../render/nearest-name.ts";
import type { DiagnosticLog } from "./diagnostic-log.ts";
import { encodeRaw } from "./string-text.ts";

interface Place {
  readonly start: number;
  readonly end: number;
}

export interface UndefinedName {
  readonly name: string;
  /** In the order met; the first is the finding's own. */
  readonly places: Place[];
  /** Names that are known at the first place. */
  readonly known: readonly string[];
  /** Python raises UndefinedError for it, and fsspec refuses the set. */
  refuses: boolean;
  /** fsspec's default mode refuses the set for it in any case. */
  refusesByDefault: boolean;
}

export interface UndefinedNames {
  add(name: string, place: Place, known: readonly string[]): void;
  /** The name that stands in a place at which Python raised. */
  within(place: Place): UndefinedName | undefined;
  /** Whether a known name is what one of these was probably meant to be. */
  isMeant(known: string): boolean;
  all(): Iterable<UndefinedName>;
}

export function undefinedNames(): UndefinedNames {
  const names = new Map<string, UndefinedName>();
  return {
    add(name, place, known) {
      const found = names.get(name);
      if (found === undefined)
        names.set(name, { name, places: [place], known, refuses: false, refusesByDefault: false });
      else found.places.push(place);
    },
    within({ start, end }) {
      for (const one of names.values()) if (one.places.some((at) => at.start >= start && at.end <= end)) return one;
      return undefined;
    },
    isMeant: (known) => [...names.values()].some((one) => nearestName(one.name, one.known) === known),
    all: () => names.values(),
  };
}

/** Places that a finding marks beside its own. */
const MAX_MARKED = 200;

export function noteUndefined(log: DiagnosticLog, names: UndefinedNames): void {
  for (const { name, places, known, refuses, refusesByDefault } of names.all()) {
    const [first, ...others] = places;
    if (first === undefined) continue;
    const what = refuses
      ? `UndefinedError: '${name}' is undefined, and fsspec refuses the whole set: it is no template, no dimension and no name of Jinja2's.`
      : `The name “${name}” is no template, no dimension and no name of Jinja2's: it renders as nothing${refusesByDefault ? ", and fsspec's default mode raises KeyError" : ""}.`;
    const times = places.length === 1 ? "" : ` It stands in ${places.length.toLocaleString("en")} places.`;
    log.add({
      code: "name-undefined",
      severity: refuses ? "error" : "warning",
      ...first,
      message: what + times,
      ...remedy(name, places, known),
      ...(others.length === 0 ? {} : { others: others.slice(0, MAX_MARKED) }),
      ...(refuses ? { covers: REFUSED } : {}),
    });
  }
}

/** Findings of the set that say the same; where they have another cause too, that is a finding in the text as well. */
const REFUSED = ["set-refused", "url-fails", "gen-fails"];

function remedy(name: string, places: readonly Place[], known: readonly string[]) {
  const near = nearestName(name, known);
  const few = known.slice(0, 10).join(", ");
  if (near === undefined) return few === "" ? {} : { advice: `Known here: ${few}.` };
  const title = places.length === 1 ? `Change to “${near}”` : `Change all ${places.length} to “${near}”`;
  const edits = places
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end }) => ({ start, end, text: encodeRaw(near) }));
  return { advice: `Did you mean “${near}”?`, fix: { title, edits } };
}
