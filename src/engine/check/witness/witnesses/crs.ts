/**
 * The coordinate reference system by each way that a store offers: code, WKT, parameters of a grid mapping (CF appendix
 * F), units of x and y, and the range of their numbers.
 */
import { isJsonObject, type JsonValue } from "#core/json/json.ts";
import type { HierarchyNode } from "#core/metadata/array-metadata.ts";
import { attribute, textAttribute } from "#core/metadata/attribute.ts";
import type { StatementSource } from "#core/check/statement.ts";
import { plainNumber } from "../show.ts";
import type { WitnessView } from "../view.ts";

/** WKT of more is not looked at. */
const MAX_TEXT = 20_000;

interface Crs {
  readonly source: StatementSource;
  readonly code?: string | undefined;
  /** Numbers by their names in a grid mapping. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly isGeographic?: boolean | undefined;
}

/** Names of parameters: in WKT 1 and 2 in lower case without punctuation, in a grid mapping. */
const PARAMETERS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:central ?meridian|longitude of natural origin|longitude of center|longitude of origin)$/,
    "longitude_of_central_meridian",
  ],
  [/^(?:latitude of origin|latitude of natural origin|latitude of center)$/, "latitude_of_projection_origin"],
  [/^(?:scale factor|scale factor at natural origin)$/, "scale_factor_at_central_meridian"],
  [/^(?:false easting|easting at false origin)$/, "false_easting"],
  [/^(?:false northing|northing at false origin)$/, "false_northing"],
];

/** Other names in grid mappings, by projection. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["longitude_of_projection_origin", "longitude_of_central_meridian"],
  ["straight_vertical_longitude_from_pole", "longitude_of_central_meridian"],
  ["scale_factor_at_projection_origin", "scale_factor_at_central_meridian"],
]);

export async function crsWitness(view: WitnessView): Promise<void> {
  for (const node of view.set.hierarchy.nodes.values()) {
    if (view.isTold(node.path)) continue;
    const all = statedBy(node);
    if (all.length > 0) holdCrs(view, node, all);
  }
  await holdRanges(view);
}

function statedBy(node: HierarchyNode): readonly Crs[] {
  const { attributes } = node;
  const found: Crs[] = [];
  for (const name of ["crs_wkt", "spatial_ref", "proj:wkt2"]) {
    const text = textAttribute(attributes, name);
    if (text !== undefined && text.length <= MAX_TEXT && /^\s*[A-Z_]+\s*[[(]/.test(text)) found.push(ofWkt(text, name));
  }
  for (const name of ["proj:code", "epsg_code", "spatial_epsg", "proj:epsg", "EPSG"]) {
    const [, code] = /^(?:EPSG:)?(\d{4,6})$/i.exec(codeText(attribute(attributes, name))) ?? [];
    if (code !== undefined) found.push({ source: { kind: "attribute", name }, ...ofCode(code) });
  }
  found.push(...ofGdal(attribute(attributes, "_CRS")));
  const numbers = new Map<string, number>();
  for (const [, name] of PARAMETERS) {
    // WKT has the latitude of the true scale there for polar projections, CF that of the pole.
    if (name === "latitude_of_projection_origin" && isPolar(attributes)) continue;
    for (const own of [name, ...[...ALIASES].flatMap(([alias, to]) => (to === name ? [alias] : []))]) {
      const value = attribute(attributes, own);
      if (typeof value === "number" && !numbers.has(name)) numbers.set(name, value);
    }
  }
  for (const name of ["semi_major_axis", "inverse_flattening"]) {
    const value = attribute(attributes, name);
    if (typeof value === "number" || typeof value === "bigint") numbers.set(name, Number(value));
  }
  const mapping = textAttribute(attributes, "grid_mapping_name");
  if (mapping !== undefined) {
    const isGeographic = mapping === "latitude_longitude";
    found.push({ source: { kind: "attribute", name: "the grid mapping's parameters" }, numbers, isGeographic });
  }
  return found;
}

const codeText = (value: JsonValue | undefined): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "bigint" ? `${value}` : "";

/** GDAL's Zarr driver: an address of the code, WKT2 and PROJJSON in one attribute. */
function ofGdal(value: JsonValue | undefined): readonly Crs[] {
  if (!isJsonObject(value)) return [];
  const [url, wkt] = [value.get("url"), value.get("wkt")];
  const [, code] = /\/EPSG\/[^/]*\/(\d{4,6})$/.exec(codeText(url)) ?? [];
  const ofUrl =
    code === undefined ? [] : [{ source: { kind: "attribute", name: "_CRS url" } as const, ...ofCode(code) }];
  return typeof wkt === "string" && wkt.length <= MAX_TEXT ? [...ofUrl, ofWkt(wkt, "_CRS wkt")] : ofUrl;
}

const isPolar = (attributes: JsonValue | undefined): boolean =>
  textAttribute(attributes, "grid_mapping_name") === "polar_stereographic";

/** UTM: 326 and 327 with the zone (EPSG 9.1). */
function ofCode(code: string): Omit<Crs, "source"> {
  const [, side, zone] = /^32([67])(\d\d)$/.exec(code) ?? [];
  if (zone === undefined) return { code, numbers: new Map(), ...(code === "4326" ? { isGeographic: true } : {}) };
  return { code, numbers: new Map(utm(Number(zone), side === "7")), isGeographic: false };
}

const utm = (zone: number, isSouth: boolean) =>
  [
    ["longitude_of_central_meridian", zone * 6 - 183],
    ["false_easting", 500_000],
    ["false_northing", isSouth ? 10_000_000 : 0],
  ] as const;

function ofWkt(text: string, name: string): Crs {
  const numbers = new Map<string, number>();
  for (const [, parameter = "", value] of text.matchAll(
    /PARAMETER\s*[[(]\s*"([^"]{1,80})"\s*,\s*(-?[\d.]+(?:e[+-]?\d+)?)/gi,
  )) {
    const plain = parameter.toLowerCase().replaceAll("_", " ");
    const known = PARAMETERS.find(([pattern]) => pattern.test(plain));
    if (known !== undefined) numbers.set(known[1], Number(value));
  }
  const [, axis, flattening] =
    /(?:SPHEROID|ELLIPSOID)\s*[[(]\s*"[^"]{0,80}"\s*,\s*([\d.]+)\s*,\s*([\d.]+)/i.exec(text) ?? [];
  if (axis !== undefined && flattening !== undefined) {
    numbers.set("semi_major_axis", Number(axis));
    numbers.set("inverse_flattening", Number(flattening));
  }
  const [, code] = /(?:AUTHORITY|ID)\s*[[(]\s*"EPSG"\s*,\s*"?(\d{4,6})"?\s*[\])]\s*[\])]\s*$/i.exec(text) ?? [];
  const [, zone, side] = /^[^"]*"[^"]{0,60}UTM zone (\d{1,2})([NS])/i.exec(text) ?? [];
  const ofName = zone === undefined ? undefined : `32${side?.toUpperCase() === "S" ? 7 : 6}${zone.padStart(2, "0")}`;
  const isGeographic = /^\s*(?:GEOGCS|GEOGCRS|GEODCRS|GEOGRAPHICCRS)/i.test(text)
    ? true
    : /^\s*PROJ/i.test(text)
      ? false
      : undefined;
  const isWgs84 = /^[^"]*"WGS 84 \//.test(text);
  return { source: { kind: "attribute", name }, code: code ?? (isWgs84 ? ofName : undefined), numbers, isGeographic };
}

/** All codes, and all numbers of one name, are the same. */
function holdCrs(view: WitnessView, node: HierarchyNode, all: readonly Crs[]): void {
  const names = new Set(all.flatMap(({ numbers }) => [...numbers.keys()]));
  let [agrees, isCompared] = [true, false];
  const tell = (what: string, stated: readonly (readonly [Crs, number | string])[]) => {
    isCompared ||= stated.length > 1;
    const [first] = stated;
    if (first === undefined || !agrees) return;
    const isSame = (a: number | string, b: number | string) =>
      typeof a === "number" && typeof b === "number" ? Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b)) : a === b;
    const alone = stated.find(
      ([, value]) =>
        stated.every(([, other]) => other === value || !isSame(other, value)) &&
        stated.some(([, other]) => other !== value),
    );
    const odd = alone ?? stated.find(([, value]) => !isSame(value, first[1]));
    const others = stated.filter((one) => odd !== undefined && !isSame(one[1], odd[1]));
    const [other, ...more] = others;
    if (odd === undefined || other === undefined) return;
    agrees = false;
    const side = ([crs, value]: readonly [Crs, number | string]) => ({
      source: crs.source,
      value: `${what} ${typeof value === "number" ? plainNumber(value) : value}`,
    });
    view.disagree(node, { quantity: "crs", a: side(odd), b: side(other), agree: more.map(([{ source }]) => source) });
  };
  tell(
    "EPSG",
    all.flatMap((crs) => (crs.code === undefined ? [] : [[crs, crs.code] as const])),
  );
  for (const name of names) {
    const words = name === "longitude_of_central_meridian" ? "central meridian" : name.replaceAll("_", " ");
    tell(
      words,
      all.flatMap((crs) => (crs.numbers.has(name) ? [[crs, crs.numbers.get(name) as number] as const] : [])),
    );
  }
  const kinds = all.flatMap((crs) =>
    crs.isGeographic === undefined
      ? []
      : [[crs, crs.isGeographic ? "latitude and longitude" : "a projection"] as const],
  );
  tell("CRS:", kinds);
  if (isCompared || all.length === 1)
    view.compared.push({ quantity: "crs", subject: node.path, sources: all.map(({ source }) => source), agrees });
}

/** Degrees for metres, or metres for degrees: by the CRS of the group or grid mapping beside x and y. */
async function holdRanges(view: WitnessView): Promise<void> {
  for (const node of view.arrays) {
    const isX = /^(?:x|lon(?:gitude)?)$/i.test(node.name);
    if (
      node.metadata.shape.length !== 1 ||
      !(isX || /^(?:y|lat(?:itude)?)$/i.test(node.name)) ||
      view.isTold(node.path)
    )
      continue;
    const group = view.set.hierarchy.nodes.get(node.path.slice(0, Math.max(0, node.path.lastIndexOf("/"))));
    const crs = [group, view.near(node, "spatial_ref"), view.near(node, "crs")].flatMap((one) =>
      one === undefined ? [] : statedBy(one),
    );
    const [stated] = crs.filter(({ isGeographic }) => isGeographic !== undefined);
    const standard = textAttribute(node.attributes, "standard_name") ?? "";
    const units = textAttribute(node.attributes, "units") ?? "";
    const values = await view.numbers(node);
    if (values === undefined || values.length < 3) continue;
    const most = values.reduce((greatest, value) => Math.max(greatest, Math.abs(value)), 0);
    const isLat = /^(?:lat|latitude)/.test(standard) || /^degrees?_?n/i.test(units);
    const isDegrees =
      isLat || standard.startsWith("longitude") || /^degrees?_?e/i.test(units) || stated?.isGeographic === true;
    const limit = isLat ? 90.001 : 540;
    const isMetres = /^k?m$|^metres?$/.test(units);
    if (isDegrees && most > limit && !/rad/.test(units) && (!isMetres || stated?.isGeographic === true)) {
      const source =
        stated?.isGeographic === true && !isLat
          ? stated.source
          : ({ kind: "attribute", name: `units ${units}` } as const);
      view.disagree(node, {
        quantity: "crs",
        a: { source, value: `degrees, at most ${isLat ? 90 : 360}` },
        b: { source: { kind: "data", name: node.name }, value: `up to ${plainNumber(most)}` },
      });
    }
  }
}
