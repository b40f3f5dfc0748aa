/** What is timed of virtual references: ours, and JSON.parse of the same as Kerchunk. The same in Node and a worker. */
import { tableBuilder } from "../src/core/table/table-builder.ts";
import type { ReferenceTable } from "../src/core/table/reference-table.ts";
import { arrayPagesOf } from "../src/engine/repository/array-pages-of.ts";
import { icechunkZstd } from "../src/engine/repository/objects.ts";
import { openManifest } from "../src/formats/icechunk/references.ts";

export interface Timings {
  /** Milliseconds of each round; the rounds before count for nothing. */
  readonly ours: readonly number[];
  readonly parse: readonly number[];
  /** The very first round of ours: nothing compiled, nothing warm. */
  readonly first: number;
  readonly references: number;
  readonly targets: number;
  readonly bytesAtRest: number;
}

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const WARM_UP = 3;

export async function timeReferences(bytes: Uint8Array, kerchunk: string, rounds: number): Promise<Timings> {
  const [ours, parse]: [number[], number[]] = [[], []];
  let table: ReferenceTable | undefined;
  for (let round = 0; round < WARM_UP + rounds; round += 1) {
    let start = performance.now();
    table = await listedTable(bytes);
    ours.push(performance.now() - start);
    start = performance.now();
    const keys = listedDocument(kerchunk);
    parse.push(performance.now() - start);
    if (keys !== table.rows) throw new Error(`${keys} references in the document, ${table.rows} in the manifest`);
  }
  return {
    ours: ours.slice(WARM_UP),
    parse: parse.slice(WARM_UP),
    first: ours[0] ?? NaN,
    references: table?.rows ?? 0,
    targets: table?.targets.count ?? 0,
    bytesAtRest: table?.byteLength ?? 0,
  };
}

/** From the bytes of the manifest to rows, then every row's location as text. */
async function listedTable(bytes: Uint8Array): Promise<ReferenceTable> {
  const manifest = await openManifest(bytes, "M", icechunkZstd(CONTEXT.signal));
  const [array] = manifest.arrays;
  const grid = [array?.count ?? 0];
  const node = { kind: "array", path: "t", metadata: { shape: grid, chunks: [1], separator: "/" } } as never;
  const manifests = [{ id: "M", extents: [] }];
  const configuration = { stored: null, containers: [] };
  const open = () => Promise.resolve(manifest);
  const pages = arrayPagesOf({ node, id: array?.node ?? "", manifests }, open, configuration);
  const builder = tableBuilder();
  await pages.load(0, { table: builder, array: builder.addArray("t", grid, "/") }, CONTEXT);
  const table = builder.live();
  let characters = 0;
  for (const [at, { target }] of table.blocks.entries()) {
    const rows = Math.min(target.length, table.rows - at * 65_536);
    for (let row = 0; row < rows; row += 1) characters += table.targets.text(target[row] ?? 0).length;
  }
  if (characters === 0) throw new Error("no location was seen");
  return table;
}

function listedDocument(text: string): number {
  const { refs } = JSON.parse(text) as { refs: Record<string, [string, number, number]> };
  let [keys, characters] = [0, 0];
  for (const [url] of Object.values(refs)) {
    keys += 1;
    characters += url.length;
  }
  return characters === 0 ? 0 : keys;
}
