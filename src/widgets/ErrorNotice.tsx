import type { ReactNode } from "react";
import { errorSentence, type ErrorFields } from "../core/errors.ts";
import { explained } from "../core/findings/explain.ts";
import { CodeButton } from "./CodeButton.tsx";
import { CopyButton } from "./CopyButton.tsx";
import styles from "./ErrorNotice.module.css";

export interface ErrorNoticeProps {
  readonly error: ErrorFields;
  readonly onRetry?: () => void;
  readonly onDismiss?: () => void;
  /** Buttons that help best, before all others. */
  readonly first?: ReactNode;
  /** Further buttons that help with this error. */
  readonly children?: ReactNode;
}

/** Why something did not work: what was done, where, what was expected, what was found, what to do. */
export function ErrorNotice({ error, onRetry, onDismiss, first, children }: ErrorNoticeProps) {
  const words = explainedError(error);
  return (
    <div className={styles.notice} role="alert" data-code={error.code}>
      <span className={styles.sign} aria-hidden="true">
        ✕
      </span>
      <div className={styles.text}>
        <p className={styles.doing}>
          {words?.title ?? `${error.doing} failed`}. <code className={styles.code}>{error.code}</code>
        </p>
        {words === undefined ? null : <p className={styles.message}>{words.message}</p>}
        <dl className={styles.fields}>
          <Field term="Where" text={error.where} mono />
          <Field term="Expected" text={error.expected} />
          <Field term="Found" text={error.found} />
          <Field term="What to do" text={error.advice} />
        </dl>
        <div className={styles.actions}>
          {first}
          {onRetry === undefined ? null : (
            <button type="button" onClick={onRetry}>
              Retry
            </button>
          )}
          {children}
          <CodeButton code={error.code} />
          <CopyButton text={() => `${errorSentence(error)} [${error.code}]`} what="details" label />
          {onDismiss === undefined ? null : (
            <button type="button" data-kind="quiet" onClick={onDismiss}>
              Dismiss
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

/** What the catalogue says of an error that is a finding; the message as it was made, with the cause in it. */
function explainedError({ code, finding }: ErrorFields) {
  if (finding?.place === undefined) return undefined;
  const { title } = explained({ code, place: finding.place, facts: finding.facts ?? {}, count: 1 });
  return { title, message: finding.message };
}

interface FieldProps {
  readonly term: string;
  readonly text: string | undefined;
  readonly mono?: boolean;
}

function Field({ term, text, mono = false }: FieldProps) {
  if (text === undefined || text === "") return null;
  return (
    <>
      <dt>{term}</dt>
      <dd data-mono={mono}>{text}</dd>
    </>
  );
}
