/** What a shard's bytes are, in a line. */
import type { ReactNode } from "react";
import type { ShardMap } from "../../../core/shard-map.ts";
import { ByteSize } from "../../../widgets/ByteSize.tsx";
import { countOf, formatCount } from "../../../widgets/number-format.ts";
import { orderWords } from "./shard-totals.ts";
import styles from "./ShardPanel.module.css";

export function ShardSums({ map }: { readonly map: ShardMap }) {
  const gaps = map.gaps.length / 2;
  const damaged = map.faultCount;
  return (
    <ul className={styles.sums} aria-label="Figures of the shard">
      <Sum bytes={map.size}>in all</Sum>
      <Sum bytes={map.bytesUsed}>chunks</Sum>
      {map.bytesDead === 0 ? null : (
        <Sum bytes={map.bytesDead} tone="warn" title="Bytes that neither the index nor a chunk uses">
          dead, in {countOf(gaps, "gap")}
        </Sum>
      )}
      <Sum bytes={map.index.length}>index</Sum>
      {damaged === 0 ? null : (
        <li data-tone="bad">
          <span aria-hidden="true">✕ </span>
          {formatCount(damaged)} damaged
        </li>
      )}
      {map.writeOrder === undefined ? null : (
        <li title="The order in which the chunks lie in the file">written in {orderWords(map.writeOrder)}</li>
      )}
    </ul>
  );
}

interface SumProps {
  readonly bytes: number;
  readonly tone?: "warn";
  readonly title?: string;
  readonly children: ReactNode;
}

function Sum({ bytes, tone, title, children }: SumProps) {
  return (
    <li data-tone={tone} title={title}>
      <b>
        <ByteSize bytes={bytes} />
      </b>{" "}
      {children}
    </li>
  );
}
