/** GRIB files of both editions, by their messages; and the index files that lie beside them. */
export { compareIndex } from "./compare-index.ts";
export { readGrib } from "./read-grib.ts";
