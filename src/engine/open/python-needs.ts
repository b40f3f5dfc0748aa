/** Packages and lines that Python needs for the arrays of an open set. */
import { pythonPackages } from "#codecs/python-packages.ts";
import type { HierarchyNode } from "#core/metadata/array-metadata.ts";
import type { EngineSet } from "../engine-set.ts";

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
