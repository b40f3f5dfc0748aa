/** Looks for targets that no location reaches, without a request: fetched when it is first asked. */
import type { CallContext } from "#core/byte-source.ts";
import type { UnreadableTargets } from "#core/open-set.ts";
import type { EngineSet } from "../engine-set.ts";
import { startPace } from "../pace.ts";

/** Sets with one file per chunk have as many targets as chunks; they mostly share a prefix. */
const MAX_LOOKED_AT = 20_000;
const MAX_EXAMPLES = 3;

/** Targets known without a request to be unreadable from here. */
export async function unreadableTargets(set: EngineSet, context: CallContext): Promise<UnreadableTargets> {
  const { targets, table, tally, repository } = set;
  // The list of containers says what they allow and need.
  if (repository !== undefined) return { count: 0, lookedAt: 0, of: 0, examples: [] };
  const pace = startPace(context, "Looking at targets", table.targets.count);
  const examples: UnreadableTargets["examples"][number][] = [];
  let [count, lookedAt, of] = [0, 0, 0];
  const look = (target: string | null) => {
    of += 1;
    if (lookedAt >= MAX_LOOKED_AT) return;
    lookedAt += 1;
    const resolution = targets.resolve(target);
    if (resolution.kind !== "unresolved") return;
    count += 1;
    if (examples.length < MAX_EXAMPLES) examples.push({ target, finding: resolution.finding });
  };
  if (tally.nullTarget.references > 0) look(null);
  for (const [id, references] of tally.targetReferences.entries()) {
    if (references > 0) look(lookedAt < MAX_LOOKED_AT ? table.targets.text(id) : null);
    if ((id & 0xff) === 0xff) await pace.yieldIfDue(id);
  }
  return { count, lookedAt, of, examples };
}
