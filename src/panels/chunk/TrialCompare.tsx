import { useEffect, useRef } from "react";
import type { Reading, Statistics } from "../../core/reading.ts";
import { MiniPicture } from "./MiniPicture.tsx";
import { bytesWords, comparedStatistics, outcomeWords } from "./compare-words.ts";
import type { Lab } from "./use-lab.ts";
import styles from "./TrialPanel.module.css";

/** The reading as declared and the trial's, side by side. The last trial stays, dimmed, while a newer one is read. */
export function TrialCompare({ lab }: { readonly lab: Lab }) {
  const { declared, trial, detail, set } = lab;
  const { reading, pending } = trial.reading;
  const expected = detail?.chunkBytes;
  const table = useRef<HTMLTableElement>(null);
  const { taken } = trial;
  useEffect(() => {
    if (taken > 0) table.current?.scrollIntoView({ block: "nearest" });
  }, [taken]);
  return (
    <table ref={table} className={styles.compare} aria-label="As declared and trial" data-waiting={pending}>
      <thead>
        <tr>
          <th scope="col" aria-label="What is compared" />
          <th scope="col">As declared</th>
          <th scope="col">Trial</th>
        </tr>
      </thead>
      <tbody>
        <Row term="Reads" one={outcomeWords(declared)} other={outcomeWords(reading)} />
        <Row term="Bytes out" one={bytesWords(declared, expected)} other={bytesWords(reading, expected)} />
        {comparedStatistics(statisticsOf(declared), statisticsOf(reading)).map(([term, one, other]) => (
          <Row key={term} term={term} one={one} other={other} />
        ))}
        <tr>
          <th scope="row">Looks like</th>
          <td>
            <MiniPicture set={set} reading={declared} />
          </td>
          <td data-trial>{reading === undefined ? null : <MiniPicture set={set} reading={reading} />}</td>
        </tr>
      </tbody>
    </table>
  );
}

const statisticsOf = (reading: Reading | undefined): Statistics | undefined =>
  reading?.outcome === "ok" ? reading.values?.raw : undefined;

interface RowProps {
  readonly term: string;
  readonly one: string;
  readonly other: string;
}

/** What differs is set in bold. */
function Row({ term, one, other }: RowProps) {
  return (
    <tr data-differs={one !== other}>
      <th scope="row">{term}</th>
      <td title={one}>{one}</td>
      <td data-trial title={other}>
        {other}
      </td>
    </tr>
  );
}
