import type { NunjucksRun } from "../../store/use-nunjucks.ts";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { Loading } from "../../widgets/Loading.tsx";
import { countOf } from "../../widgets/number-format.ts";
import { nunjucksWords } from "./nunjucks-words.ts";
import styles from "./Readers.module.css";

interface NunjucksPartProps {
  /** Of the set. */
  readonly references: number;
  readonly nunjucks: NunjucksRun;
}

/** reference-spec-reader with nunjucks, run in its sandbox when asked for. */
export function NunjucksPart({ references, nunjucks }: NunjucksPartProps) {
  const { begun, run, cancel } = nunjucks;
  if (begun?.running === true) return <Loading label="Running nunjucks" progress={begun.progress} onCancel={cancel} />;
  if (begun?.error !== undefined) return <ErrorNotice error={begun.error} onRetry={run} />;
  if (begun?.found !== undefined)
    return (
      <p role="status" data-nunjucks={begun.found.summary.outcome.kind}>
        <b>nunjucks.</b> {nunjucksWords(begun.found)}
      </p>
    );
  return (
    <div className={styles.run}>
      <p className={styles.quiet}>
        Pages that follow the README of reference-spec-reader, zarrita’s parser, have nunjucks render the templates. It
        can be run here, locked up in a sandbox, for at most ten seconds; no chunk is read.
      </p>
      <button type="button" onClick={run}>
        Run nunjucks on {references === 1 ? "1 reference" : `all ${countOf(references, "reference")}`}
      </button>
    </div>
  );
}
