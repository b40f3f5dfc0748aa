/**
 * Demands of the conventions `proj:` (zarr-conventions/geo-proj v1, proj v0.1), `spatial:` (zarr-conventions/spatial v0.1) and
 * `multiscales` (zarr-conventions/multiscales v1) on the attributes of a node. What one of two versions allows is
 * right.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.ts";
import { textAttribute } from "../metadata/attribute.ts";
import { breaches, inSection, type MemberRule, type Must, type MustSink, mustSink, objectsOf } from "./must.ts";
import { numbersOf } from "./read-levels.ts";

export type GeoConvention = "proj" | "spatial" | "multiscales";

const UUIDS: ReadonlyMap<string, GeoConvention> = new Map([
  ["f17cb550-5864-4468-aeb7-f3180cfb622f", "proj"],
  ["689b58e2-cf7b-45e0-9fff-9cfc0883d6b4", "spatial"],
  ["d35379db-88df-4056-af3a-620245f8e347", "multiscales"],
]);

/** Conventions that the attributes declare, by UUID, else by name. */
export function declaredBy(attributes: JsonObject): readonly GeoConvention[] {
  return (objectsOf(attributes.get("zarr_conventions")) ?? []).flatMap((one) => {
    const name = textAttribute(one, "name")?.replace(/^geo-|:$/g, "");
    return UUIDS.get(textAttribute(one, "uuid") ?? "") ?? [...UUIDS.values()].find((each) => each === name) ?? [];
  });
}

const has = (attributes: JsonObject, name: string): boolean => (attributes.get(name) ?? null) !== null;

export const hasCrs = (attributes: JsonObject): boolean =>
  ["proj:code", "proj:wkt2", "proj:projjson"].some((name) => has(attributes, name));

/** The members that make a convention be used; drafts of multiscales have other ones. */
const USES: Readonly<Record<GeoConvention, (attributes: JsonObject) => boolean>> = {
  proj: hasCrs,
  spatial: (attributes) =>
    ["dimensions", "bbox", "transform", "shape"].some((name) => has(attributes, `spatial:${name}`)),
  multiscales: (attributes) => layoutOf(attributes) !== undefined,
};

export function layoutOf(attributes: JsonObject): JsonValue | undefined {
  const value = attributes.get("multiscales");
  return isJsonObject(value) ? value.get("layout") : undefined;
}

/** Forms of members. */
const SPATIAL: readonly MemberRule[] = [
  ...inSection("spatial:shape", [
    [
      "spatial:shape?",
      "list",
      { least: 2, each: "integer", rule: "spatial-shape", expected: "the height and width, two integers" },
    ],
  ]),
  ...inSection("spatial:transform_type", [["spatial:transform_type?", "text"]]),
  ...inSection("convention registration", [["zarr_conventions?", "objects"]]),
];

const MULTISCALES: readonly MemberRule[] = [
  ...inSection("layout object", [["multiscales/layout[]/transform?", "object"]]),
  ...inSection("transform object", [
    ["multiscales/layout[]/transform/translation?", "list", { each: "number", expected: "a list of numbers" }],
  ]),
  ...inSection("resampling_method", [
    ["multiscales/layout[]/resampling_method?", "text"],
    ["multiscales/resampling_method?", "text"],
  ]),
];

/** `above`: declared by groups above. `hasCrsNear`: the node, or one above or below, has one. */
export function geoMusts(
  attributes: JsonObject,
  {
    above,
    hasCrsNear,
    isGroup,
  }: { readonly above: ReadonlySet<GeoConvention>; readonly hasCrsNear: boolean; readonly isGroup: boolean },
): readonly Must[] {
  const found: Must[] = [];
  const sinkOf = (name: GeoConvention) =>
    mustSink(`the Zarr convention ${name}`, (must) => void found.push(must), "properties");
  const declared = new Set(declaredBy(attributes));
  for (const [uuid, name] of UUIDS) {
    if (!USES[name](attributes) || declared.has(name) || above.has(name)) continue;
    // Drafts declare nothing.
    const rule = declared.size + above.size > 0 ? "undeclared" : "note";
    const expected = `a list with an entry whose uuid is ${uuid}`;
    sinkOf(name)(`zarr_conventions: ${name}`, expected, "none", { rule, section: "convention registration" });
  }
  const [proj, spatial, multiscales] = [sinkOf("proj"), sinkOf("spatial"), sinkOf("multiscales")];
  if (declared.has("proj") && !hasCrsNear)
    proj("proj:code", "present, or proj:wkt2 or proj:projjson", "none of them", { rule: "no-crs" });
  breaches(attributes, "", SPATIAL, spatial);
  flat(attributes, "", spatial);
  const box = numbersOf(attributes.get("spatial:bbox"));
  if (box?.length === 4 && (box[1] ?? 0) > (box[3] ?? 0))
    spatial("spatial:bbox", "[xmin, ymin, xmax, ymax]", { value: box });
  const levels = objectsOf(layoutOf(attributes)) ?? [];
  const isPlaced = [attributes, ...levels].some((one) => has(one, "spatial:transform"));
  if (attributes.get("spatial:transform_type") === "affine" && !isPlaced)
    spatial("spatial:transform", "present, because the type of the transform is affine", "nothing");
  if (isGroup) layout(attributes, declared.has("multiscales"), multiscales, spatial);
  else if (declared.has("multiscales")) multiscales("multiscales", "an attribute of a group", "an array");
  return found;
}

/** A transform that puts all elements on one point or line. */
function flat(of: JsonObject, prefix: string, sink: MustSink): void {
  const transform = numbersOf(of.get("spatial:transform"));
  const [a = 0, b = 0, , d = 0, e = 0] = transform ?? [];
  const expected = "one that gives elements a width and a height";
  if (transform?.length === 6 && a * e - b * d === 0)
    sink(`${prefix}spatial:transform`, expected, { value: transform }, { rule: "flat" });
}

function layout(attributes: JsonObject, isDeclared: boolean, sink: MustSink, spatial: MustSink): void {
  const value = layoutOf(attributes);
  const list = objectsOf(value) ?? [];
  breaches(attributes, "", MULTISCALES, sink);
  const member = "multiscales.layout";
  if (isDeclared && list.length === 0)
    sink(member, "a list of levels", { value }, { rule: "no-levels", section: "layout" });
  const assets = new Set(list.map((one) => one.get("asset")));
  for (const [at, one] of list.entries()) {
    const [from, inside, about] = [one.get("derived_from"), `${member}[${at}].`, { section: "layout object" }];
    if (from !== undefined && !one.has("transform"))
      sink(`${inside}transform`, "present, as in every derived level", "nothing", about);
    if (typeof from === "string" && !assets.has(from))
      sink(`${inside}derived_from`, "the asset of a level", { value: from }, about);
    flat(one, inside, spatial);
  }
}
