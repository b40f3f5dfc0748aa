import { type ReactNode, useEffect, useRef } from "react";
import type { Trial } from "#core/check/lab.ts";
import { evidenceLines } from "#core/repair.ts";
import type { CheckedChunk, ChunkVerdict, ReadAgain, ReadOutcome, RepairCheck } from "#core/repair-offer.ts";
import { ErrorNotice, Loading, useExplain } from "#widgets/notes/Notices.tsx";
import { JsonChanges } from "#widgets/JsonChanges.tsx";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { Button, QuietButton } from "#widgets/controls/Button.tsx";
import styles from "./RepairButtons.module.css";
import shared from "./TrialPanel.module.css";
import { type KnownRepair, type Repair, scopeProblem } from "./use-repair.ts";
import { byKind } from "#core/basics.ts";
import type { Explain } from "#core/findings/explained.ts";

/** The fix that is known, in one click. */
export function ApplyKnown({ known, text }: { readonly known: KnownRepair | undefined; readonly text?: string }) {
  if (known === undefined) return null;
  const { offer, title, isChoice, applying, apply } = known;
  const why = [title, ...evidenceLines(offer)].join(". ");
  return (
    <Button
      {...(isChoice ? {} : { "data-kind": "primary" })}
      disabled={applying}
      title={`${why}. It is applied as an edit of the document, and can be undone.`}
      onClick={({ currentTarget }) => {
        // The button goes with what it mends; the focus stays with the chunk.
        currentTarget.closest<HTMLElement>('section[tabindex="-1"]')?.focus();
        apply();
      }}
    >
      {text ?? title}
    </Button>
  );
}

interface RepairButtonsProps {
  readonly repair: Repair;
  /** `undefined` where there is nothing to apply. */
  readonly trial: Trial | undefined;
  /** Effect in words. */
  readonly label: string;
  /** After the first. */
  readonly children?: ReactNode;
}

/** Makes a trial last, as an edit of the document. */
export function RepairButtons({ repair, trial, label, children }: RepairButtonsProps) {
  return (
    <>
      <div className={shared.repair}>
        {scopesOf(trial).map((scope, at) => {
          const problem = repair.refused ?? scopeProblem(trial, scope);
          const button = (
            <Button
              key={scope}
              {...(at === 0 && problem === undefined ? { "data-kind": "primary" } : {})}

              aria-disabled={problem !== undefined || repair.applying}
              title={problem ?? MEANING[scope]}
              onClick={() => {
                if (trial !== undefined && problem === undefined) repair.apply(trial, scope, label);
              }}
            >
              {BUTTONS[scope]}
            </Button>
          );
          return at === 0 ? [button, children] : button;
        })}
      </div>
      {repair.refused === undefined ? null : <p className={shared.quiet}>{repair.refused}</p>}
    </>
  );
}

const BUTTONS = { array: "Apply to the array…", chunk: "Apply to this chunk" } as const;

/** A range is mostly wrong in one reference; codecs and byte order are the array's alone. */
function scopesOf(trial: Trial | undefined): readonly ("array" | "chunk")[] {
  const isRange = trial?.shift !== undefined || trial?.lengthen !== undefined;
  return isRange ? ["chunk", "array"] : ["array"];
}

const MEANING = {
  array: "Tests it on a sample of the array's chunks, then shows what would change",
  chunk: "For the reference of this chunk alone, as an edit of the document that can be undone and exported",
} as const;

/** Result of the last trial: its effect on other chunks, or the reason why it could not be applied. */
export function RepairOutcome({ repair }: { readonly repair: Repair }) {
  return (
    <>
      <RepairCheckPart repair={repair} />
      {repair.error === undefined ? null : <ErrorNotice error={repair.error} />}
    </>
  );
}

/** A repair for the array: what it does to a sample of its chunks, what applying it changes, and then the button. */
function RepairCheckPart({ repair }: { readonly repair: Repair }) {
  const { known, cancel, dismiss } = repair.check;
  const part = useRef<HTMLElement>(null);
  const found = known?.found;
  useEffect(() => {
    if (found !== undefined) part.current?.scrollIntoView({ block: "nearest" });
  }, [found]);
  if (known === undefined) return null;
  if (known.running) return <Loading label="Testing it on other chunks" progress={known.progress} onCancel={cancel} />;
  if (known.error !== undefined) return <ErrorNotice error={known.error} onDismiss={dismiss} />;
  if (found === undefined) return null;
  return (
    <section
      ref={part}
      className={styles.part}
      aria-label="Fix for the array"
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
      <div className="small-buttons">
        {found.refused === undefined ? (
          <Button data-kind="primary" aria-disabled={repair.applying} onClick={repair.applyChecked}>
            Apply to all {countOf(found.of, "chunk")}
          </Button>
        ) : null}
        <QuietButton onClick={dismiss}>{found.refused === undefined ? "Do not apply" : "Dismiss"}</QuietButton>
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
    <div className="stack gap-4">
      <p className="faint">Changes:</p>
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

/** Words for the trial of a repair on a sample of chunks. */
const WORDS: readonly (readonly [ChunkVerdict, string])[] = [
  ["better", "better"],
  ["worse", "worse"],
  ["undecided", "with different values, undecided"],
  ["same", "the same"],
  ["failing", "still failing"],
  ["unread", "not read"],
];

/** "1 better, 53 worse". */
export function verdictWords({ chunks }: RepairCheck): string {
  return WORDS.flatMap(([verdict, words]) => {
    const count = chunks.filter((one) => one.verdict === verdict).length;
    return count === 0 ? [] : [`${formatCount(count)} ${words}`];
  }).join(", ");
}

/** "Tried on 54 of 54 chunks"; why on no more where it was ended. */
export function sampleWords({ chunks, of, stopped }: RepairCheck): string {
  const tried = `Tested on ${formatCount(chunks.length)} of ${countOf(of, "chunk")}`;
  if (stopped === undefined) return tried;
  return `${tried}, up to the limit of ${stopped === "bytes" ? "64 MiB" : "20 seconds"} was reached`;
}

export function againWords({ read, wrong }: ReadAgain): string {
  if (wrong.length === 0)
    return `Read again: ${read === 1 ? "the chunk decodes" : `all ${formatCount(read)} chunks of the sample give the values that were tried`}.`;
  return `Read again: ${formatCount(wrong.length)} of ${countOf(read, "chunk")} do not read as expected.`;
}

/** Why a repair is not offered for the whole array. */
export function refusedWords({ chunks, refused }: RepairCheck): string {
  const count = (verdict: ChunkVerdict) => chunks.filter((one) => one.verdict === verdict).length;
  const better = formatCount(count("better"));
  if (refused === "worse") return `Not offered for the array: ${better} better, ${formatCount(count("worse"))} worse.`;
  if (refused === "none-better") return "Not offered for the array: no chunk of the sample reads better this way.";
  return `Not offered for the array: ${better} better, and ${formatCount(count("undecided"))} with different values that may be wrong. If you know they are right, make the change in Edit.`;
}

/** "reads, 271.2 to 303.9"; or what stopped it. */
export function outcomeWords(outcome: ReadOutcome, explain: Explain | undefined): string {
  return byKind(outcome, {
    failed: ({ error }) => `fails: ${explain?.(error).message.replace(/\.$/, "") ?? error.code}`,
    missing: "has no reference",
    "no-values": "gives no values",
    reads: ({ range }) => (range === undefined ? "reads" : `reads, ${range.join(" to ")}`),
  });
}

/** The same of a chunk that was read again and is not as foreseen. */
export function wrongWords(outcome: ReadOutcome, explain: Explain | undefined): string {
  const words = outcomeWords(outcome, explain);
  return outcome.kind === "reads" ? `${words}: different values from when it was tested` : words;
}
