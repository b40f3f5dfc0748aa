/** The region "Version 0": what the edited document renders to, live. */
import { Fragment, useEffect, useState } from "react";
import { isAbort } from "#core/findings/finding.ts";
import { originText } from "#core/words/origin-words.ts";
import type { ReadersSummary, VersionRow, VersionRowsSpec } from "#core/studio.ts";
import type { EditState } from "#store/state.ts";
import { useActions, useApp, useAppState } from "#store/react.tsx";
import { EmptyState, ErrorNotice, useExplain, useMessage } from "#widgets/notes/Notices.tsx";
import { SearchField } from "#widgets/controls/SearchField.tsx";
import { countOf, formatCount, formatDuration } from "#widgets/number-format.ts";
import { Button, CopyButton, LinkButton, QuietButton } from "#widgets/controls/Button.tsx";
import { useVersionRows, VersionGrid, type VersionRows } from "./VersionGrid.tsx";
import styles from "./VersionPanel.module.css";
import { READER_MEANING, READER_NAMES, READERS, summaryWords, TONE_SIGN, valueText } from "./reader-words.ts";
import type { ReaderWords } from "./reader-words.ts";

export interface VersionPanelProps {
  readonly edit: EditState;
  /** A row was chosen here, not by the editor's cursor. */
  readonly onChoose: (row: VersionRow) => void;
  /** The row that the editor's cursor stands on: shown, but not focused. */
  readonly follow: { readonly key: string } | undefined;
  /** Loads an example while there is nothing to render. */
  readonly onExample: () => void;
}

type Show = VersionRowsSpec["show"];

export function VersionPanel({ edit, onChoose, follow, onExample }: VersionPanelProps) {
  const [show, setShow] = useState<Show>("all");
  const [text, setText] = useState("");
  const set = useAppState((state) => state.set?.id);
  const revision = useAppState((state) => state.revision);
  const isRendered = set !== undefined && edit.answer?.set !== undefined;
  const rows = useVersionRows(isRendered ? { set, spec: { show, text }, revision } : undefined);
  const actions = useActions();
  const shown = useShownRow(rows, follow, { show, text });
  const selected = selectedRow(rows, edit.row);
  const leave = () => {
    actions.selectRow(undefined);
    actions.clearChunk();
  };
  return (
    <section className={styles.panel} aria-label="Version 0 result">
      <header className="title-bar">
        <h2>Version 0</h2>
        <ChangeFilter edit={edit} show={show} onShow={setShow} />
        <span className={styles.said} title={saidOf(edit)}>
          {saidOf(edit)}
        </span>
      </header>
      <div className={styles.second}>
        <ReadersLine
          readers={edit.readers}
          comparing={edit.comparing}
          refused={edit.answer?.refused !== undefined}
          stale={isLast(edit, rows)}
        />
        <SearchField label="Filter keys and sources" value={text} onChange={setText} />
      </div>
      <div className={styles.body}>
        <VersionGrid
          rows={rows}
          dimmed={edit.rendering || rows.stale || isLast(edit, rows)}
          selected={edit.row}
          show={shown}
          onSelect={(row) => {
            actions.selectRow(row.key);
            onChoose(row);
          }}
          onLeave={leave}
        />
        <Over edit={edit} rows={rows} filtered={text !== "" || show !== "all"} onExample={onExample} />
      </div>
      {isLast(edit, rows) ? (
        <p className={styles.last} role="status">
          {edit.answer?.refused === undefined
            ? "The text is invalid. Showing the last valid result."
            : "fsspec rejects the document. Showing the last valid result."}
        </p>
      ) : null}
      {selected === undefined ? null : <RowDetails row={selected} onClose={leave} />}
    </section>
  );
}

/** True if the shown result is of an earlier text, since the present one is not JSON, or refused. */
function isLast({ answer, rendering }: EditState, rows: VersionRows): boolean {
  return !rendering && answer !== undefined && answer.set === undefined && rows.total > 0;
}

/** Index of the row that the editor's cursor stands on. */
function useShownRow(rows: VersionRows, follow: VersionPanelProps["follow"], { show, text }: VersionRowsSpec) {
  const { engine } = useApp();
  const [shown, setShown] = useState<{ readonly index: number }>();
  const set = rows.shown?.question.set;
  useEffect(() => {
    if (follow === undefined || set === undefined) return undefined;
    const controller = new AbortController();
    const request = { set, spec: { show, text }, key: follow.key };
    engine.call("edit.versionRowOf", request, { signal: controller.signal }).then(
      (index) => {
        if (index >= 0) setShown({ index });
      },
      (error: unknown) => {
        if (!isAbort(error)) setShown(undefined);
      },
    );
    return () => controller.abort();
  }, [engine, follow, set, show, text]);
  return shown;
}

function selectedRow({ pages }: VersionRows, key: string | undefined): VersionRow | undefined {
  return key === undefined ? undefined : [...pages.values()].flat().find((row) => row.key === key);
}

function saidOf({ answer, rendering, text, answered }: EditState): string {
  if (rendering || text !== answered) return "rendering…";
  if (answer?.set === undefined) return "";
  return `${countOf(answer.references, "reference")} in ${formatDuration(answer.milliseconds)}`;
}

interface ChangeFilterProps {
  readonly edit: EditState;
  readonly show: Show;
  readonly onShow: (show: Show) => void;
}

/** Counts of changes against the document as opened; a press shows only those. */
function ChangeFilter({ edit: { answer, readers }, show, onShow }: ChangeFilterProps) {
  const { added = 0, changed = 0, removed = 0 } = answer?.changes ?? {};
  const chips: readonly (readonly [Show, string, number, string])[] = [
    ["added", `+${formatCount(added)} new`, added, "Keys that the document as opened does not have"],
    ["changed", `${formatCount(changed)} changed`, changed, "Keys with another value than in the document as opened"],
    ["removed", `−${formatCount(removed)} removed`, removed, "Keys of the document as opened that are gone"],
    ["differ", "readers differ", isDiffering(readers) ? 1 : 0, "Keys that another reader reads differently"],
  ];
  return (
    <div className="flex gap-4 rigid" role="group" aria-label="Show only">
      {chips.map(([id, label, count, title]) => (
        <Button
          key={id}

          className={styles.chip}
          data-show={id}
          data-some={count > 0}
          aria-pressed={show === id}
          aria-disabled={count === 0 && show !== id}
          title={title}
          onClick={() => {
            if (count > 0 || show === id) onShow(show === id ? "all" : id);
          }}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

/** A value that is not compared yet, or cannot be, does not differ. */
function isDiffering(readers: EditState["readers"]): boolean {
  if (readers === undefined) return false;
  return [readers.simple, readers.javascript].some(({ outcome: { kind } }) => kind === "differs" || kind === "refuses");
}

interface OverProps {
  readonly edit: EditState;
  readonly rows: VersionRows;
  readonly filtered: boolean;
  readonly onExample: () => void;
}

/** Explanation in place of rows, and the next step. */
function Over({ edit, rows, filtered, onExample }: OverProps) {
  const explain = useExplain();
  const actions = useActions();
  const error = edit.error ?? rows.error;
  if (error !== undefined) {
    return (
      <div className={styles.over}>
        <ErrorNotice error={error} onRetry={actions.renderAgain} />
      </div>
    );
  }
  if (rows.total > 0 || edit.rendering || edit.answer === undefined) return null;
  if ((rows.stale || rows.shown === undefined) && edit.answer.set !== undefined) return null;
  const { refused, diagnostics } = edit.answer;
  const wrong = diagnostics.find((one) => explain?.(one).severity === "error");
  const stop = refused ?? wrong;
  const stopped = stop && explain?.(stop).message;
  return (
    <div className={styles.over}>
      {filtered ? (
        <EmptyState title="No such reference.">Change the filter above.</EmptyState>
      ) : edit.text.trim() === "" ? (
        <EmptyState title="Nothing to render yet.">
          <p>
            Type <kbd>{"{"}</kbd> or press <kbd>Ctrl+Space</kbd> for suggestions. Or{" "}
            <LinkButton onClick={onExample}>start from the specification's example</LinkButton>.
          </p>
        </EmptyState>
      ) : edit.answer.set === undefined ? (
        <EmptyState title={refused === undefined ? "The document cannot be read." : "No references were made."}>
          {stopped ?? ""}
        </EmptyState>
      ) : stopped !== undefined ? (
        <EmptyState title="No references were made.">{stopped}</EmptyState>
      ) : (
        <EmptyState title="The document has no references.">
          Write some into <code>refs</code> or <code>gen</code>.
        </EmptyState>
      )}
    </div>
  );
}

// Results of other readers for the whole set: in one line above the rows.

interface ReadersLineProps extends Pick<EditState, "readers" | "comparing"> {
  /** fsspec refuses the document: there is nothing to compare with. */
  readonly refused: boolean;
  /** True if they are of the former text, since the present one cannot be read. */
  readonly stale: boolean;
}

const PORTABLE = "Portable: fsspec's default mode and JavaScript readers agree on every key.";

function ReadersLine({ readers, comparing, refused, stale }: ReadersLineProps) {
  const compared = refused ? undefined : readers;
  const said = refused
    ? "fsspec rejects the document. Other readers are compared once it no longer does."
    : "Other readers are compared when you stop typing.";
  return (
    <p className={styles.readersLine} data-stale={compared === undefined ? undefined : stale}>
      {compared === undefined ? (
        <span className={`cut ${styles.reader}`}>{said}</span>
      ) : (
        sentencesOf(compared, comparing).map(({ tone, short, title }) => (
          <span key={short} className={`cut ${styles.reader}`} data-tone={tone} title={title}>
            <span aria-hidden="true">{TONE_SIGN[tone]}</span> {short}
          </span>
        ))
      )}
    </p>
  );
}

/** One for each reader, unless all agree. */
function sentencesOf(
  readers: ReadersSummary,
  comparing: boolean,
): readonly (ReaderWords & { readonly title: string })[] {
  if (readers.portable) return [{ tone: "ok", short: PORTABLE, title: PORTABLE }];
  return READERS.map((reader) => {
    const isBusy = reader === "javascript" && comparing;
    const words: ReaderWords = isBusy
      ? { tone: "quiet", short: `${READER_NAMES.javascript}: comparing…` }
      : summaryWords(reader, readers[reader]);
    return { ...words, title: `${words.short}\n${READER_MEANING[reader]}` };
  });
}

// Everything about the row that is looked at, written out.

function RowDetails({ row, onClose }: { readonly row: VersionRow; readonly onClose: () => void }) {
  const value = rowValue(row, useMessage(...row.reasons));
  return (
    <section className={styles.details} aria-label="Selected reference">
      <header className={`row gap-6 ${styles.detailsHead}`}>
        <code className="cut strong" title={row.key}>
          {row.key}
        </code>
        <CopyButton text={row.key} what="key" />
        <QuietButton onClick={onClose}>Close</QuietButton>
      </header>
      <dl className={styles.facts}>
        <dt>Version 0</dt>
        <dd>
          <code>{value}</code> <CopyButton text={value} what="reference" />
        </dd>
        <dt>Made by</dt>
        <dd>{originText(row.origin)}</dd>
        {row.before === undefined ? null : (
          <>
            <dt>As opened</dt>
            <dd>
              <code>{row.before}</code>
            </dd>
          </>
        )}
        {READERS.map((reader) => (
          <Fragment key={reader}>
            <dt title={READER_MEANING[reader]}>{READER_NAMES[reader]}</dt>
            <dd data-kind={row[reader].kind}>
              {row[reader].kind === "other" ? <code>{valueText(row[reader])}</code> : valueText(row[reader])}
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

function rowValue({ state, target, offset, length }: VersionRow, reason: string | undefined): string {
  if (state === "bad") return reason ?? "cannot be understood";
  if (state === "range" || state === "virtual") return JSON.stringify([target, offset, length]);
  return state === "whole" ? JSON.stringify([target]) : (target ?? "null");
}
