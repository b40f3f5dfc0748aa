/** Bytes of targets, read to see whether a chunk is there; what was read once is not asked for again. */
import type { ByteRange, CallContext } from "#core/byte-source.ts";
import { isAbort } from "#core/findings/finding.ts";
import type { EngineSet } from "#engine/engine-set.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export type RangeReader = ReturnType<typeof rangeReader>;

export interface Probe {
  readonly isRead: boolean;
  readonly size?: number;
}

export function rangeReader({ targets }: EngineSet, context: CallContext) {
  const pieces = new Map<string | null, { readonly start: number; readonly bytes: Bytes }[]>();
  const probes = new Map<string | null, Probe>();
  const read = async (target: string | null, range: ByteRange) => {
    const resolution = targets.resolve(target);
    if (resolution.kind === "unresolved") return undefined;
    try {
      return await targets.read(resolution, range, context);
    } catch (error) {
      if (isAbort(error) && context.signal.aborted) throw error;
      return undefined;
    }
  };
  return {
    /** `undefined` where the bytes cannot be had, or the budget is spent. */
    async bytes(target: string | null, { offset, length }: ByteRange): Promise<Bytes | undefined> {
      if (length <= 0 || offset < 0) return undefined;
      const kept = pieces.get(target) ?? [];
      const known = kept.find(({ start, bytes }) => start <= offset && start + bytes.length >= offset + length);
      if (known !== undefined) return known.bytes.subarray(offset - known.start, offset - known.start + length);
      const answer = await read(target, { offset, length });
      if (answer === undefined) return undefined;
      pieces.set(target, [...kept, { start: offset, bytes: answer.bytes }]);
      return answer.bytes;
    },
    /** Tells if anything of the target can be read, and its size if known. */
    async probe(target: string | null): Promise<Probe> {
      const known = probes.get(target);
      if (known !== undefined) return known;
      // Not the first byte: some servers take "0-0" for the whole of the target.
      const answer = await read(target, { offset: 1, length: 1 });
      const size = answer?.request.targetSize;
      const probe = { isRead: answer !== undefined, ...(size === undefined ? {} : { size }) };
      probes.set(target, probe);
      return probe;
    },
  };
}
