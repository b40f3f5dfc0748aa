/** Notices in place of contents: under way, empty, failed. */
import { createContext, type ReactNode, use, useEffect, useSyncExternalStore } from "react";
import type { Action } from "#core/findings/catalogue/entry.ts";
import { type Finding, placeText } from "#core/findings/finding.ts";
import { type Explain, explainedText } from "#core/findings/explained.ts";
import styles from "./Notices.module.css";
import { Button, CopyButton, QuietButton } from "../controls/Button.tsx";
import type { Progress } from "#core/byte-source.ts";
import { ProgressBar } from "./ProgressBar.tsx";

export interface ErrorNoticeProps {
  readonly error: Finding;
  /** Place of the failure if the finding does not name it: a document's name. */
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
      <div className="grid gap-6 narrow">
        <p className="break strong">
          {said === undefined ? null : `${said.title}. `}
          <code className={styles.code}>{error.code}</code>
        </p>
        <p className="break">{said?.message}</p>
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

// The catalogue on the page: fetched when there is first something to say of a finding.

let explain: Explain | undefined;
let fetching: Promise<Explain> | undefined;
const listeners = new Set<() => void>();

/** For single uses. Fetches it before it is needed, too: while a set is opened. */
export function loadCatalogue(): Promise<Explain> {
  fetching ??= fetchCatalogue();
  return fetching;
}

async function fetchCatalogue(): Promise<Explain> {
  try {
    explain = (await import("#core/findings/explain.ts")).explained;
  } catch {
    explain = unexplained;
    fetching = undefined; // Whoever needs it next tries again.
  }
  for (const listener of listeners) listener();
  return explain;
}

/** `undefined` until it is here. */
export function useExplain(): Explain | undefined {
  useEffect(() => void loadCatalogue(), []);
  return useSyncExternalStore(subscribe, () => explain);
}

/**
 * The messages of the findings, one after another; `undefined` where there are none, and until the catalogue is here.
 */
export function useMessage(...findings: readonly (Finding | undefined)[]): string | undefined {
  const loaded = useExplain();
  const some = findings.filter((one) => one !== undefined);
  return loaded === undefined || some.length === 0 ? undefined : messageOf(some, loaded);
}

export const messageOf = (findings: readonly Finding[], say: Explain): string =>
  findings.map((one) => say(one).message).join(" ");

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const unexplained: Explain = ({ code }) => ({
  title: code,
  brief: code,
  severity: "warning",
  message: `The explanation of ${code} could not be loaded from this site.`,
  remedy: "Reload the page: the site may have been updated since it was opened.",
  readers: "",
  about: "page",
  question: undefined,
  action: "reload",
  inPlace: false,
  noSet: false,
  final: false,
});

export interface LoadingProps {
  /** Words for the task: "Loading rows". */
  readonly label?: string;
  readonly progress?: Progress | undefined;
  readonly onCancel?: (() => void) | undefined;
}

/** A sign that something is under way; it appears only after 150 ms, so that quick answers do not flicker. */
export function Loading({ label = "Loading", progress, onCancel }: LoadingProps) {
  return (
    <div className={styles.loading} aria-busy="true">
      <ProgressBar label={label} progress={progress} />
      <span>{progress?.label ?? label}…</span>
      {onCancel === undefined ? null : <Button onClick={onCancel}>Cancel</Button>}
    </div>
  );
}

export interface EmptyStateProps {
  /** Title: "No chunk selected" */
  readonly title: string;
  /** The next step: a sentence, a button. */
  readonly children: ReactNode;
}

/** Note in place of contents: why there are none, and what to do next. */
export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <p className="ink strong">{title}</p>
      <div className={styles.next}>{children}</div>
    </div>
  );
}

interface UnansweredProps {
  readonly answer: Pick<LoadingProps, "progress"> & {
    readonly error: ErrorNoticeProps["error"] | undefined;
    readonly cancelled: boolean;
    readonly retry: () => void;
    readonly cancel: () => void;
  };
  /** Words for the task: "Counting references". */
  readonly label: string;
  /** Words for a cancelled task, and for the button that repeats it, if it may be cancelled. */
  readonly cancelled?: readonly [title: string, again: string];
}

/** Note in place of an answer: it is under way, was cancelled, or failed. */
export function Unanswered({ answer, label, cancelled }: UnansweredProps) {
  const { error, progress, retry, cancel } = answer;
  if (answer.cancelled && cancelled !== undefined)
    return (
      <EmptyState title={cancelled[0]}>
        <Button onClick={retry}>{cancelled[1]}</Button>
      </EmptyState>
    );
  if (error !== undefined) return <ErrorNotice error={error} onRetry={retry} />;
  return <Loading label={label} progress={progress} onCancel={cancelled && cancel} />;
}

/** The page says what it does to explain a code. */
export const ExplainCode = createContext<(code: string) => void>(() => undefined);

/** Leads from the code of a finding or an error to what the page of codes says of it. */
export function CodeButton({ code }: { readonly code: string }) {
  const explain = use(ExplainCode);
  return (
    <QuietButton title={`What ${code} means, what to do and what readers do`} onClick={() => explain(code)}>
      About this code
    </QuietButton>
  );
}
