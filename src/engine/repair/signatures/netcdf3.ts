/** A classic netCDF file (NetCDF Classic Format Specification; version byte 5 is CDF-5). */
import { beginsWith, factsOf, viewOf, type Recognise } from "./signature.ts";

const VERSIONS: ReadonlyMap<number, string> = new Map([
  [1, "classic"],
  [2, "64-bit offsets"],
  [5, "64-bit data (CDF-5)"],
]);

export const netcdf3: Recognise = (bytes) => {
  const version = VERSIONS.get(bytes[3] ?? 0);
  if (!beginsWith(bytes, "CDF") || version === undefined || bytes.length < 8) return undefined;
  const records = bytes[3] === 5 ? undefined : viewOf(bytes).getUint32(4);
  const count = records === 0xffff_ffff ? "not said (streaming)" : String(records);
  const facts = factsOf({ Version: version, Records: records === undefined ? undefined : count });
  return { name: "netcdf3", label: `netCDF 3, ${version}, the beginning of a file`, facts };
};
