/** The region "Version 1": the document, what is to be said of it as a whole, and what can be done with it. */
import { useMessage } from "#widgets/notes/Notices.tsx";
import type { ReactNode } from "react";
import { type EditState, isEdited } from "#store/state.ts";
import { useActions, useAppState } from "#store/react.tsx";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { Button, CopyButton, LinkButton } from "#widgets/controls/Button.tsx";
import styles from "./DocumentPanel.module.css";

export interface DocumentPanelProps {
  readonly edit: EditState;
  /** The editor. */
  readonly children: ReactNode;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onFind: () => void;
  readonly onFormat: () => void;
  /** Opens the dialog for table edits and templates. */
  readonly onTableEdits: () => void;
  readonly onDiscard: () => void;
}

export function DocumentPanel(props: DocumentPanelProps) {
  const { edit, children } = props;
  const format = useAppState((state) => state.set?.format);
  return (
    <section className="panel" aria-label="Document">
      <header className="title-bar">
        <h2>{headingOf(edit, format)}</h2>
        <span className="cut quiet tabular">{partsOf(edit)}</span>
        <Kept edit={edit} />
      </header>
      <Tools {...props} />
      <Notices {...props} />
      <div className={styles.body} ref={keepInput}>
        {children}
      </div>
      <Refusal edit={edit} />
    </section>
  );
}

/** Text pasted there goes into the document, rather than being opened; keys of the page work there too. */
function keepInput(body: HTMLElement | null): (() => void) | undefined {
  if (body === null) return undefined;
  const controller = new AbortController();
  const { signal } = controller;
  const onPaste = (event: ClipboardEvent) => event.stopPropagation();
  body.addEventListener("keydown", offerToPage, { signal, capture: true });
  body.addEventListener("paste", onPaste, { signal });
  return () => controller.abort();
}

/** The page's keys with a modifier go before the editor's, some of which are the same. */
function offerToPage(event: KeyboardEvent): void {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (shiftKey || !(ctrlKey || metaKey || altKey)) return;
  const offered = new KeyboardEvent("keydown", { key, code, ctrlKey, metaKey, altKey, cancelable: true });
  if (window.dispatchEvent(offered)) return;
  event.preventDefault();
  event.stopPropagation();
}

const isBlank = ({ text }: EditState) => text.trim() === "";

/** While the text cannot be read, what it was before. */
function headingOf(edit: EditState, format: string | undefined): string {
  if (isBlank(edit)) return "Document";
  return format?.includes("Version 0") === true ? "Version 0 document" : "Version 1";
}

function partsOf(edit: EditState): string {
  const { answer, source } = edit;
  if (isBlank(edit)) return "empty";
  if (answer === undefined) return "";
  if (answer.set === undefined && answer.refused === undefined) return "currently invalid";
  const { templates, gens, refs } = answer.parts;
  const kept = source.kept === 0 ? "" : ` · ${formatCount(source.kept)} in the table`;
  return `templates ${formatCount(templates)} · gen ${formatCount(gens)} · refs ${formatCount(refs)}${kept}`;
}

function Tools({ edit, onUndo, onRedo, onFind, onFormat, onTableEdits, onDiscard }: DocumentPanelProps) {
  const tools = [
    ["Undo", "Undo (Ctrl+Z in the editor)", onUndo],
    ["Redo", "Redo (Ctrl+Y in the editor)", onRedo],
    ["Find", "Find in the document (Ctrl+F in the editor)", onFind],
    ["Format", "Format the JSON (Shift+Alt+F in the editor)", onFormat],
    ["Change…", "Override a template, replace a URL prefix, set or remove references", onTableEdits],
  ] as const;
  return (
    <div className={styles.tools} role="group" aria-label="Document tools">
      {tools.map(([text, title, onClick]) => (
        <Button key={text} title={title} onClick={onClick}>
          {text}
        </Button>
      ))}
      <CopyButton text={edit.text} what="document" label />
      <Button
        aria-disabled={!isEdited(edit)}
        title={isEdited(edit) ? "Back to the document as opened" : "Nothing was edited"}
        onClick={() => {
          if (isEdited(edit)) onDiscard();
        }}
      >
        Discard…
      </Button>
    </div>
  );
}

const KEPT = "Edits stay in this browser until you discard them; they are not sent anywhere.";

/** How the edits are kept, in a few words and in full. */
const KEPT_WORDS: Readonly<Record<Exclude<EditState["kept"], "nothing">, readonly [words: string, title: string]>> = {
  kept: ["edited, kept in this browser", KEPT],
  writing: ["edited, being kept…", KEPT],
  failed: [
    "edited, cannot be kept in this browser",
    "This browser cannot save your edits. Export them before you leave.",
  ],
  conflict: [
    "edited, not kept: another window has edits too",
    "Choose below which edits to keep, or export these before you leave.",
  ],
};

function Kept({ edit }: { readonly edit: EditState }) {
  const { kept } = edit;
  if (kept === "nothing" || !isEdited(edit)) return null;
  const [words, title] = KEPT_WORDS[kept];
  return (
    <span className={styles.kept} data-tone={kept === "failed" || kept === "conflict" ? "bad" : "warn"} title={title}>
      {words}
    </span>
  );
}

function Notices({ edit, onTableEdits, onDiscard }: DocumentPanelProps) {
  const actions = useActions();
  const { restored, source, edits } = edit;
  return (
    <>
      <Conflict edit={edit} />
      {edit.kept === "failed" && !isEdited(edit) ? (
        <p className={styles.notice} data-tone="warn">
          The browser’s storage does not respond, so edits are not kept. Export before you leave.
        </p>
      ) : null}
      {restored && isEdited(edit) ? (
        <p className={styles.notice} data-tone="warn">
          Edits from an earlier visit were restored. <LinkButton onClick={onDiscard}>Discard them</LinkButton>
        </p>
      ) : null}
      {source.kind === "reduced" ? (
        <p className={styles.notice}>
          Too large for a text editor: {countOf(source.kept, "reference")} stay in the table.{" "}
          <LinkButton onClick={onTableEdits}>Edit references</LinkButton>
          {edits.length === 0 ? null : (
            <>
              {" · "}
              <LinkButton onClick={actions.undoTableEdit}>
                {edits.length === 1 ? "Undo the last edit" : `Undo the last of ${formatCount(edits.length)} edits`}
              </LinkButton>
            </>
          )}
        </p>
      ) : null}
    </>
  );
}

const TIME = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

/** Another window has kept edits of the same document since this one looked. */
function Conflict({ edit: { theirs } }: { readonly edit: EditState }) {
  const actions = useActions();
  if (theirs === undefined) return null;
  return (
    <p className={styles.notice} data-tone="bad" role="status">
      This document was edited in another window too ({TIME.format(theirs.when)}). Only one state of it can be kept:{" "}
      <LinkButton onClick={() => void actions.keepMine()}>Keep these edits</LinkButton>
      {" · "}
      <LinkButton onClick={actions.takeTheirs}>Use those of the other window</LinkButton>
    </p>
  );
}

/** Below the text, so that no line moves while one types. */
function Refusal({ edit: { answer } }: { readonly edit: EditState }) {
  const message = useMessage(answer?.refused);
  if (answer?.refused === undefined) return null;
  return (
    <p className={styles.notice} data-tone="bad" data-place="below" role="status">
      {message}
    </p>
  );
}
