/** A whole set checked: its references, and where that was asked for its targets and its values. */
import type { CallContext } from "../../core/byte-source.ts";
import type { ReaderVerdict } from "../../core/readers/verdict.ts";
import type { TargetReport } from "../../core/check/target-probe.ts";
import type { EngineSet } from "../engine-set.ts";
import type { ChunkDecoder } from "../many/chunk-decoder.ts";
import type { NamedExpectation } from "./expectation.ts";
import { checkReferences } from "./check-references.ts";
import { checkSources } from "./sources/check-sources.ts";
import type { SourcesRequest } from "./sources/sources-request.ts";
import { checkValues } from "./values/check-values.ts";
import type { ValuesRequest } from "./values/values-request.ts";
import type { ReaderRequest } from "./readers/check-reader.ts";
import { together, type CheckedSet } from "./set-checks.ts";

export interface CheckRequest {
  readonly decoder: ChunkDecoder;
  /** Absent: no target is asked. */
  readonly sources?: SourcesRequest | undefined;
  /** Chunks that are decoded, and their values compared; absent = none. */
  readonly deep?: Omit<ValuesRequest, "decoder"> | undefined;
  /** What the set must have. */
  readonly expectation?: NamedExpectation | undefined;
  /** The reader that is asked about, or `all`; absent = none. */
  readonly reader?: Omit<ReaderRequest, "found"> | undefined;
}

export interface WholeCheck extends CheckedSet {
  /** Targets that were asked; of very many those of which there is something to say. */
  readonly reports: readonly TargetReport[];
  readonly readers?: readonly ReaderVerdict[];
}

export async function checkSet(
  set: EngineSet,
  { decoder, expectation, sources, deep, reader }: CheckRequest,
  context: CallContext,
): Promise<WholeCheck> {
  const parts = [await checkReferences(set, context)];
  const asked = sources === undefined ? undefined : await checkSources(set, sources, context);
  if (asked !== undefined) parts.push(asked);
  const reports = asked?.reports ?? [];
  if (deep !== undefined) parts.push(await checkValues(set, { ...deep, decoder }, context));
  if (expectation !== undefined) {
    const { checkExpectation } = await import("./expectation.ts");
    const against = await checkExpectation(set, expectation, decoder, context);
    parts.push(against());
  }
  if (reader === undefined) return { ...together(set, parts), reports };
  const { checkReaders } = await import("./readers/check-reader.ts");
  const found = parts.flatMap(({ findings }) => findings);
  const { part, verdicts } = await checkReaders(set, { ...reader, found }, context);
  return { ...together(set, [...parts, part]), reports, readers: verdicts };
}
