/** All readers, the chosen one first: each with its verdict, why, and from where that is known. */
import { useState } from "react";
import type { SetSummary } from "../../core/open-set.ts";
import { basisWords, OUTCOME_WORDS, outcomeOf } from "../../core/readers/outcome-words.ts";
import { outcomeShare, whyWords } from "../../core/readers/reader-words.ts";
import type { ReaderVerdict } from "../../core/readers/verdict.ts";
import type { ReaderChosen } from "../../store/use-reader.ts";
import { useNunjucks, type NunjucksRun } from "../../store/use-nunjucks.ts";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { Loading } from "../../widgets/Loading.tsx";
import { countOf } from "../../widgets/number-format.ts";
import { OutcomeSign } from "./OutcomeSign.tsx";
import { ReaderDetails } from "./ReaderDetails.tsx";
import type { ComparedReaders } from "./use-compared-readers.ts";
import styles from "./Readers.module.css";

interface ReadersTableProps {
  readonly set: SetSummary;
  readonly chosen: ReaderChosen;
  readonly answer: ComparedReaders["answer"];
}

export function ReadersTable({ set, chosen, answer }: ReadersTableProps) {
  const { last, error, retry, progress } = answer;
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const nunjucks = useNunjucks(set.id);
  if (error !== undefined) return <ErrorNotice error={error} onRetry={retry} />;
  if (last === undefined) return <Loading label="Asking about readers" progress={progress} />;
  const isChosen = ({ reader }: ReaderVerdict) => reader.id === chosen.reader;
  const rows = last.data.toSorted((one, other) => Number(isChosen(other)) - Number(isChosen(one)));
  const toggle = (id: string) => {
    const changed = new Set(opened);
    if (!changed.delete(id)) changed.add(id);
    setOpened(changed);
  };
  return (
    <table className={styles.table} aria-labelledby="check-readers">
      <thead>
        <tr>
          <th scope="col">Reader</th>
          <th scope="col">Verdict</th>
          <th scope="col">Why</th>
          <th scope="col">Known from</th>
          <th scope="col">
            <span className={styles.hidden}>Details</span>
          </th>
        </tr>
      </thead>
      {rows.map((verdict) => (
        <ReaderRows
          key={verdict.reader.id}
          {...{ set, verdict, chosen, nunjucks }}
          opened={opened.has(verdict.reader.id)}
          onToggle={() => toggle(verdict.reader.id)}
        />
      ))}
    </table>
  );
}

interface ReaderRowsProps extends Omit<ReadersTableProps, "answer"> {
  readonly verdict: ReaderVerdict;
  readonly nunjucks: NunjucksRun;
  readonly opened: boolean;
  readonly onToggle: () => void;
}

function ReaderRows({ set, verdict, chosen, nunjucks, opened, onToggle }: ReaderRowsProps) {
  const { reader } = verdict;
  const outcome = outcomeOf(verdict);
  const isChosen = reader.id === chosen.reader;
  const [share, why] = [outcomeShare(verdict), whyWords(verdict)];
  const id = `reader-${reader.id}`;
  return (
    <tbody data-reader={reader.id} data-outcome={outcome} data-opened={opened} data-chosen={isChosen}>
      <tr>
        <th scope="row" id={id}>
          <span className={styles.name}>{reader.name}</span>
          {isChosen ? <span className={styles.chosen}>your reader</span> : null}
        </th>
        <td>
          <span className={styles.outcome} data-outcome={outcome}>
            <OutcomeSign outcome={outcome} />
            {OUTCOME_WORDS[outcome]}
          </span>
          {share === "" ? null : <span className={styles.share}>{share}</span>}
        </td>
        <td>
          <p className={styles.why} title={why}>
            {why}
          </p>
        </td>
        <td className={styles.basis}>
          {basisWords(verdict)}
          <br />
          {reader.version}, {reader.date}
          {reader.id === "zarrita" ? <NunjucksBasis nunjucks={nunjucks} /> : null}
        </td>
        <td>
          <button
            type="button"
            data-kind="quiet"
            aria-expanded={opened}
            aria-label={`${opened ? "Less" : "More"} about ${reader.name}`}
            onClick={onToggle}
          >
            {opened ? "Less" : "More"}
          </button>
        </td>
      </tr>
      {opened ? (
        <tr>
          <td colSpan={5}>
            <ReaderDetails {...{ set, verdict, chosen, nunjucks }} />
          </td>
        </tr>
      ) : null}
    </tbody>
  );
}

function NunjucksBasis({ nunjucks: { begun } }: Pick<ReaderRowsProps, "nunjucks">) {
  const found = begun?.found;
  if (found === undefined || found.summary.outcome.kind === "unknown") return null;
  return (
    <>
      <br />
      nunjucks run on {countOf(found.keys, "key")}
    </>
  );
}
