/** The readers that rules know, by what they are called in code, addresses and the terminal. */
// oxfmt-ignore
export const READER_IDS = [
  "fsspec", "fsspec-templates", "zarr-python", "xarray", "virtualizarr", "icechunk", "gdal-kerchunk",
  "gdal-icechunk", "zarrita", "icechunk-js", "titiler", "rioxarray", "carbonplan-maps", "zarr-layer",
  "neuroglancer", "vizarr", "zarr-jl",
] as const;

export type ReaderId = (typeof READER_IDS)[number];

export const isReaderId = (text: string): text is ReaderId => (READER_IDS as readonly string[]).includes(text);
