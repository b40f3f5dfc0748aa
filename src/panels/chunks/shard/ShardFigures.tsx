/** The shard in figures. */
import type { ReactNode } from "react";
import type { ShardMap } from "../../../core/shard-map.ts";
import { ByteSize } from "../../../widgets/ByteSize.tsx";
import { countOf, formatBytes, formatCount, formatExactBytes, formatShare } from "../../../widgets/number-format.ts";
import { ratioText } from "./chunk-sentence.ts";
import { orderWords, type ShardTotals } from "./shard-totals.ts";
import styles from "./ShardPanel.module.css";

export interface ShardFiguresProps {
  readonly map: ShardMap;
  readonly totals: ShardTotals;
}

export function ShardFigures({ map, totals }: ShardFiguresProps) {
  const { present, empty, damaged, shared, all } = totals;
  return (
    <dl className={styles.figures} aria-label="Figures of the shard">
      <Figure term="Shard">
        <ByteSize bytes={map.size} />
      </Figure>
      <BytesFigure term="Used by chunks" bytes={map.bytesUsed} of={map.size} />
      <BytesFigure term="Dead" bytes={map.bytesDead} of={map.size} />
      <BytesFigure term="Index" bytes={map.index.length} of={map.size} />
      <Figure term="Written in" title="The order in which the chunks lie in the file">
        {orderWords(map.writeOrder)}
      </Figure>
      <Figure term="Present" title={shared > 0 ? `${countOf(shared, "chunk")} of them share their bytes` : undefined}>
        {formatCount(present)} <Of all={all} />
      </Figure>
      <Figure term="Empty">
        {formatCount(empty)} <Of all={all} />
      </Figure>
      <Figure term="Damaged" bad={damaged > 0}>
        {damaged > 0 ? <span aria-hidden="true">✕ </span> : null}
        {formatCount(damaged)} <Of all={all} />
      </Figure>
      <CompressionFigure totals={totals} />
      <SizesFigure totals={totals} />
    </dl>
  );
}

const Of = ({ all }: { readonly all: number }) => <span className={styles.also}>of {formatCount(all)}</span>;

interface FigureProps {
  readonly term: string;
  readonly title?: string | undefined;
  readonly bad?: boolean;
  readonly children: ReactNode;
}

function Figure({ term, title, bad = false, children }: FigureProps) {
  return (
    <div className={styles.figure} title={title} data-bad={bad}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface BytesFigureProps {
  readonly term: string;
  readonly bytes: number;
  readonly of: number;
}

function BytesFigure({ term, bytes, of }: BytesFigureProps) {
  return (
    <Figure term={term}>
      <ByteSize bytes={bytes} /> <span className={styles.also}>{formatShare(bytes, of)}</span>
    </Figure>
  );
}

function CompressionFigure({ totals: { decoded, stored } }: { readonly totals: ShardTotals }) {
  const ratio = ratioText(decoded, stored);
  const title =
    ratio === undefined || decoded === undefined
      ? undefined
      : `${formatExactBytes(stored)} stored, ${formatExactBytes(decoded)} decoded`;
  return (
    <Figure term="Compression" title={title}>
      {ratio ?? "–"}
      {title === undefined || decoded === undefined ? null : (
        <span className={styles.also}> to {formatBytes(decoded)}</span>
      )}
    </Figure>
  );
}

function SizesFigure({ totals: { smallest, largest } }: { readonly totals: ShardTotals }) {
  if (smallest === undefined || largest === undefined) return <Figure term="Chunk sizes">–</Figure>;
  const same = smallest === largest;
  return (
    <Figure
      term={same ? "Every chunk" : "Smallest, largest"}
      title={same ? formatExactBytes(smallest) : `${formatExactBytes(smallest)} to ${formatExactBytes(largest)}`}
    >
      {same ? formatBytes(smallest) : `${formatBytes(smallest)} – ${formatBytes(largest)}`}
    </Figure>
  );
}
