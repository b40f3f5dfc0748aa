/** Checks of an open set beyond its references, as they are asked for; each then holds the statements known by now. */
import type { CallContext } from "#core/byte-source.ts";
import type { CheckPart } from "#core/check/check.ts";
import { type Finding, nodeOf } from "#core/findings/finding.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";
import { isDataFile } from "../engine-set.ts";
import type { Session } from "../sessions.ts";
import { loadForCheck } from "../table/load-pages.ts";
import { checkHeld } from "./held/check-held.ts";
import type { HeldFile } from "./held/held-files.ts";
import { checkSources } from "./sources/check-sources.ts";
import { DEFAULT_TARGETS } from "./sources/choose-targets.ts";
import { type ChunksAsked, sampleOf } from "./values/plan.ts";
import { decodeKeeping } from "./values/profile/decode-keeping.ts";
import { checkWitnesses } from "./witness/check-witnesses.ts";

/** Asks targets, or a sample of them, and holds references against what at most `limit` files themselves say. */
export async function askSources(
  session: Session,
  { limit, decoder }: { readonly limit: number; readonly decoder: ChunkDecoder },
  context: CallContext,
): Promise<void> {
  const { set, checks } = session;
  await loadForCheck(set, { path: "" }, context);
  checks.sources = await checkSources(set, { limit: DEFAULT_TARGETS }, context);
  checks.held = await heldPart(session, limit, context);
  await witnessed(session, { decoder, isPaid: true }, context);
  if (referencesOf(checks.indexed) > MAX_KEPT) delete checks.indexed;
}

/** References to indexed files that are kept for later checks: some 100 bytes each. */
const MAX_KEPT = 1_000_000;

const referencesOf = (files: readonly HeldFile[] = []): number =>
  files.reduce((sum, { rows }) => [...rows.values()].reduce((all, { length }) => all + length, sum), 0);

/** A data file is held against nothing: it was opened by what it says. */
async function heldPart({ set, checks }: Session, limit: number, context: CallContext): Promise<CheckPart> {
  if (isDataFile(set)) return { findings: [], rules: [] };
  const before = [checks.references?.part, checks.sources].filter((part) => part !== undefined);
  return checkHeld(set, { limit, before, onFiles: (files) => void (checks.indexed = files) }, context);
}

interface AskedChunks {
  readonly decoder: ChunkDecoder;
  /** This array alone. */
  readonly array: string | undefined;
  /** A sample that meets what is wrong with this share of an array's chunks; absent = all chunks. */
  readonly share: number | undefined;
}

export async function decodeChunks(
  session: Session,
  { array, share, decoder }: AskedChunks,
  context: CallContext,
): Promise<void> {
  const sampled =
    share === undefined ? {} : { sampleOf: (node: ArrayNode, cells: number) => sampleOf(node, cells, share) };
  await loadForCheck(session.set, { path: array ?? "", ...sampled }, context);
  const chunks: ChunksAsked = share === undefined ? "all" : { share };
  keepValues(session, array, await decodeKeeping(session, { chunks, array, decoder }, context));
  await witnessed(session, { decoder, isPaid: true, isDeep: array === undefined && share === undefined }, context);
}

/** Replaces earlier results on the values of an array, or of all. */
function keepValues({ set, checks, found }: Session, array: string | undefined, part: CheckPart): void {
  const isOther = (one: Finding): boolean => array !== undefined && nodeOf(one.place) !== array;
  const { findings = [], rules } = checks.values ?? {};
  // Chunks checked in one array are not all chunks of the set.
  const ofSet = () => rules ?? part.rules.map((rule) => ({ ...rule, of: Math.max(rule.of, set.tally.present) }));
  checks.values = {
    ...part,
    findings: [...findings.filter(isOther), ...part.findings],
    rules: array === undefined ? part.rules : ofSet(),
  };
  for (const key of found.keys()) if (array === undefined || key.startsWith(`${array}/`)) found.delete(key);
}

interface Hearing {
  readonly decoder: ChunkDecoder;
  /** Reading coordinates was asked for; otherwise only what is at hand is read. */
  readonly isPaid: boolean;
  /** All chunks were decoded. */
  readonly isDeep?: boolean;
}

/** Holds the statements of the set against each other, with everything that its checks know by now. */
export async function witnessed(
  { set, checks }: Session,
  { decoder, isPaid, isDeep = false }: Hearing,
  context: CallContext,
): Promise<void> {
  checks.isDeep ||= isDeep;
  const { indexed, facts, references, sources, held, values } = checks;
  const before = [references?.part, sources, held, values].flatMap((part) => part?.findings ?? []);
  const known = { held: indexed, facts: [...(facts?.values() ?? [])], isDeep: checks.isDeep };
  checks.witness = await checkWitnesses(set, { decoder, isPaid, before, ...known }, context);
}
