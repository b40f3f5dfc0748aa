/** A set of one array with a rectilinear chunk grid: two months, rows of 2 and 6, columns of 5, 1 and 8, of which 6 are the array's. */
export const SHAPE = [59, 8, 12] as const;
const EDGES = [
  [31, 28],
  [2, 6],
  [5, 1, 8],
] as const;

/** Of element (time, lat, lon). */
export const valueAt = (time: number, lat: number, lon: number): number => time * 100 + lat * 12 + lon;

const startOf = (edges: readonly number[], at: number): number =>
  edges.slice(0, at).reduce((sum, length) => sum + length, 0);

/** Elements of a chunk as it is encoded: whole, and so past the array's edge too. */
function encoded(at: readonly [number, number, number]): Int16Array {
  const [times, lats, lons] = at.map((one, dimension) => EDGES[dimension]?.[one] ?? 1) as [number, number, number];
  const [time, lat, lon] = at.map((one, dimension) => startOf(EDGES[dimension] ?? [], one)) as [number, number, number];
  return Int16Array.from({ length: times * lats * lons }, (_, index) => {
    const [i, j, k] = [Math.floor(index / (lats * lons)), Math.floor(index / lons) % lats, index % lons];
    return lon + k < SHAPE[2] ? valueAt(time + i, lat + j, lon + k) : -1;
  });
}

const array = (more: object) =>
  JSON.stringify({
    zarr_format: 3,
    node_type: "array",
    data_type: "int16",
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    ...more,
  });

/** The document, and the file of its chunks; chunk 1.0.1 is missing. */
export function rectilinearSet(): { readonly document: string; readonly file: Uint8Array } {
  const refs: Record<string, unknown> = {
    "zarr.json": '{"zarr_format":3,"node_type":"group"}',
    "t/zarr.json": array({
      shape: SHAPE,
      chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: EDGES } },
      dimension_names: ["time", "lat", "lon"],
    }),
  };
  const parts: Uint8Array[] = [];
  let offset = 0;
  for (const time of EDGES[0].keys()) {
    for (const lat of EDGES[1].keys()) {
      for (const lon of EDGES[2].keys()) {
        if (time === 1 && lat === 0 && lon === 1) continue;
        const bytes = new Uint8Array(encoded([time, lat, lon]).buffer);
        refs[`t/c/${time}/${lat}/${lon}`] = ["t.bin", offset, bytes.length];
        parts.push(bytes);
        offset += bytes.length;
      }
    }
  }
  return { document: JSON.stringify({ version: 1, refs }), file: Buffer.concat(parts) };
}
