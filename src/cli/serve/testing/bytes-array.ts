/** For tests: `.zarray` of an array of bytes, one a chunk. */
export const bytesArray = (chunks: number): string =>
  JSON.stringify({
    zarr_format: 2,
    shape: [chunks],
    chunks: [1],
    dtype: "|u1",
    fill_value: 0,
    order: "C",
    filters: null,
    compressor: null,
  });
