/** Packages and lines that Python needs for the arrays of an open set. */
import type { HierarchyNode } from "#core/metadata/array-metadata.ts";
import type { EngineSet } from "../engine-set.ts";
import type { PythonPackage } from "#codecs/codec.ts";
import { findCodec, findCodecV3 } from "#codecs/find-codec.ts";
import { bareName } from "#core/metadata/codec-table.ts";

export interface PythonNeeds {
  /** Packages by pip's names, each once. */
  readonly packages: readonly string[];
  /** Lines behind the import of zarr: what makes it know a codec, and what it must be told before it opens arrays. */
  readonly settings: readonly string[];
}

export function pythonNeeds({ hierarchy }: Pick<EngineSet, "hierarchy">): PythonNeeds {
  const packages = new Set<string>();
  const imports = new Set<string>();
  for (const node of hierarchy.nodes.values()) {
    if (node.kind !== "array") continue;
    const { zarrFormat, decoding } = node.metadata;
    for (const { id } of decoding) {
      for (const { name, registeredBy } of pythonPackages(zarrFormat, id)) {
        packages.add(name);
        const isImported = registeredBy !== undefined && (registeredBy.zarrFormat ?? zarrFormat) === zarrFormat;
        if (isImported) imports.add(`import ${registeredBy.module}  # registers ${id}`);
      }
    }
  }
  return { packages: [...packages], settings: [...imports, ...rectilinearOption(hierarchy.nodes.values())] };
}

const RECTILINEAR = 'zarr.config.set({"array.rectilinear_chunks": True})  # zarr 3.2 or later: rectilinear chunk grids';

/** None where no array needs it. */
export function rectilinearOption(nodes: Iterable<HierarchyNode>): readonly string[] {
  for (const node of nodes) if (node.kind === "array" && node.metadata.isRectilinear === true) return ["", RECTILINEAR];
  return [];
}

/** The line that says what to install; names as a shell takes them. */
export const installLine = (packages: readonly string[]): string =>
  `# pip install ${packages.map((name) => (/[>[\]]/.test(name) ? `"${name}"` : name)).join(" ")}`;

/** Packages of codecs that Refscope does not decode. */
const OTHERS: ReadonlyMap<string, readonly PythonPackage[]> = new Map([["zfpy", [{ name: "numcodecs[zfpy]" }]]]);

const IMAGECODECS = "imagecodecs_";

/**
 * Packages that Python needs for a codec, by its name in metadata of that format; empty if zarr itself has the codec, or
 * if none is known. The packages' own metadata says so: entry points `numcodecs.codecs` (kerchunk,
 * imagecodecs-numcodecs) and `zarr.codecs` (imagecodecs-zarr, virtual-tiff), extras of numcodecs; gribberish registers
 * its codec for Zarr v3 when `gribberish.zarr` is imported.
 */
function pythonPackages(zarrFormat: 2 | 3, id: string): readonly PythonPackage[] {
  if (id.startsWith(IMAGECODECS)) {
    return [{ name: "imagecodecs" }, { name: zarrFormat === 2 ? "imagecodecs-numcodecs" : "imagecodecs-zarr" }];
  }
  const codec = zarrFormat === 3 ? findCodecV3(id) : findCodec(id);
  return codec?.python ?? OTHERS.get(bareName(id)) ?? [];
}
