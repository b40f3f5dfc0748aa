/** A whole set checked: its references, and where that was asked for its targets and its values. */
import type { CallContext } from "../../core/byte-source.ts";
import type { Expectation } from "../../core/expectation.ts";
import type { EngineSet } from "../engine-set.ts";
import type { ChunkDecoder } from "../many/chunk-decoder.ts";
import { checkReferences } from "./check-references.ts";
import { checkSources } from "./sources/check-sources.ts";
import type { SourcesRequest } from "./sources/sources-request.ts";
import { checkValues, type ValuesRequest } from "./values/check-values.ts";
import type { ReaderRequest } from "./readers/check-reader.ts";
import { together, type CheckedSet } from "./set-checks.ts";

export interface CheckRequest {
  readonly decoder: ChunkDecoder;
  /** Absent: no target is asked. */
  readonly sources?: SourcesRequest | undefined;
  /** Chunks that are decoded, and their values compared; absent = none. */
  readonly deep?: Omit<ValuesRequest, "decoder"> | undefined;
  /** What the set must have. */
  readonly expectation?: Expectation | undefined;
  /** The reader that is asked about; absent = none. */
  readonly reader?: Omit<ReaderRequest, "found"> | undefined;
}

export async function checkSet(
  set: EngineSet,
  { decoder, expectation, sources, deep, reader }: CheckRequest,
  context: CallContext,
): Promise<CheckedSet> {
  const parts = [await checkReferences(set, context)];
  if (sources !== undefined) parts.push(await checkSources(set, sources, context));
  if (deep !== undefined) parts.push(await checkValues(set, { ...deep, decoder }, context));
  if (expectation !== undefined) {
    const { againstExpectation } = await import("./expectation.ts");
    parts.push({ findings: await againstExpectation(set, expectation, decoder, context), rules: [] });
  }
  if (reader !== undefined) {
    const { checkReader } = await import("./readers/check-reader.ts");
    const found = parts.flatMap(({ findings }) => findings);
    parts.push(await checkReader(set, { ...reader, found }, context));
  }
  return together(set, parts);
}
