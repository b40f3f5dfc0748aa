/**
 * Positions of elements by the conventions `proj:` (zarr-conventions/geo-proj v1) and `spatial:`
 * (zarr-conventions/spatial v0.1). Names and numbers as they are written; nothing is projected.
 */
import { type FactsOf, finding, type Finding, nodeAt } from "../findings/finding.ts";
import { describeJson, isJsonObject, type JsonObject, type JsonValue } from "../json/json.ts";
import { numbersOf } from "./read-levels.ts";

export interface Georeference {
  /** A code such as `EPSG:32633`, else the name in the WKT2 or PROJJSON. */
  readonly crs?: { readonly text: string; readonly from: "proj:code" | "proj:wkt2" | "proj:projjson" };
  /** Names of the dimensions of y and x, in this order. */
  readonly dimensions?: readonly [y: string, x: string];
  /** `x = a·column + b·row + c`, `y = d·column + e·row + f`. */
  readonly transform?: readonly number[];
  /** xmin, ymin, xmax, ymax. */
  readonly box?: readonly number[];
  /** Part of an element that coordinates refer to: its edges (`pixel`) or its middle (`node`). */
  readonly registration?: string;
}

export interface GeoreferenceRead {
  /** Absent where the attributes say nothing of it. */
  readonly georeference?: Georeference;
  readonly findings: readonly Finding[];
}

/** `dimensions`: of an array; a group has none. */
export function georeferenceOf(
  path: string,
  attributes: JsonValue | undefined,
  dimensions?: readonly (string | undefined)[],
): GeoreferenceRead {
  if (!isJsonObject(attributes)) return { findings: [] };
  const names = [...attributes.keys()].filter((name) => /^(?:proj|spatial):/.test(name));
  if (names.length === 0) return { findings: [] };
  const findings: Finding[] = [];
  const sink: Sink = (facts) => void findings.push(finding("georeference-malformed", nodeAt(path), facts));
  const crs = crsOf(attributes, sink);
  const named = pairOf(attributes, "spatial:dimensions", sink);
  const transform = numbersIn(attributes, "spatial:transform", [6, 9], sink);
  const box = numbersIn(attributes, "spatial:bbox", [4, 6], sink);
  const registration = registrationOf(attributes, sink);
  for (const name of dimensions === undefined ? [] : (named ?? [])) {
    if (dimensions?.includes(name) === false)
      findings.push(finding("spatial-dimension-absent", nodeAt(path), { name, dimensions: known(dimensions) }));
  }
  return {
    georeference: {
      ...(crs === undefined ? {} : { crs }),
      ...(named === undefined ? {} : { dimensions: named }),
      ...(transform === undefined ? {} : { transform }),
      ...(box === undefined ? {} : { box }),
      ...(registration === undefined ? {} : { registration }),
    },
    findings,
  };
}

const known = (dimensions: readonly (string | undefined)[]): readonly string[] =>
  dimensions.filter((name) => name !== undefined);

type Sink = (facts: FactsOf<"georeference-malformed">) => void;

/** "Authority:code"; authorities have digits and underscores, too (IAU_2015), and all but two codes may have letters. */
const CODE = /^(?!(?:EPSG|ESRI):\d*\D)[A-Za-z][A-Za-z0-9_]*:[A-Za-z0-9._-]+$/;

/** A name of more is cut. */
const MAX_NAME = 120;

function crsOf(attributes: JsonObject, sink: Sink): Georeference["crs"] {
  const code = present(attributes.get("proj:code"));
  if (typeof code === "string" && CODE.test(code)) return { text: code, from: "proj:code" };
  if (code !== undefined)
    sink({ member: "proj:code", expected: "an authority and a code, such as “EPSG:4326”", found: describeJson(code) });
  const wkt = present(attributes.get("proj:wkt2"));
  const named = typeof wkt === "string" ? /^\s*[A-Z][A-Z0-9_]*\s*[[(]\s*"((?:[^"]|"")*)"/.exec(wkt)?.[1] : undefined;
  if (named !== undefined) return { text: named.slice(0, MAX_NAME), from: "proj:wkt2" };
  if (wkt !== undefined)
    sink({ member: "proj:wkt2", expected: "WKT2, which begins with a keyword and a name", found: describeJson(wkt) });
  const json = present(attributes.get("proj:projjson"));
  const name = isJsonObject(json) ? json.get("name") : undefined;
  if (typeof name === "string") return { text: name.slice(0, MAX_NAME), from: "proj:projjson" };
  if (json !== undefined)
    sink({ member: "proj:projjson", expected: "an object with a name", found: describeJson(json) });
  return undefined;
}

/** Null is absent. */
const present = (value: JsonValue | undefined): JsonValue | undefined => (value === null ? undefined : value);

/** The two names; the last two of three, which drafts of v1 allow. */
function pairOf(attributes: JsonObject, member: string, sink: Sink): readonly [string, string] | undefined {
  const value = present(attributes.get(member));
  const names: readonly JsonValue[] = Array.isArray(value) && value.length <= 3 ? value.slice(-2) : [];
  const [y, x] = names;
  if (typeof y === "string" && typeof x === "string") return [y, x];
  if (value !== undefined)
    sink({ member, expected: "the names of two dimensions, y and x", found: describeJson(value) });
  return undefined;
}

/** `counts`: in two dimensions, and in three, of which drafts of v1 tell; those are not read. */
function numbersIn(
  attributes: JsonObject,
  member: string,
  [count, inThree]: readonly [number, number],
  sink: Sink,
): readonly number[] | undefined {
  const value = present(attributes.get(member));
  if (value === undefined) return undefined;
  const numbers = numbersOf(value);
  if (numbers?.length === count) return numbers;
  if (numbers?.length !== inThree) sink({ member, expected: `${count} numbers`, found: describeJson(value) });
  return undefined;
}

function registrationOf(attributes: JsonObject, sink: Sink): string | undefined {
  const value = present(attributes.get("spatial:registration"));
  if (value === undefined || value === "pixel" || value === "node") return value;
  sink({ member: "spatial:registration", expected: "“pixel” or “node”", found: describeJson(value) });
  return undefined;
}
