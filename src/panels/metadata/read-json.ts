import { findingOfError } from "../../core/findings/failure.ts";
import type { Finding } from "../../core/findings/finding.ts";
import type { JsonNode } from "../../core/json.ts";
import { parseJsonTree } from "../../core/parse-json.ts";

export interface ReadJson {
  readonly root: JsonNode | undefined;
  /** Why the text is not JSON. */
  readonly problem: Finding | undefined;
}

/** Reads JSON as leniently as Python does (NaN), integers exact. */
export function readJson(text: string | undefined): ReadJson {
  if (text === undefined) return { root: undefined, problem: undefined };
  try {
    return { root: parseJsonTree(text).root, problem: undefined };
  } catch (error) {
    return { root: undefined, problem: findingOfError(error, "Reading the attributes") };
  }
}
