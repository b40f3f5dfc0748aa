/** Forms of members by their conventions: a row each. `?` behind a path: the list may be empty, or the member absent. */
import type { MemberRule } from "./must.ts";

type Form = Partial<Omit<MemberRule, "at" | "is" | "section" | "isOptional">>;

const EXPECTED: Readonly<Record<MemberRule["is"], string>> = {
  text: "a text",
  object: "an object",
  objects: "a list of objects",
  list: "a list",
  integer: "an integer",
  number: "a number",
};

const inSection = (
  section: string,
  rows: readonly (readonly [path: string, is: MemberRule["is"], form?: Form])[],
): readonly MemberRule[] =>
  rows.map(([path, is, form = {}]) => {
    const isOptional = path.endsWith("?");
    const { unique, least } = form;
    const kind =
      unique !== undefined ? ` with different ${unique}s` : is === "integer" && least === 1 ? " above 0" : "";
    const expected = `${EXPECTED[is]}${kind}`;
    return { at: isOptional ? path.slice(0, -1) : path, is, isOptional, section, expected, ...form };
  });

const PLAIN = { pattern: "^[A-Za-z0-9]+$", expected: "a text of letters and digits" };
const SECONDS = { least: 0, expected: "an integer, seconds of the epoch" };

/** OME-NGFF 0.4 and 0.5. */
export const OME: readonly MemberRule[] = [
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

/** The Zarr convention spatial. */
export const SPATIAL: readonly MemberRule[] = [
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

/** The Zarr convention multiscales. */
export const MULTISCALES: readonly MemberRule[] = [
  ...inSection("layout object", [["multiscales/layout[]/transform?", "object"]]),
  ...inSection("transform object", [
    ["multiscales/layout[]/transform/translation?", "list", { each: "number", expected: "a list of numbers" }],
  ]),
  ...inSection("resampling_method", [
    ["multiscales/layout[]/resampling_method?", "text"],
    ["multiscales/resampling_method?", "text"],
  ]),
];
