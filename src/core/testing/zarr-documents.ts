/** For tests: documents of Zarr as its writers make them. */

/** A `.zarray`: each element one uncompressed chunk, unless `more` says otherwise. */
export function zarrayWith<More extends object>(more: More) {
  return {
    zarr_format: 2,
    shape: [6],
    chunks: [1],
    dtype: "<i4",
    compressor: null,
    filters: null,
    fill_value: 0,
    order: "C",
    ...more,
  };
}
