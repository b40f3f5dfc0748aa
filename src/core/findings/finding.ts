/** A finding is facts: a code, a place, what was found. What is said of it is the catalogue's. */
import type { Finding } from "../finding.ts";
import type { AnyFinding } from "./catalogue/entry.ts";
import type { Code, FactsOf } from "./catalogue/index.ts";
import { explained } from "./explain.ts";
import { nodeOf, WHOLE_SET, type Place } from "./place.ts";

export type { Code, FactsOf } from "./catalogue/index.ts";
export type { Finding } from "../finding.ts";

/** `count`: how often it was met; `place` is the first. */
export function finding<C extends Code>(code: C, place: Place, facts: FactsOf<C>, count = 1): Finding {
  const { severity, message, remedy } = explained({ code, place, facts, count });
  return {
    code,
    place,
    facts,
    severity,
    ...whereOf(place),
    message,
    ...(remedy === undefined ? {} : { advice: remedy }),
    ...(count === 1 ? {} : { count }),
  };
}

/** Without its prose, as a fact of another finding that it led to. */
export function asFact({ code, place = WHOLE_SET, facts = {}, count = 1 }: Finding): AnyFinding {
  return { code, place, facts, count };
}

function whereOf(place: Place): Pick<Finding, "array" | "key" | "target"> {
  switch (place.kind) {
    case "node":
      return { array: place.path };
    case "chunk":
      return { array: place.array, key: `${place.array}/${place.coordinates.join(".") || "0"}`.replace(/^\//, "") };
    case "shard":
      return { array: place.array };
    case "key": {
      const node = nodeOf(place);
      return { ...(node === undefined ? {} : { array: node }), key: place.key };
    }
    case "target":
      return { target: place.target };
    case "set":
    case "text":
    case "gen":
    case "snapshot":
      return {};
  }
}

/** The same at a narrower place, for what knew only that it was about the set. */
export function placed(found: Finding, place: Place): Finding {
  if (found.place === undefined || found.facts === undefined || found.place.kind !== "set") return found;
  return finding(found.code as Code, place, found.facts as never, found.count);
}
