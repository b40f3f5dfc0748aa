/**
 * Names of what GRIB writes as numbers (WMO Manual on Codes, FM 92 GRIB: code tables 0.0, 1.2, 3.1, 4.0, 4.4 and 5.0).
 */

const SECTIONS = [
  "indicator",
  "identification",
  "local use",
  "grid definition",
  "product definition",
  "data representation",
  "bit-map",
  "data",
  "end",
];

/** "section 5 (data representation)"; of edition 2. */
export const sectionName = (section: number): string => `section ${section} (${SECTIONS[section] ?? "unknown"})`;

const SECTIONS_1 = ["indicator", "product definition", "grid description", "bit-map", "binary data", "end"];

/** The same of edition 1. */
export const sectionName1 = (section: number): string => `section ${section} (${SECTIONS_1[section] ?? "unknown"})`;

type Names = ReadonlyMap<number, string>;

const DISCIPLINES: Names = new Map([
  [0, "meteorological products"],
  [1, "hydrological products"],
  [2, "land surface products"],
  [3, "satellite remote sensing products"],
  [4, "space weather products"],
  [10, "oceanographic products"],
  [20, "health and socioeconomic impacts"],
]);

const GRIDS: Names = new Map([
  [0, "latitude/longitude"],
  [1, "rotated latitude/longitude"],
  [2, "stretched latitude/longitude"],
  [3, "stretched and rotated latitude/longitude"],
  [4, "variable resolution latitude/longitude"],
  [5, "variable resolution rotated latitude/longitude"],
  [10, "Mercator"],
  [12, "transverse Mercator"],
  [20, "polar stereographic"],
  [30, "Lambert conformal"],
  [31, "Albers equal area"],
  [40, "Gaussian latitude/longitude"],
  [41, "rotated Gaussian latitude/longitude"],
  [42, "stretched Gaussian latitude/longitude"],
  [43, "stretched and rotated Gaussian latitude/longitude"],
  [50, "spherical harmonic coefficients"],
  [51, "rotated spherical harmonic coefficients"],
  [90, "space view"],
  [100, "triangular grid on an icosahedron"],
  [101, "general unstructured grid"],
  [110, "equatorial azimuthal equidistant"],
  [120, "azimuth-range"],
  [140, "Lambert azimuthal equal area"],
  [150, "HEALPix"],
]);

const PRODUCTS: Names = new Map([
  [0, "analysis or forecast at a point in time"],
  [1, "ensemble forecast at a point in time"],
  [2, "derived forecast from an ensemble at a point in time"],
  [5, "probability forecast at a point in time"],
  [6, "percentile forecast at a point in time"],
  [7, "analysis or forecast error at a point in time"],
  [8, "statistics over a time interval"],
  [9, "probability forecast over a time interval"],
  [10, "percentile forecast over a time interval"],
  [11, "ensemble forecast over a time interval"],
  [12, "derived forecast from an ensemble over a time interval"],
  [15, "statistics over a spatial area at a point in time"],
  [20, "radar product"],
  [31, "satellite product"],
  [40, "atmospheric chemical constituents at a point in time"],
  [48, "aerosol at a point in time"],
]);

const PACKINGS: Names = new Map([
  [0, "grid point data, simple packing"],
  [1, "matrix values at grid points, simple packing"],
  [2, "grid point data, complex packing"],
  [3, "grid point data, complex packing and spatial differencing"],
  [4, "grid point data, IEEE floating point"],
  [40, "grid point data, JPEG 2000 code stream"],
  [41, "grid point data, PNG"],
  [42, "grid point data, CCSDS lossless compression"],
  [50, "spectral data, simple packing"],
  [51, "spectral data, complex packing"],
  [53, "spectral data for limited areas, complex packing"],
  [61, "grid point data, simple packing with logarithmic pre-processing"],
  [200, "run length packing with level values"],
  [40_000, "grid point data, JPEG 2000 code stream (local number)"],
  [40_010, "grid point data, PNG (local number)"],
]);

const TIMES = ["analysis", "start of forecast", "verifying time of forecast", "observation time"];

const UNITS: Names = new Map([
  [0, "minutes"],
  [1, "hours"],
  [2, "days"],
  [3, "months"],
  [4, "years"],
  [10, "times 3 hours"],
  [11, "times 6 hours"],
  [12, "times 12 hours"],
  [13, "seconds"],
]);

const named = (names: Names, code: number, otherwise: string): string => names.get(code) ?? otherwise;

export const disciplineName = (code: number) => named(DISCIPLINES, code, "not a known discipline");
export const gridName = (code: number) => named(GRIDS, code, "not a known grid");
export const productName = (code: number) => named(PRODUCTS, code, "another kind of product");
export const packingName = (code: number) => named(PACKINGS, code, "not a known packing");
export const timeName = (code: number) => TIMES[code] ?? "another time";
export const unitName = (code: number) => named(UNITS, code, `units of code ${code}`);
