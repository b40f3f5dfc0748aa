/** Attributes of the CF conventions that mislead readers, or are read otherwise than they are meant. */
import { cfFindings } from "#core/cf/cf-findings.ts";
import type { Finding } from "#core/findings/finding.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import type { Rule } from "./rule.ts";

/** A set that grows is checked again and again; its arrays stay what they are. */
const KNOWN = new WeakMap<ArrayNode, readonly Finding[]>();

function findingsOf(node: ArrayNode): readonly Finding[] {
  const found = KNOWN.get(node) ?? cfFindings(node.metadata, node);
  KNOWN.set(node, found);
  return found;
}

export const cfAttributes: Rule = {
  id: "cf-attributes",
  codes: ["fill-value-confusing", "scaling-confusing", "valid-range-confusing", "unsigned-ignored", "time-units"],
  run({ arrays }, sink) {
    for (const node of arrays) for (const found of findingsOf(node)) sink(found);
    return { unit: "arrays", of: arrays.length, lookedAt: arrays.length, sampled: 0 };
  },
};
