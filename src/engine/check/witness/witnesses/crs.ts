/**
 * The coordinate reference system by each way that a store offers: code, WKT, parameters of a grid mapping (CF appendix
 * F), units of x and y, and the range of their numbers.
 */
import { isJsonObject, type JsonValue } from "#core/json/json.ts";
import type { ArrayNode, HierarchyNode } from "#core/metadata/array-metadata.ts";
import { attribute, textAttribute } from "#core/metadata/attribute.ts";
import type { StatedChange, StatementSource } from "#core/check/statement.ts";
import { levelsRead } from "#engine/describe/levels.ts";
import { isUsualMark } from "#engine/check/values/rules/fill-values.ts";
import { plainNumber } from "../show.ts";
import { oddOf, side, type WitnessView } from "../view.ts";

/** WKT of more is not looked at. */
const MAX_TEXT = 20_000;

interface Crs {
  readonly source: StatementSource;
  readonly code?: string | undefined;
  /** Numbers by their names in a grid mapping. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly isGeographic?: boolean | undefined;
  /** Name of the grid mapping. */
  readonly method?: string | undefined;
}

/** Beginnings of the names of methods in WKT, and the grid mappings that they are (CF appendix F). */
const METHODS: readonly (readonly [RegExp, string])[] = [
  [/^transverse mercator/, "transverse_mercator"],
  [/^lambert con(?:formal conic|ic conformal)/, "lambert_conformal_conic"],
  [/^polar stereographic/, "polar_stereographic"],
  [/^albers/, "albers_conical_equal_area"],
  [/^lambert azimuthal equal area/, "lambert_azimuthal_equal_area"],
  [/^(?:popular visualisation pseudo )?mercator/, "mercator"],
  [/^sinusoidal/, "sinusoidal"],
];

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
    const all = [...statedBy(node), ...statedBeside(view, node)];
    if (all.length > 0) holdCrs(view, node, all);
  }
  await holdRanges(view);
}

/** Statements of a grid mapping's group; of the levels of a group. */
function statedBeside(view: WitnessView, node: HierarchyNode): readonly Crs[] {
  const group = node.kind === "array" && node.metadata.shape.length === 0 ? view.groupOf(node) : undefined;
  const levels = (levelsRead(node).sets[0]?.levels ?? []).filter(({ path }) => path !== node.path);
  const ofLevels = levels.flatMap(({ path }) => {
    const level = view.set.hierarchy.nodes.get(path);
    return (level === undefined ? [] : statedBy(level)).map(({ source, ...crs }) => ({
      ...crs,
      source: { ...source, name: `${path}/${source.name}` },
    }));
  });
  return [...(group === undefined ? [] : statedBy(group)), ...ofLevels];
}

export function statedBy(node: HierarchyNode): readonly Crs[] {
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
    const method = METHODS.some(([, known]) => known === mapping) ? mapping : undefined;
    // Rotated poles are geographic in WKT, and other names are of nothing that is known.
    const isGeographic = method === undefined && mapping !== "latitude_longitude" ? undefined : method === undefined;
    found.push({ source: { kind: "attribute", name: "the grid mapping's parameters" }, numbers, isGeographic, method });
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

/** UTM: 326 and 327 with the zone, 01 to 60; the codes after these are of other projections (EPSG 9.1). */
function ofCode(code: string): Omit<Crs, "source"> {
  const [, side, zone] = /^32([67])(0[1-9]|[1-5]\d|60)$/.exec(code) ?? [];
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
  const [, projection = ""] = /(?:PROJECTION|METHOD)\s*[[(]\s*"([^"]{1,80})"/i.exec(text) ?? [];
  const plain = projection.toLowerCase().replaceAll("_", " ");
  const method = METHODS.find(([pattern]) => pattern.test(plain))?.[1];
  const source = { kind: "attribute", name } as const;
  return { source, code: code ?? (isWgs84 ? ofName : undefined), numbers, isGeographic, method };
}

type Value = readonly [crs: Crs, value: number | string];

/** All codes, and all numbers of one name, are the same. */
function holdCrs(view: WitnessView, node: HierarchyNode, all: readonly Crs[]): void {
  const stated = (what: string, valueOf: (crs: Crs) => number | string | undefined) => {
    const values = all.map((crs) => [crs, valueOf(crs)] as const);
    return [what, values.filter((one): one is Value => one[1] !== undefined)] as const;
  };
  const numbers = [...new Set(all.flatMap((crs) => [...crs.numbers.keys()]))].map((name) => {
    const words = name === "longitude_of_central_meridian" ? "central meridian" : name.replaceAll("_", " ");
    return stated(words, (crs) => crs.numbers.get(name));
  });
  const kindOf = ({ isGeographic }: Crs) =>
    isGeographic === undefined ? undefined : isGeographic ? "latitude and longitude" : "a projection";
  const method = stated("projection", (crs) => crs.method);
  const facts = [stated("EPSG", ({ code }) => code), ...numbers, method, stated("CRS:", kindOf)];
  const [wrong] = facts.flatMap(([what, values]) => {
    const odd = oddOf(values, isEqual);
    return odd === undefined ? [] : [{ what, ...odd }];
  });
  const sources = all.map(({ source }) => source);
  if (wrong !== undefined) {
    const told = ([{ source }, value]: Value) => ({
      source,
      value: `${wrong.what} ${typeof value === "number" ? plainNumber(value) : value}`,
    });
    const agree = wrong.agree.map(([{ source }]) => source);
    view.disagree(node, { quantity: "crs", a: told(wrong.one), b: told(wrong.other), agree });
  }
  if (all.length === 1 || facts.some(([, values]) => values.length > 1))
    view.compared.push({ quantity: "crs", subject: node.path, sources, agrees: wrong === undefined });
}

const isEqual = ([, a]: Value, [, b]: Value): boolean =>
  typeof a === "number" && typeof b === "number" ? Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b)) : a === b;

/**
 * Degrees for metres, or metres for degrees: by the CRS of the group or grid mapping beside x and y, and by the standard
 * name of places on one axis or two.
 */
async function holdRanges(view: WitnessView): Promise<void> {
  for (const node of view.arrays) {
    const standard = textAttribute(node.attributes, "standard_name") ?? "";
    // Edges of cells may lie beyond the poles.
    const isPlace = /^l(?:at|ong)itude$/.test(standard) && !/b(?:ou)?nds|vert|corner/i.test(node.name);
    const isAxis = node.metadata.shape.length === 1 && /^(?:[xy]|lon(?:gitude)?|lat(?:itude)?)$/i.test(node.name);
    if (!(isPlace || isAxis) || view.isTold(node.path)) continue;
    const crs = [view.groupOf(node), view.near(node, "spatial_ref"), view.near(node, "crs")].flatMap((one) =>
      one === undefined ? [] : statedBy(one),
    );
    const [stated] = crs.filter(({ isGeographic }) => isGeographic !== undefined);
    const units = textAttribute(node.attributes, "units") ?? "";
    const values = await view.numbers(node);
    if (values === undefined || values.length < 3) continue;
    const most = farthest(values);
    const isLat = /^(?:lat|latitude)/.test(standard) || /^degrees?_?n/i.test(units);
    const isDegrees =
      isLat || standard.startsWith("longitude") || /^degrees?_?e/i.test(units) || stated?.isGeographic === true;
    const limit = isLat ? 90.001 : 540;
    const isMetres = /^k?m$|^metres?$/.test(units);
    if (/^(?:km|kilomet)/i.test(units) && standard.startsWith("projection_") && most > HALF_WAY) {
      const [a, b] = [side("attribute", "units", units), side("data", node.name, plainNumber(most))];
      const change = { kind: "units", said: units, meant: ["m"] } as const;
      view.disagree(node, { quantity: "units", a, b, change });
      continue;
    }
    if (isDegrees && most > limit && !/rad/.test(units) && (!isMetres || stated?.isGeographic === true)) {
      const { name } = stated?.isGeographic === true && !isLat ? stated.source : { name: `units ${units}` };
      const a = side("attribute", name, `degrees, at most ${isLat ? 90 : 360}`);
      const change = isLat && most <= 360 ? await exchangedWith(view, node) : undefined;
      view.disagree(node, { quantity: "crs", a, b: side("data", node.name, `up to ${plainNumber(most)}`), change });
    }
  }
}

/** Kilometres half around the Earth. */
const HALF_WAY = 20_100;

/** The greatest distance from 0, marks of missing values aside. */
const farthest = (values: Float64Array): number =>
  values.reduce((most, value) => (isUsualMark(value) ? most : Math.max(most, Math.abs(value) || 0)), 0);

/** The longitude of the same places, if latitudes could be its values. */
async function exchangedWith(view: WitnessView, node: ArrayNode): Promise<StatedChange | undefined> {
  const other = view
    .beside(node)
    .find(
      (one) =>
        textAttribute(one.attributes, "standard_name") === "longitude" &&
        one.metadata.shape.join() === node.metadata.shape.join(),
    );
  const values = other && (await view.numbers(other));
  return other && values && farthest(values) <= 90 ? { kind: "exchanged", with: other.name } : undefined;
}
