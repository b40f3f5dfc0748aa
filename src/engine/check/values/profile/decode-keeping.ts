/** A deep check of which the numbers of each chunk stay with the set. */
import type { CallContext } from "#core/byte-source.ts";
import type { CheckPart } from "#core/check/check.ts";
import type { Session } from "#engine/sessions.ts";
import { checkValues } from "../check-values.ts";
import type { ArrayFacts } from "../value-facts.ts";
import type { ValuesRequest } from "../plan.ts";
import { keepProfiles } from "./set-profiles.ts";

/** Chunks of an array whose facts are kept: some 300 bytes each. */
const MAX_KEPT = 20_000;

export async function decodeKeeping(
  { set, checks }: Pick<Session, "set" | "checks">,
  request: ValuesRequest,
  context: CallContext,
): Promise<CheckPart> {
  let known: readonly ArrayFacts[] = [];
  const onFacts = (facts: readonly ArrayFacts[]) => {
    known = facts;
  };
  const part = await checkValues(set, { ...request, onFacts }, context);
  checks.facts ??= new Map();
  for (const one of known) if (one.ordinals.length <= MAX_KEPT) checks.facts.set(one.node.path, one);
  checks.profiles ??= new Map();
  await keepProfiles(checks.profiles, { facts: known, isDoubtful: request.only !== undefined }, context);
  return part;
}
