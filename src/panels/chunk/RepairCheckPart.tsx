import { useExplain } from "../../widgets/use-explain.ts";
import { useEffect, useRef } from "react";
import type { CheckedChunk, RepairCheck } from "../../core/lab.ts";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { Loading } from "../../widgets/Loading.tsx";
import { JsonChanges } from "../../widgets/JsonChanges.tsx";
import { countOf } from "../../widgets/number-format.ts";
import { outcomeWords, refusedWords, sampleWords, verdictWords } from "./repair-words.ts";
import type { Repair } from "./use-repair.ts";
import styles from "./RepairCheckPart.module.css";

/** A repair for the array: what it does to a sample of its chunks, what applying it changes, and then the button. */
export function RepairCheckPart({ repair }: { readonly repair: Repair }) {
  const { known, cancel, dismiss } = repair.check;
  const part = useRef<HTMLElement>(null);
  const found = known?.found;
  useEffect(() => {
    if (found !== undefined) part.current?.scrollIntoView({ block: "nearest" });
  }, [found]);
  if (known === undefined) return null;
  if (known.running) return <Loading label="Trying it on other chunks" progress={known.progress} onCancel={cancel} />;
  if (known.error !== undefined) return <ErrorNotice error={known.error} onDismiss={dismiss} />;
  if (found === undefined) return null;
  return (
    <section
      ref={part}
      className={styles.part}
      aria-label="Repair of the array"
      data-refused={found.refused !== undefined}
    >
      <p className={styles.title}>{known.label}, for the whole array</p>
      <p role="status">
        {sampleWords(found)}: <b>{verdictWords(found)}</b>.
      </p>
      <Examples chunks={found.chunks} />
      {found.refused === undefined ? (
        <Preview check={found} />
      ) : (
        <p className={styles.refused}>{refusedWords(found)}</p>
      )}
      <div className={styles.buttons}>
        {found.refused === undefined ? (
          <button type="button" data-kind="primary" aria-disabled={repair.applying} onClick={repair.applyChecked}>
            Apply to all {countOf(found.of, "chunk")}
          </button>
        ) : null}
        <button type="button" data-kind="quiet" onClick={dismiss}>
          {found.refused === undefined ? "Do not apply" : "Dismiss"}
        </button>
      </div>
    </section>
  );
}

const MAX_EXAMPLES = 3;

/** Those that are worse matter most; then the undecided ones. */
function Examples({ chunks }: { readonly chunks: readonly CheckedChunk[] }) {
  const explain = useExplain();
  const telling = (["worse", "undecided", "better", "unread"] as const)
    .flatMap((verdict) => chunks.filter((one) => one.verdict === verdict).slice(0, MAX_EXAMPLES))
    .slice(0, MAX_EXAMPLES + 1);
  if (telling.length === 0) return null;
  return (
    <ul className={styles.examples}>
      {telling.map(({ key, verdict, before, after }) => (
        <li key={key} data-verdict={verdict}>
          <code>{key}</code> {verdict}: {outcomeWords(before, explain)} → {outcomeWords(after, explain)}
        </li>
      ))}
    </ul>
  );
}

function Preview({ check: { documents, ranges } }: { readonly check: RepairCheck }) {
  return (
    <div className={styles.preview}>
      <p className={styles.quiet}>What applying it changes:</p>
      {documents.map(({ key, changes }) => (
        <div key={key}>
          <code>{key}</code>
          <JsonChanges changes={changes} />
        </div>
      ))}
      {ranges === undefined ? null : (
        <div>
          {countOf(ranges.count, "reference")}, such as
          <JsonChanges changes={ranges.examples.map(({ key, before, after }) => ({ path: key, before, after }))} />
        </div>
      )}
    </div>
  );
}
