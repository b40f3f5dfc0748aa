/** All readers, the chosen one first: each with its verdict, why, and from where that is known. */
import {
  answerOfReader,
  basisWords,
  effectTitle,
  OUTCOME_WORDS,
  outcomeOf,
  runWords,
} from "#core/readers/outcome-words.ts";
import { adviceOf, effectWords, outcomeShare, whyWords } from "#core/readers/reader-words.ts";
import { evidenceLink, evidenceWords } from "#core/readers/rule-words.ts";
import { type Evidence, ruleOf } from "#core/readers/rules.ts";
import type { ReaderEffect, ReaderVerdict } from "#core/readers/verdict.ts";
import { useEngine } from "#store/react.tsx";
import { type NunjucksFound, type NunjucksRun, type ReaderChosen, useNunjucks } from "#store/hooks/use-reader.ts";
import { useToggles } from "#widgets/hooks.ts";
import { ErrorNotice, Loading } from "#widgets/notes/Notices.tsx";
import { countOf, formatBytes, formatCount } from "#widgets/number-format.ts";
import { Button, QuietButton } from "#widgets/controls/Button.tsx";
import type { SmallColumn } from "#widgets/small-table/model.ts";
import { SmallTable } from "#widgets/small-table/SmallTable.tsx";
import { AnswerSign, READERS_ID } from "./Questions.tsx";
import styles from "./ReadersTable.module.css";
import type { Check } from "./use-check.ts";

export function ReadersTable({ check }: { readonly check: Check }) {
  const { set, reader: chosen } = check;
  const { last, error, retry, progress } = check.compared.answer;
  const [opened, toggle] = useToggles<string>();
  const nunjucks = useNunjucks(set.id);
  if (error !== undefined) return <ErrorNotice error={error} onRetry={retry} />;
  if (last === undefined) return <Loading label="Comparing readers" progress={progress} />;
  const isChosen = ({ reader }: ReaderVerdict) => reader.id === chosen.reader;
  const rows = last.data.toSorted((one, other) => Number(isChosen(other)) - Number(isChosen(one)));
  return (
    <SmallTable
      labelledBy={READERS_ID}
      className={styles.table}
      columns={readerColumns({ chosen, nunjucks, opened, toggle })}
      rows={rows}
      rowKey={({ reader }) => reader.id}
      look={(verdict) => ({
        "data-reader": verdict.reader.id,
        "data-outcome": outcomeOf(verdict),
        "data-chosen": isChosen(verdict),
      })}
      details={(verdict) =>
        opened.has(verdict.reader.id) ? <ReaderDetails {...{ set, verdict, chosen, nunjucks }} /> : undefined
      }
    />
  );
}

interface ReaderColumnsProps {
  readonly chosen: ReaderChosen;
  readonly nunjucks: NunjucksRun;
  readonly opened: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
}

const readerColumns = (props: ReaderColumnsProps): readonly SmallColumn<ReaderVerdict>[] => [
  {
    id: "reader",
    header: "Reader",
    names: true,
    width: "23%",
    value: ({ reader }) => reader.name,
    cell: ({ reader }) => (
      <>
        <span className={styles.name}>{reader.name}</span>
        {reader.id === props.chosen.reader ? <span className={styles.chosen}>your reader</span> : null}
      </>
    ),
  },
  {
    id: "verdict",
    header: "Verdict",
    width: "20%",
    value: (verdict) => OUTCOME_WORDS[outcomeOf(verdict)],
    cell: (verdict) => <Outcome verdict={verdict} />,
  },
  {
    id: "why",
    header: "Why",
    value: whyWords,
    cell: (verdict) => (
      <p className={styles.why} title={whyWords(verdict)}>
        {whyWords(verdict)}
      </p>
    ),
  },
  {
    id: "basis",
    header: "Known from",
    width: "178px",
    value: (verdict) => `${basisWords(verdict)}, ${verdict.reader.version}, ${verdict.reader.date}`,
    cell: (verdict) => (
      <span className={styles.basis}>
        {basisWords(verdict)}
        <br />
        {verdict.reader.version}, {verdict.reader.date}
        {verdict.reader.id === "zarrita" ? <NunjucksBasis nunjucks={props.nunjucks} /> : null}
      </span>
    ),
  },
  {
    id: "details",
    header: "Details",
    width: "76px",
    unseen: true,
    cell: ({ reader }) => <MoreAbout reader={reader} isOpened={props.opened.has(reader.id)} onToggle={props.toggle} />,
  },
];

interface MoreAboutProps {
  readonly reader: ReaderVerdict["reader"];
  readonly isOpened: boolean;
  readonly onToggle: (id: string) => void;
}

function MoreAbout({ reader, isOpened, onToggle }: MoreAboutProps) {
  return (
    <QuietButton
      aria-expanded={isOpened}
      aria-label={`${isOpened ? "Less" : "More"} about ${reader.name}`}
      onClick={() => onToggle(reader.id)}
    >
      {isOpened ? "Less" : "More"}
    </QuietButton>
  );
}

function Outcome({ verdict }: { readonly verdict: ReaderVerdict }) {
  const outcome = outcomeOf(verdict);
  const share = outcomeShare(verdict);
  return (
    <>
      <span className={`flex gap-6 strong ${styles.outcome}`} data-outcome={outcome}>
        <AnswerSign answer={answerOfReader(verdict)} />
        {OUTCOME_WORDS[outcome]}
      </span>
      {share === "" ? null : <span className={styles.share}>{share}</span>}
    </>
  );
}

function NunjucksBasis({ nunjucks: { begun } }: Pick<ReaderColumnsProps, "nunjucks">) {
  const found = begun?.found;
  if (found === undefined || found.summary.outcome.kind === "unknown") return null;
  return (
    <>
      <br />
      nunjucks run on {countOf(found.keys, "key")}
    </>
  );
}

// A reader in full: every effect with what it concerns and its evidence, and what can be run.

interface ReaderDetailsProps extends Pick<ReaderColumnsProps, "chosen" | "nunjucks"> {
  readonly set: Check["set"];
  readonly verdict: ReaderVerdict;
}

function ReaderDetails({ set, verdict, chosen, nunjucks }: ReaderDetailsProps) {
  const { reader, effects, run } = verdict;
  const isZarrita = reader.id === "zarrita";
  return (
    <div className={styles.details}>
      <ul className="grid gap-10" aria-label={`What ${reader.name} does`}>
        {effects.map((effect) => (
          <EffectItem key={`${effect.rule} ${effect.use.first ?? ""}`} reader={reader.id} effect={effect} />
        ))}
        {effects.length === 0 ? <li>Refscope has no rules for {reader.name} and sets of this format.</li> : null}
        {run === undefined ? null : <li data-run="true">{runWords(reader.name, run).trim()}</li>}
      </ul>
      {isZarrita ? <ZarritaSamplePart set={set.id} chosen={chosen} /> : null}
      {isZarrita && set.rendered === true ? <NunjucksPart set={set} nunjucks={nunjucks} /> : null}
      {reader.id === chosen.reader ? null : <Button onClick={() => chosen.choose(reader.id)}>This is my reader</Button>}
    </div>
  );
}

function EffectItem({ reader, effect }: { readonly reader: string; readonly effect: ReaderEffect }) {
  const advice = effect.effect === "reads" ? undefined : adviceOf(effect);
  return (
    <li data-rule={effect.rule}>
      <p>
        {effect.effect === "reads" ? null : <b>{effectTitle(effect)}. </b>}
        {effectWords(reader, effect)}
      </p>
      {advice === undefined ? null : <p className={styles.quiet}>What to do: {advice}</p>}
      <p className={styles.quiet}>
        By a rule. Evidence:{" "}
        {(ruleOf(effect.rule)?.evidence ?? []).map((evidence, at) => (
          <span key={evidenceWords(evidence)}>
            {at === 0 ? "" : "; "}
            <EvidenceLink evidence={evidence} />
          </span>
        ))}
      </p>
    </li>
  );
}

function EvidenceLink({ evidence }: { readonly evidence: Evidence }) {
  const link = evidenceLink(evidence);
  const words = evidenceWords(evidence);
  if (link === undefined) return words;
  return (
    <a href={link} target="_blank" rel="noreferrer">
      {words}
    </a>
  );
}

/** zarrita on a sample of chunks, its cost said first. */
function ZarritaSamplePart({ set, chosen }: { readonly set: number; readonly chosen: ReaderChosen }) {
  const cost = useEngine("check.readerCost", { set }).last?.data;
  const { sample, runSample, cancelSample } = chosen;
  if (cost === undefined) {
    return (
      <p className={styles.quiet}>
        Cannot run zarrita on this dataset: it reads only Kerchunk JSON and Zarr stores. The verdict above comes from
        rules.
      </p>
    );
  }
  if (cost.chunks === 0) return <p className={styles.quiet}>There is no chunk to run zarrita on.</p>;
  if (sample?.running === true)
    return <Loading label="Comparing with zarrita" progress={sample.progress} onCancel={cancelSample} />;
  return (
    <div className="grid leading gap-6">
      {sample?.error === undefined ? null : <ErrorNotice error={sample.error} />}
      <p className={styles.quiet}>
        Run zarrita itself: it reads chunks in a separate worker, and Refscope compares the values one by one.
      </p>
      <Button title="Both readers fetch the chunks, so bytes count twice" onClick={runSample}>
        Run zarrita on {cost.chunks >= cost.of ? "all " : ""}
        {countOf(cost.chunks, "chunk")}
        {cost.chunks >= cost.of ? "" : ` of ${formatCount(cost.of)}`} · {formatBytes(cost.bytes)}
      </Button>
    </div>
  );
}

/** reference-spec-reader with nunjucks, run in its sandbox when asked for. */
function NunjucksPart({ set: { references }, nunjucks }: Pick<ReaderDetailsProps, "set" | "nunjucks">) {
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
    <div className="grid leading gap-6">
      <p className={styles.quiet}>
        Pages that follow the README of reference-spec-reader, zarrita’s parser, have nunjucks render the templates. It
        can be run here, locked up in a sandbox, for at most ten seconds; no chunk is read.
      </p>
      <Button onClick={run}>
        Run nunjucks on {references === 1 ? "1 reference" : `all ${countOf(references, "reference")}`}
      </Button>
    </div>
  );
}

// Result of running nunjucks, in words.

export function nunjucksWords({ summary: { outcome, first }, keys }: NunjucksFound): string {
  switch (outcome.kind) {
    case "same":
      return `It ran on ${countOf(keys, "key")}: all match Jinja2’s rendering.`;
    case "refuses":
      return `It ran, and failed on the whole dataset: “${outcome.error}”.`;
    case "unknown":
      return `Not compared. ${outcome.reason}`;
    case "differs": {
      const { lost, other, extra } = outcome;
      const parts = [
        ...(lost > 0 ? [`${countOf(lost, "key")} ${lost === 1 ? "is" : "are"} lost`] : []),
        ...(other > 0 ? [`${countOf(other, "key")} ${other === 1 ? "has" : "have"} a different value`] : []),
        ...(extra > 0 ? [countOf(extra, "extra key")] : []),
      ];
      const example = first === undefined ? "" : `, the first “${first}”`;
      return `It ran on ${countOf(keys, "key")}: ${parts.join(", ")}${example}.`;
    }
  }
}
