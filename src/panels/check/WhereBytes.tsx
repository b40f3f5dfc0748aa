/** Shows a chunk's bytes among those of its neighbours in the source, and the range that a fix reads instead. */
import type { ChunkPlace } from "#core/findings/fact.ts";
import type { RepairOffer } from "#core/repair-offer.ts";
import { useEngine } from "#store/react.tsx";
import { formatCount } from "#widgets/number-format.ts";
import styles from "./WhereBytes.module.css";

interface WhereBytesProps {
  readonly set: number;
  readonly chunk: ChunkPlace;
  /** The best, where one is known. */
  readonly offer: RepairOffer | undefined;
}

/** Neighbours on each side. */
const NEAR = 2;
/** Share of the strip below which a name has no room. */
const LEAST_NAMED = 0.07;

export function WhereBytes({ set, chunk: { array, coordinates }, offer }: WhereBytesProps) {
  const own = useEngine("sources.ofChunk", { set, array, coordinates }).data;
  const target = own?.target ?? null;
  const place = own?.place ?? -1;
  const { change } = offer ?? {};
  const fix = change?.kind === "range" ? { from: change.offset, to: change.offset + change.length } : undefined;
  const of = place < 0 ? undefined : { set, target };
  // Around where the fix reads: what is written may be far away.
  const around = useEngine("sources.byte", of && fix && { ...of, byte: fix.from }).data?.place ?? place;
  const ranges = useEngine("sources.ranges", of && { ...of, from: Math.max(0, around - NEAR), to: around + NEAR + 2 });
  const shown = ranges.last?.data.ranges ?? [];
  const [first, last] = [shown[0], shown.at(-1)];
  if (first === undefined || last === undefined) return null;
  const from = Math.min(first.from, fix?.from ?? Infinity);
  const to = Math.max(...shown.map((one) => one.to), fix?.to ?? 0);
  const at = (one: { readonly from: number; readonly to: number }) => ({
    left: `${(100 * (one.from - from)) / (to - from)}%`,
    width: `${(100 * (one.to - one.from)) / (to - from)}%`,
  });
  const written = shown.find((one) => one.array === array && one.coordinates?.join() === coordinates.join());
  return (
    <figure className={`quiet fine ${styles.where}`} aria-label="Where its bytes are">
      <figcaption>
        <b>Where its bytes are</b> {target?.split("/").at(-1) ?? "the set’s target"}, {formatCount(from)}–
        {formatCount(to)}
      </figcaption>
      <div className={styles.strip}>
        {shown
          .filter((one) => one !== written)
          .map((one) => (
            <span key={one.place} style={at(one)} title={`${one.key}: ${formatCount(one.from)}–${formatCount(one.to)}`}>
              {(one.to - one.from) / (to - from) < LEAST_NAMED ? null : one.key}
            </span>
          ))}
        {written === undefined ? null : <span data-what="written" style={at(written)} title="as written" />}
        {fix === undefined ? null : <span data-what="fix" style={at(fix)} title="with the fix" />}
      </div>
      <p>
        {written === undefined ? null : (
          <span data-what="written">
            as written {formatCount(written.from)}–{formatCount(written.to)}
          </span>
        )}
        {fix === undefined ? null : (
          <span data-what="fix">
            with the fix {formatCount(fix.from)}–{formatCount(fix.to)}
          </span>
        )}
      </p>
    </figure>
  );
}
