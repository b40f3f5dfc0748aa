/** Whether targets are still what a format recorded of them: times and ETags, by chunk. */
import type { RequestReport } from "../../../core/byte-source.ts";
import type { Finding } from "../../../core/findings/finding.ts";
import type { TargetProbe } from "../../../core/target-probe.ts";
import type { EngineSet } from "../../engine-set.ts";
import { chunkOfRow, type FaultyTarget } from "./cause.ts";
import { ordinalOfRow } from "../../table/batch.ts";
import type { AskedTarget } from "./probe-targets.ts";

export async function compareRecorded(
  set: EngineSet,
  toCompare: ReadonlyMap<number, readonly number[]>,
  targets: readonly (AskedTarget & FaultyTarget)[],
): Promise<readonly Finding[]> {
  const { targetFindings, table } = set;
  const found: Finding[] = [];
  if (targetFindings === undefined) return found;
  for (const { id, target, probe } of targets) {
    if (probe === undefined) continue;
    const request = requestOf(probe);
    for (const row of toCompare.get(id) ?? []) {
      const chunk = chunkOfRow(table, row);
      if (chunk === undefined) continue;
      const all = await targetFindings(chunk.array, ordinalOfRow(table, row), request);
      found.push(...all.map((one) => ({ ...one, place: { kind: "target", target, chunk } as const })));
    }
  }
  return found;
}

const requestOf = ({ url, lastModified, etag }: TargetProbe): RequestReport => ({
  url,
  attempts: 1,
  bytesReceived: 0,
  milliseconds: 0,
  ...(lastModified === undefined ? {} : { lastModified }),
  ...(etag === undefined ? {} : { etag }),
});
