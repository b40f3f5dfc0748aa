/** Parts of a range of a URL, in one request: each is given while later ones arrive. */
import type { ByteRange, CallContext, ReadBytes, ReadParts } from "../core/byte-source.ts";
import { readRange, type RangeTaker } from "./http-range.ts";
import type { HttpTarget } from "./http-target.ts";
import { fillParts, partOf } from "./range-parts.ts";

export async function readParts(
  target: HttpTarget,
  range: ByteRange,
  parts: readonly ByteRange[],
  context: CallContext,
  give: Parameters<ReadParts>[3],
): Promise<void> {
  const waiting = new Set(parts.keys());
  // A request that broke off is made again: what came before it did, was right.
  const giveOnce = (at: number, read: () => ReadBytes): void => {
    if (waiting.delete(at)) give(at, read());
  };
  const taker: RangeTaker = {
    begin: (report) =>
      fillParts({
        range,
        parts,
        full(at, bytes, received) {
          const underWay = received < range.length ? { underWay: true as const } : {};
          giveOnce(at, () => ({ bytes, request: { ...report(received), ...underWay }, findings: [] }));
        },
      }),
  };
  const whole = await readRange(target, range, context, taker);
  for (const [at, part] of parts.entries()) giveOnce(at, () => partOf(whole, range.offset, part));
}
