/** Where a virtual chunk is: `vcc://name/path` by the container's name, other locations by the longest prefix. */
import { icechunkFault } from "./fault.ts";
import type { Configuration, VirtualContainer } from "./configuration.ts";

export interface ResolvedLocation {
  /** Absolute. */
  readonly url: string;
  /** Which container allows it; `undefined`: none does, and the official reader refuses the chunk. */
  readonly container: VirtualContainer | undefined;
}

const RELATIVE = "vcc://";

/** @throws RefscopeError `icechunk-container-missing` where a `vcc://` location names no container */
export function resolveLocation(location: string, { containers }: Configuration): ResolvedLocation {
  const known = containers.filter(({ ignored }) => ignored === undefined);
  if (!location.startsWith(RELATIVE)) {
    const compared = percentDecoded(location);
    return { url: location, container: known.find(({ prefix }) => compared.startsWith(prefix)) };
  }
  const rest = location.slice(RELATIVE.length);
  const slash = rest.indexOf("/");
  const name = slash < 0 ? rest : rest.slice(0, slash);
  const container = slash < 0 ? undefined : known.find((candidate) => candidate.name === name);
  if (container !== undefined) return { url: container.prefix + rest.slice(slash + 1), container };
  const names = known.flatMap((candidate) => candidate.name ?? []);
  throw icechunkFault(
    { what: "virtual chunk's location", path: location },
    {
      code: "icechunk-container-missing",
      expected: `a virtual chunk container named ${JSON.stringify(name)} in the repository's configuration`,
      found: names.length === 0 ? "no container with a name" : `containers named ${names.join(", ")}`,
      advice: "Add the container to the repository's configuration; until then the official reader refuses the chunk.",
    },
  );
}

/** The official reader compares the location with its escapes undone. */
function percentDecoded(location: string): string {
  try {
    return decodeURIComponent(location);
  } catch {
    return location;
  }
}
