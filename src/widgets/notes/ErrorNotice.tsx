import type { ReactNode } from "react";
import type { Action } from "../../core/findings/catalogue/entry.ts";
import { type Finding, placeText } from "../../core/findings/finding.ts";
import { explainedText } from "../../core/findings/explained.ts";
import { CodeButton } from "./CodeButton.tsx";
import styles from "./ErrorNotice.module.css";
import { useExplain } from "./use-explain.ts";
import { Button, CopyButton, QuietButton } from "../controls/Button.tsx";

export interface ErrorNoticeProps {
  readonly error: Finding;
  /** What was being done to what, where the finding's own place does not say it: a document's name. */
  readonly where?: string;
  readonly onRetry?: () => void;
  readonly onDismiss?: () => void;
  /** Buttons that help best, before all others. */
  readonly first?: ReactNode;
  /** Further buttons that help with this error; given the action that the catalogue advises. */
  readonly children?: ReactNode | ((action: Action | undefined) => ReactNode);
}

/** Why something did not work: what was done, where, what was expected, what was found, what to do. */
export function ErrorNotice({ error, where = whereOf(error), onRetry, onDismiss, first, children }: ErrorNoticeProps) {
  const explain = useExplain();
  const said = explain?.(error);
  return (
    <div className={styles.notice} role="alert" data-code={error.code}>
      <span className={styles.sign} aria-hidden="true">
        ✕
      </span>
      <div className={styles.text}>
        <p className={styles.doing}>
          {said === undefined ? null : `${said.title}. `}
          <code className={styles.code}>{error.code}</code>
        </p>
        <p className={styles.message}>{said?.message}</p>
        <dl className={styles.fields}>
          <Field term="Where" text={where} mono />
          <Field term="What to do" text={said?.remedy} />
        </dl>
        <div className={styles.actions}>
          {first}
          {onRetry === undefined || said?.final === true ? null : <Button onClick={onRetry}>Retry</Button>}
          {typeof children === "function" ? children(said?.action) : children}
          <CodeButton code={error.code} />
          {explain === undefined ? null : (
            <CopyButton text={() => `${explainedText(error, explain)} [${error.code}]`} what="details" label />
          )}
          {onDismiss === undefined ? null : <QuietButton onClick={onDismiss}>Dismiss</QuietButton>}
        </div>
      </div>
    </div>
  );
}

const whereOf = ({ place }: Finding): string | undefined => (place.kind === "set" ? undefined : placeText(place));

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
      <dd data-mono={mono} title={text}>
        {text}
      </dd>
    </>
  );
}
