/**
 * Packages that Python needs for a codec. The packages' own metadata says so: entry points `numcodecs.codecs`
 * (kerchunk, imagecodecs-numcodecs) and `zarr.codecs` (imagecodecs-zarr, virtual-tiff), extras of numcodecs; gribberish
 * registers its codec for Zarr v3 when `gribberish.zarr` is imported.
 */
import type { PythonPackage } from "./codec.ts";
import { findCodec, findCodecV3 } from "./find-codec.ts";
import { bareName } from "../core/metadata/codec-table.ts";

/** Packages of codecs that Refscope does not decode. */
const OTHERS: ReadonlyMap<string, readonly PythonPackage[]> = new Map([["zfpy", [{ name: "numcodecs[zfpy]" }]]]);

const IMAGECODECS = "imagecodecs_";

/** Packages by the codec's name in metadata of that format; empty if zarr itself has the codec, or if none is known. */
export function pythonPackages(zarrFormat: 2 | 3, id: string): readonly PythonPackage[] {
  if (id.startsWith(IMAGECODECS)) {
    return [{ name: "imagecodecs" }, { name: zarrFormat === 2 ? "imagecodecs-numcodecs" : "imagecodecs-zarr" }];
  }
  const codec = zarrFormat === 3 ? findCodecV3(id) : findCodec(id);
  return codec?.python ?? OTHERS.get(bareName(id)) ?? [];
}
