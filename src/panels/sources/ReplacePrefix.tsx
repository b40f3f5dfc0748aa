/** Replaces a prefix of URLs: shows the effect first, then applies it as an edit that can be undone. */
import { Fragment, useId, useState } from "react";
import type { SetSummary } from "#core/open-set.ts";
import type { PrefixClash, PrefixPreview } from "#core/studio.ts";
import { canUndoApplied } from "#store/apply-edits.ts";
import { useActions, useApp, useAppState, useSend } from "#store/react.tsx";
import { useApplyEdits } from "#store/hooks/use-apply-edits.ts";
import { useTask } from "#store/hooks/use-task.ts";
import { ErrorNotice } from "#widgets/notes/Notices.tsx";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { Button, Form, LinkButton, TextField } from "#widgets/controls/Button.tsx";
import type { SmallColumn } from "#widgets/small-table/model.ts";
import { SmallTable } from "#widgets/small-table/SmallTable.tsx";
import styles from "./ReplacePrefix.module.css";

export interface ReplacePrefixProps {
  readonly set: SetSummary;
  /** Prefix to begin with. */
  readonly prefix: string;
}

export function ReplacePrefix({ set, prefix }: ReplacePrefixProps) {
  return set.isDocument ? <Replace key={prefix} set={set} prefix={prefix} /> : <NotHere set={set} prefix={prefix} />;
}

/** Shown if the references are not in a single document. */
function NotHere({ set, prefix }: ReplacePrefixProps) {
  const send = useSend();
  return (
    <div className={styles.part}>
      <p>
        Only a set that is one Kerchunk JSON document is edited here; this one is {set.format}. On this page, targets
        can be read from elsewhere: a rewrite rule in Locations takes one prefix for another and leaves the references
        as they are.
      </p>
      <Button onClick={() => send({ kind: "show-locations", prefix: prefix === "" ? undefined : prefix })}>
        Locations…
      </Button>
    </div>
  );
}

function Replace({ set, prefix }: ReplacePrefixProps) {
  const id = useId();
  const [draft, setDraft] = useState<PrefixDraft>({ from: prefix, to: prefix });
  const preview = usePrefixPreview(set, draft);
  const problem = problemOf(draft);
  return (
    <div className={styles.part}>
      <Form
        className={styles.form}
        onSubmit={() => {
          if (problem === undefined) preview.begin();
        }}
      >
        {(["from", "to"] as const).map((side) => (
          <Fragment key={side}>
            <label htmlFor={`${id}-${side}`}>{side === "from" ? "Replace" : "with"}</label>
            <TextField
              id={`${id}-${side}`}
              value={draft[side]}
              onChange={({ target }) => setDraft({ ...draft, [side]: target.value })}
            />
          </Fragment>
        ))}
        <span className={styles.buttons}>
          <button type="submit" disabled={problem !== undefined || preview.isRunning} title={problem}>
            Preview
          </button>
          {preview.isRunning ? <Button onClick={preview.cancel}>Cancel</Button> : null}
          <Button
            data-kind="primary"
            disabled={preview.found === undefined || preview.found.references === 0}
            title={preview.found === undefined ? "Preview before applying." : undefined}
            onClick={preview.apply}
          >
            Apply
          </Button>
        </span>
      </Form>
      <p className="quiet fine">{set.rendered === true ? OF_RENDERED : OF_PLAIN}</p>
      {preview.error === undefined ? null : <ErrorNotice error={preview.error} />}
      {preview.found === undefined ? null : <PrefixPreviewPart found={preview.found} />}
      <Applied />
    </div>
  );
}

const OF_PLAIN = "Replaces this prefix in every matching URL. Preview shows the effect without changing anything.";
const OF_RENDERED =
  "Replaces what URLs begin with as they are written, {{…}} included: in references, templates and gens. The URLs in the list are rendered.";

function problemOf({ from, to }: PrefixDraft): string | undefined {
  if (from === "") return "Type what the URLs begin with now.";
  return from === to ? "Enter a different prefix." : undefined;
}

/** The last applied replacement, and its undo. */
function Applied() {
  const actions = useActions();
  const edit = useAppState((state) => state.edit);
  const said = edit?.applied?.label;
  return (
    <p role="status" className={styles.applied}>
      {edit === undefined || said === undefined ? null : (
        <>
          <span>
            {edit.rendering ? "Applying" : "Applied"}: {said}.
          </span>
          {canUndoApplied(edit) ? <Button onClick={actions.undoApplied}>Undo</Button> : null}
          <LinkButton onClick={() => actions.showView("edit")}>Show in Edit</LinkButton>
        </>
      )}
    </p>
  );
}

// Seeing what a replaced prefix would do, and doing it.

interface PrefixDraft {
  readonly from: string;
  readonly to: string;
}

function usePrefixPreview(set: SetSummary, { from, to }: PrefixDraft) {
  const { engine, store } = useApp();
  const applying = useApplyEdits();
  const subject = JSON.stringify([set.id, from, to]);
  const task = useTask<PrefixPreview>("prefix-preview", "Rendering with another prefix", subject);
  const { begun } = task;
  const begin = () => {
    applying.forgetError();
    task.begin(async (options) => {
      const { edit, maxGenerated: most } = store.getState();
      const base = edit?.base.id ?? set.id;
      const text = edit?.text ?? (await engine.call("edit.source", { set: base }, options)).text;
      const request = { set: base, shown: set.id, text, edits: edit?.edits ?? [], most, from, to };
      return engine.call("edit.previewPrefix", request, options);
    });
  };
  const apply = () => {
    const label = `Replace the prefix ${from} with ${to === "" ? "nothing" : to}`;
    applying.apply([{ kind: "replace-prefix", from, to }], { label, array: "", chunks: [] });
  };
  return {
    isRunning: begun?.running === true,
    /** The preview of the current draft. */
    found: begun?.running === false ? begun.found : undefined,
    error: applying.error ?? begun?.error,
    begin,
    cancel: task.cancel,
    apply,
  };
}

// Effect of replacing a prefix, before it is done.

type Example = PrefixPreview["examples"][number];

const urlColumn = (id: "before" | "after", header: string): SmallColumn<Example> => ({
  id,
  header,
  room: "rest",
  value: (example) => example[id],
  cell: ({ [id]: url }) => (
    <code title={url}>
      <bdi dir="ltr">{url}</bdi>
    </code>
  ),
});

const EXAMPLE_COLUMNS: readonly SmallColumn<Example>[] = [
  urlColumn("before", "Before"),
  urlColumn("after", "After"),
  { id: "references", header: "References", numeric: true, value: ({ references }) => references },
];

function PrefixPreviewPart({ found }: { readonly found: PrefixPreview }) {
  const { targets, ofTargets, references, examples, merged, respelled } = found;
  if (references === 0) return <p role="status">No URL begins with it as written, so nothing would change.</p>;
  return (
    <section aria-label="Preview" className="grid gap-6 full">
      <p role="status">
        <b>
          {formatCount(targets)} of {countOf(ofTargets, "source")}
        </b>{" "}
        and <b>{countOf(references, "reference")}</b> would change.
      </p>
      <Clash
        clash={merged}
        words={(count) => `${countOf(count, "source")} would get the URL of another one: two files would become one.`}
      />
      <Clash
        clash={respelled}
        words={(count) =>
          `${countOf(count, "source")} would get a different spelling of a URL that stays: one file would become two.`
        }
      />
      <SmallTable columns={EXAMPLE_COLUMNS} rows={examples} />
      {targets > examples.length ? (
        <p className="quiet fine">and {countOf(targets - examples.length, "more source")}</p>
      ) : null}
    </section>
  );
}

function Clash({ clash, words }: { readonly clash: PrefixClash; readonly words: (count: number) => string }) {
  const [first] = clash.examples;
  if (first === undefined) return null;
  return (
    <p className={styles.clash}>
      <span aria-hidden="true">◐</span> {words(clash.targets)} The first is <code>{first.after}</code>
      {first.after === first.there ? (
        "."
      ) : (
        <>
          , beside <code>{first.there}</code>.
        </>
      )}
    </p>
  );
}
