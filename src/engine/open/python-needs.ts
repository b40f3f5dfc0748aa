/** What Python needs for the codecs of an open set. */
import { pythonPackages } from "../../codecs/python-packages.ts";
import type { EngineSet } from "../engine-set.ts";

export interface PythonNeeds {
  /** As pip takes them, each once. */
  readonly packages: readonly string[];
  /** Lines that make zarr know a codec. */
  readonly imports: readonly string[];
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
  return { packages: [...packages], imports: [...imports] };
}

/** As a shell takes it. */
export const quotedForShell = (name: string): string => (/[>[\]]/.test(name) ? `"${name}"` : name);
