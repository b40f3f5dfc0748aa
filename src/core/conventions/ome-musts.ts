/**
 * Every MUST of OME-NGFF 0.4 (ngff.openmicroscopy.org/0.4) and 0.5 (0.5.2) on a group's attributes. Other versions are
 * not looked at, nor lists of other tools that look like theirs.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.ts";
import { attribute, textAttribute } from "../metadata/attribute.ts";
import { breaches, inSection, type MemberRule, type Must, type MustSink, mustSink, objectsOf } from "./must.ts";

/** OME-NGFF's metadata of a group, and the version that they follow. */
export interface OmePlace {
  /** Attributes, or those under their key `ome`. */
  readonly inside: JsonObject;
  readonly isNested: boolean;
  /** Version as written, else the one whose form the metadata has. `undefined`: another one. */
  readonly version: "0.4" | "0.5" | undefined;
  /** `ome.` or empty. */
  readonly prefix: string;
}

/** Members by which an object of that name is OME-NGFF's: other tools have plates and wells, too. */
const KEYS: readonly (readonly [key: string, member: string])[] = [
  ["plate", "wells"],
  ["plate", "rows"],
  ["well", "images"],
  ["image-label", "colors"],
  ["image-label", "properties"],
  ["image-label", "source"],
];

export function omePlace(attributes: JsonValue | undefined): OmePlace | undefined {
  if (!isJsonObject(attributes)) return undefined;
  const ome = attributes.get("ome");
  const isNested = isJsonObject(ome);
  const inside = isNested ? ome : attributes;
  const marked = KEYS.map(([key, member]) =>
    attribute(inside.get(key), member) === undefined ? null : inside.get(key),
  );
  const parts = [...(objectsOf(inside.get("multiscales")) ?? []).filter(isImage), ...marked];
  if (!isNested && !parts.some((one) => isJsonObject(one))) return undefined;
  const written = isNested ? ome.get("version") : parts.map((one) => attribute(one, "version")).find((one) => one);
  const assumed = isNested ? "0.5" : "0.4";
  const version = typeof written === "string" ? (["0.4", "0.5"] as const).find((one) => one === written) : assumed;
  return { inside, isNested, version, prefix: isNested ? "ome." : "" };
}

/** Other tools write lists of datasets, too: of theirs, none has axes, nor transformations. */
const isImage = (one: JsonObject): boolean =>
  one.has("axes") || objectsOf(one.get("datasets"))?.some((each) => each.has("coordinateTransformations")) === true;

const PLAIN = { pattern: "^[A-Za-z0-9]+$", expected: "a text of letters and digits" };
const SECONDS = { least: 0, expected: "an integer, seconds of the epoch" };

/** Forms of members. */
const OME: readonly MemberRule[] = [
  ...inSection("multiscale-md", [
    ["multiscales?", "objects", { least: 1, rule: "no-levels", expected: "a list of images" }],
    ["multiscales[]/datasets?", "objects", { least: 1, rule: "no-levels", expected: "a list of levels" }],
    ["multiscales[]/axes", "objects", { rule: "axes", expected: "a list of axes, one for each dimension" }],
  ]),
  ...inSection("axes-md", [
    ["multiscales[]/axes[]/name", "text", { rule: "axis-name" }],
    [
      "multiscales[]/axes?",
      "objects",
      { unique: "name", rule: "axis-repeated", expected: "a list of axes with different names" },
    ],
  ]),
  ...inSection("multiscale-md", [
    [
      "multiscales[]/datasets[]/coordinateTransformations",
      "objects",
      { least: 1, rule: "transformations", expected: "a list with one scale" },
    ],
  ]),
  ...inSection("omero-md", [
    ["omero/channels", "objects", { rule: "omero" }],
    ["omero/channels[]/window", "object"],
    ["omero/channels[]/color", "text", { pattern: "^[0-9A-Fa-f]{6}$", expected: "6 hexadecimal digits" }],
    ["omero/channels[]/window/min", "number"],
    ["omero/channels[]/window/max", "number"],
    ["omero/channels[]/window/start", "number"],
    ["omero/channels[]/window/end", "number"],
  ]),
  ...inSection("label-md", [
    ["image-label/colors?", "objects", { least: 1, unique: "label-value" }],
    ["image-label/colors[]/label-value", "integer"],
    [
      "image-label/colors[]/rgba?",
      "list",
      { most: 255, length: 4, each: "integer", expected: "four integers from 0 to 255" },
    ],
    ["image-label/properties?", "objects", { least: 1 }],
    ["image-label/properties[]/label-value", "integer"],
    ["image-label/source?", "object"],
    ["image-label/source/image?", "text", { expected: "the path of an image" }],
  ]),
  ...inSection("plate-md", [
    ["plate/columns", "objects", { least: 1, unique: "name", rule: "plate" }],
    ["plate/columns[]/name", "text", PLAIN],
    ["plate/rows", "objects", { least: 1, unique: "name", rule: "plate" }],
    ["plate/rows[]/name", "text", PLAIN],
    ["plate/wells", "objects", { least: 1, rule: "plate" }],
    ["plate/field_count?", "integer", { least: 1 }],
    ["plate/name?", "text"],
    ["plate/acquisitions?", "objects", { unique: "id" }],
    ["plate/acquisitions[]/id", "integer", { least: 0, expected: "an integer from 0" }],
    ["plate/acquisitions[]/name?", "text"],
    ["plate/acquisitions[]/description?", "text"],
    ["plate/acquisitions[]/maximumfieldcount?", "integer", { least: 1 }],
    ["plate/acquisitions[]/starttime?", "integer", SECONDS],
    ["plate/acquisitions[]/endtime?", "integer", SECONDS],
  ]),
  ...inSection("well-md", [
    ["well/images", "objects", { least: 1, unique: "path", rule: "well" }],
    ["well/images[]/path", "text", { pattern: "^[A-Za-z0-9]+$", expected: "a path of letters and digits" }],
    ["well/images[]/acquisition?", "integer"],
  ]),
  ...inSection("bf2raw", [["bioformats2raw.layout?", "integer", { least: 3, most: 3, expected: "3" }]]),
];

export function omeMusts(place: OmePlace, zarrFormat: 2 | 3 | undefined): readonly Must[] {
  const found: Must[] = [];
  const sink = mustSink(`OME-NGFF ${place.version}`, (must) => void found.push(must), "multiscale-md");
  const { inside, prefix } = place;
  container(place, zarrFormat, sink);
  breaches(inside, prefix, OME, sink);
  for (const [at, one] of (objectsOf(inside.get("multiscales")) ?? []).entries())
    image(one, `${prefix}multiscales[${at}]`, place, sink);
  wells(inside, prefix, sink);
  return found;
}

/** §metadata and §storage-format of 0.5, §on-disk of 0.4. */
function container({ inside, isNested, version }: OmePlace, zarrFormat: 2 | 3 | undefined, sink: MustSink): void {
  // Only images are asked for it.
  if (isNested && inside.has("multiscales")) writtenVersion(inside, "ome.version", "0.5", sink);
  if (isNested && zarrFormat === 2) {
    const write = "the metadata as OME-NGFF 0.4, or the store as Zarr v3";
    const about = { rule: "ome-in-v2", section: "storage-format", write } as const;
    sink("ome", "in a Zarr v3 store", "it in a Zarr v2 store", about);
  } else if (isNested !== (version === "0.5")) {
    const [member, own] = isNested ? ["ome.version", "0.5"] : ["multiscales[0].version", "0.4"];
    const about = { rule: "other-version", section: "metadata", write: `"version": "${own}"` } as const;
    sink(member, `“${own}”, as the metadata ${isNested ? "is" : "is not"} under “ome”`, `“${version}”`, about);
  } else if (!isNested && zarrFormat === 3)
    sink("multiscales", "in a Zarr v2 store", "it in a Zarr v3 store", { section: "on-disk" });
}

function writtenVersion(of: JsonObject, member: string, version: string, sink: MustSink): void {
  const value = of.get("version");
  const write = `"version": "${version}"`;
  if (typeof value !== "string") sink(member, `a text such as “${version}”`, { value }, { rule: "version", write });
}

function image(one: JsonObject, member: string, { isNested, version = "0.4" }: OmePlace, sink: MustSink): void {
  if (!isNested) writtenVersion(one, `${member}.version`, version, sink);
  const axes = objectsOf(one.get("axes"));
  if (axes !== undefined) axisTypes(axes, `${member}.axes`, sink);
  const datasets = (objectsOf(one.get("datasets")) ?? []).map(
    (each, at) => [each, `${member}.datasets[${at}]`] as const,
  );
  for (const [each, inside] of [...datasets, [one, member] as const]) {
    const list = objectsOf(each.get("coordinateTransformations"));
    if (list !== undefined && list.length > 0)
      transformations(list, axes?.length, `${inside}.coordinateTransformations`, sink);
  }
}

const ORDER = ["time", "other", "space"];

/** The type of an axis is only recommended: one without may be of any. */
function axisTypes(list: readonly JsonObject[], member: string, sink: MustSink): void {
  const types = list.map((axis) => axis.get("type")).filter((type) => typeof type === "string");
  const found = types.join(", ");
  const of = (type: string) => types.filter((one) => one === type).length;
  if (list.length < 2 || list.length > 5) sink(member, "a list of 2 to 5 axes", String(list.length));
  if (of("space") > 3 || of("space") + list.length - types.length < 2)
    sink(member, "two or three axes of the type space", found);
  const ranks = types.map((type) => ORDER.indexOf(ORDER.includes(type) ? type : "other"));
  const isOrdered = ranks.every((rank, at) => rank >= (ranks[at - 1] ?? 0));
  const others = ranks.filter((rank) => rank === 1).length;
  if (!isOrdered || of("time") > 1 || others > 1)
    sink(member, "at most one time, then at most one channel or other, then space", found, { rule: "axes-order" });
}

function transformations(list: readonly JsonObject[], rank: number | undefined, member: string, sink: MustSink): void {
  const types = list.map((one) => textAttribute(one, "type") ?? "none");
  const found = types.join(", ");
  const [first, last] = [types.indexOf("translation"), types.lastIndexOf("translation")];
  if (types.some((type) => type !== "scale" && type !== "translation"))
    sink(member, "of the types scale and translation", found);
  const scale = list.find((one) => one.get("type") === "scale")?.get("scale");
  if (Array.isArray(scale) && scale.length !== (rank ?? scale.length))
    sink(member, `a scale of ${rank} numbers, one for each axis`, { value: scale }, { rule: "axes" });
  if (types.filter((type) => type === "scale").length !== 1)
    sink(member, "one scale", found, { rule: "transformations" });
  if (first !== last || (first >= 0 && first < types.lastIndexOf("scale")))
    sink(member, "a scale, then at most one translation", found, { rule: "translation" });
  const value = list[first]?.get("translation");
  const isRight =
    Array.isArray(value) && value.length === (rank ?? value.length) && value.every((one) => typeof one === "number");
  // A path names binary data that has the numbers.
  if (first >= 0 && !isRight && list[first]?.has("path") !== true)
    sink(
      member,
      `a translation of ${rank ?? "as many"} numbers, one for each axis`,
      { value },
      { rule: "translation" },
    );
}

/** Each well's place, said by its path and by its indexes: §plate-md. */
function wells(inside: JsonObject, prefix: string, sink: MustSink): void {
  const plate = inside.get("plate");
  const namesOf = (key: string) => (objectsOf(attribute(plate, key)) ?? []).map((one) => one.get("name"));
  const [rows, columns] = [namesOf("rows"), namesOf("columns")];
  for (const [at, well] of (objectsOf(attribute(plate, "wells")) ?? []).entries()) {
    const [path, member, section] = [well.get("path"), `${prefix}plate.wells[${at}]`, "plate-md"];
    const [row = "", column = "", ...more] = typeof path === "string" ? path.split("/") : [];
    const places = { rowIndex: rows.indexOf(row), columnIndex: columns.indexOf(column) };
    if (more.length > 0 || places.rowIndex < 0 || places.columnIndex < 0) {
      const expected = "the name of a row, a slash, the name of a column";
      sink(`${member}.path`, expected, { value: path }, { rule: "plate", section });
      continue;
    }
    for (const [name, index] of Object.entries(places)) {
      const value = well.get(name);
      const about = { rule: value === undefined ? "note" : "plate", section, write: `"${name}": ${index}` } as const;
      if (value !== index) sink(`${member}.${name}`, `${index}, by its path`, { value }, about);
    }
  }
}
