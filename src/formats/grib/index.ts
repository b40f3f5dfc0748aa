/** GRIB files of both editions, by their messages; and the index files that lie beside them. */
export { compareIndex, entriesOf } from "./compare-index.ts";
export { ecmwfName, hasEcmwfNumber } from "./names.ts";
export { readGrib } from "./read-grib.ts";
export { fetchHeads } from "./scan-messages.ts";
