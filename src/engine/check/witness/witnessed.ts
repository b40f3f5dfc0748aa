/** The witnesses of an open set, heard with everything that its checks know by now. */
import type { CallContext } from "#core/byte-source.ts";
import type { ChunkDecoder } from "#engine/chunk/chunk-decoder.ts";
import type { Session } from "#engine/sessions.ts";
import { checkWitnesses } from "./check-witnesses.ts";

interface Hearing {
  readonly decoder: ChunkDecoder;
  /** Reading coordinates was asked for; otherwise only what is at hand is read. */
  readonly isPaid: boolean;
  /** All chunks were decoded. */
  readonly isDeep?: boolean;
}

export async function witnessed(
  { set, checks }: Pick<Session, "set" | "checks">,
  { decoder, isPaid, isDeep = false }: Hearing,
  context: CallContext,
): Promise<void> {
  checks.isDeep ||= isDeep;
  const { indexed, facts, references, sources, held, values } = checks;
  const before = [references?.part, sources, held, values].flatMap((part) => part?.findings ?? []);
  const known = { held: indexed, facts: [...(facts?.values() ?? [])], isDeep: checks.isDeep };
  checks.witness = await checkWitnesses(set, { decoder, isPaid, before, ...known }, context);
}
