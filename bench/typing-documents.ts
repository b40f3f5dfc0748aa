/** Documents to type in: 5,000 lines that make 100,000 chunk references, and one whose 100,000 keys fit no array. */

export interface TypingDocument {
  readonly name: string;
  readonly text: string;
  /** One types after this text, which stands there once: inside a URL, or a template of all URLs. */
  readonly typeAfter: string;
}

const ARRAYS = ["temperature", "salinity", "velocity/u", "velocity/v"];
const GEN_ROWS = 200;
const GEN_COLUMNS = 250;
const REFS_AN_ARRAY = 320;

/** 1,280 references on four arrays, and two gens that make 50,000 each of the first two. */
export function gridDocument(): TypingDocument {
  const templates = { store: "s3://bucket/model/output", day: "{{ '%03d' | format(n) }}" };
  const gen = ARRAYS.slice(0, 2).map((array, at) => ({
    key: `${array}/{{i}}.{{j}}`,
    url: `{{store}}/{{day(n=i)}}/${array}.nc`,
    offset: `{{ (i * ${GEN_COLUMNS} + j) * 4096 + ${1000 * at} }}`,
    length: "4096",
    dimensions: { i: { start: 2, stop: GEN_ROWS + 2 }, j: { stop: GEN_COLUMNS } },
  }));
  const refs: [string, unknown][] = [[".zgroup", '{"zarr_format": 2}']];
  for (const array of ARRAYS) {
    refs.push([`${array}/.zarray`, metadataOf(array)]);
    for (let at = 0; at < REFS_AN_ARRAY; at += 1) {
      const key = `${array}/${Math.floor(at / GEN_COLUMNS)}.${at % GEN_COLUMNS}`;
      refs.push([
        key,
        [
          `{{store}}/first/part-of-the-archive/experiment-0042/member-r1i1p1f1/${array}_${String(at).padStart(4, "0")}.nc`,
          1000 + 4096 * at,
          4096,
        ],
      ]);
    }
  }
  const text = `${JSON.stringify({ version: 1, templates, gen }, undefined, 2).slice(0, -2)},\n  "refs": {\n${refs
    .map(([key, value]) => `    ${JSON.stringify(key)}: ${valueText(value)}`)
    .join(",\n")}\n  }\n}\n`;
  return { name: "grid.json", text, typeAfter: "temperature_0200" };
}

/** Three lines a reference. */
function valueText(value: unknown): string {
  if (!Array.isArray(value)) return JSON.stringify(value);
  const [url, offset, length] = value as [string, number, number];
  return `[\n      ${JSON.stringify(url)},\n      ${offset}, ${length}\n    ]`;
}

function metadataOf(array: string): string {
  const shape = [GEN_ROWS + 2, GEN_COLUMNS * 8];
  const dtype = array.startsWith("velocity") ? "<f4" : "<i2";
  return JSON.stringify({
    zarr_format: 2,
    shape,
    chunks: [1, 8],
    dtype,
    compressor: null,
    fill_value: null,
    filters: null,
    order: "C",
  });
}

/** The specification's example, whose keys belong to no array. */
export function strayDocument(stop = 100_000): TypingDocument {
  const document = {
    version: 1,
    templates: { u: "server.domain/path", f: "{{c}}" },
    gen: [
      {
        key: "gen_key{{i}}",
        url: "http://{{u}}_{{i}}",
        offset: "{{(i + 1) * 1000}}",
        length: "1000",
        dimensions: { i: { stop } },
      },
    ],
    refs: { key0: "data", key1: ["http://target_url", 10000, 100], key2: ["http://{{u}}", 10000, 100] },
  };
  const text = `${JSON.stringify(document, undefined, 2)}\n`;
  return { name: "strays.json", text, typeAfter: "server.domain/path" };
}
