/**
 * Which colours the attributes of an array ask for. Its values are not asked: the colours would change from step to step.
 */
import { isJsonObject, type JsonValue } from "../json/json.ts";

export type ColourHint =
  /** Zero is the middle: velocities, anomalies, differences. */
  | { readonly kind: "signed" }
  /** Share of an area that ice or snow covers. */
  | { readonly kind: "cover" }
  /** CF §3.5: each value is a class; `meanings` has a name for each. */
  | { readonly kind: "flags"; readonly values: readonly number[]; readonly meanings: readonly string[] };

const SIGNED =
  /\b(velocity|anomal(?:y|ies)|eastward|northward|upward|downward|zonal|meridional|[uvw]-component|[uvw] component|departure|difference|tendency|vorticity|divergence|increment|residual|bias)\b/;
/** Words for quantities that are never below zero, even beside one of the words above. */
const UNSIGNED = /\b(speed|magnitude|square|variance|direction|radiation|radiative|error|std|count|number)\b/;
const COVER = /\b(ice|snow)\b.*\b(fraction|cover|coverage|concentration)\b/;
/** More could not be told apart. */
const MOST_FLAGS = 32;

export function colourHint(attributes: JsonValue | undefined): ColourHint | undefined {
  if (attributes === undefined || !isJsonObject(attributes)) return undefined;
  const text = (name: string) => {
    const value = attributes.get(name);
    return typeof value === "string" ? value : "";
  };
  const values = attributes.has("flag_masks") ? [] : flagValues(attributes.get("flag_values"));
  if (values.length > 1 && values.length <= MOST_FLAGS) {
    const names = text("flag_meanings").split(/\s+/).filter(Boolean);
    const isNamed = names.length === values.length;
    const meanings = values.map((value, at) => (isNamed ? (names[at] ?? "").replaceAll("_", " ") : String(value)));
    return { kind: "flags", values, meanings };
  }
  const name = `${text("standard_name")} ${text("long_name")}`.replaceAll("_", " ").toLowerCase();
  if (SIGNED.test(name) && !UNSIGNED.test(name)) return { kind: "signed" };
  return COVER.test(name) ? { kind: "cover" } : undefined;
}

/** Flag values, given as numbers or, in files of old tools, as text ("0b, 1b"). */
function flagValues(written: JsonValue | undefined): readonly number[] {
  const list = Array.isArray(written) ? (written as readonly JsonValue[]) : [];
  const values =
    typeof written === "string"
      ? written.split(/[\s,]+/).map(Number.parseFloat)
      : list.slice(0, MOST_FLAGS + 1).map(Number);
  return values.every(Number.isFinite) ? [...new Set(values)] : [];
}
