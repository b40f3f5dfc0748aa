/**
 * The head of the view Check: the verdict in a sentence, the report, further checks with their cost, and the coverage.
 */
import { useState } from "react";
import { isRefused, remediesFor } from "#core/access/finding-remedies.ts";
import type { Remedy } from "#core/access/server-remedies.ts";
import type { Acceptance } from "#core/check/acceptance.ts";
import { outgrownOf } from "#core/check/accepted.ts";
import type { ValuesCost } from "#core/check/check.ts";
import { lossWords } from "#core/check/loss-words.ts";
import { CONFIDENCE } from "#core/check/sample-size.ts";
import { type PastVerdict, worstAnswer } from "#core/check/verdict-history.ts";
import { ANSWER_WORDS, headlineOf, QUESTION_WORDS } from "#core/check/verdict-words.ts";
import type { SaidFinding } from "#core/findings/explained.ts";
import type { Finding } from "#core/findings/finding.ts";
import { markdownReport } from "#core/report/markdown.ts";
import { readerReport } from "#core/report/readers.ts";
import { type CheckReport, type KnownBeside, reportOf } from "#core/report/report.ts";
import { sarifReport } from "#core/report/sarif.ts";
import { VERSION } from "#core/version.ts";
import { listed, percentExactly } from "#core/words.ts";
import { useAppState, useEngine } from "#store/react.tsx";
import { Button, CopyButton } from "#widgets/controls/Button.tsx";
import { download } from "#widgets/controls/hand-out.ts";
import { Popover } from "#widgets/controls/Popover.tsx";
import { ErrorNotice, Loading } from "#widgets/notes/Notices.tsx";
import { countOf, formatBytes, formatCount } from "#widgets/number-format.ts";
import { type DoubtfulArray, doubtfulArray } from "./Causes.tsx";
import styles from "./CheckHead.module.css";
import detailsStyles from "./FindingDetails.module.css";
import { decodeText } from "./Questions.tsx";
import type { Check } from "./use-check.ts";

interface CheckProps {
  readonly check: Check;
}

export function CheckHead({ check }: CheckProps) {
  const { nodes, findings, judged } = check;
  return (
    <header className={styles.head}>
      <div className={`grow narrow ${styles.subject}`}>
        <h2>{headlineOf(judged)}</h2>
        <p>
          {lossWords(findings, (path) => nodes.get(path))} {glanceWords(check)}
        </p>
        <Restored />
      </div>
      <div className={styles.side}>
        <div className={styles.buttons}>
          <ReportMenu check={check} />
          <CheckButtons check={check} />
        </div>
        <CoverageBars check={check} />
      </div>
    </header>
  );
}

/** Words for what was checked unasked, and its cost. */
function glanceWords({ runs: { glance }, pictures: { pictures, bytes: pictured } }: Check): string {
  if (glance?.running === true) return "Spot check…";
  const { requests = 0, targets = 0, chunks = 0, bytes = 0 } = glance?.found ?? {};
  const parts = [
    ...(requests > 0 ? [`references in ${countOf(requests, "request")}`] : []),
    ...(targets > 0 ? [countOf(targets, "source")] : []),
    ...(chunks > 0 ? [`a spot check of ${countOf(chunks, "chunk")} (${formatBytes(bytes)})`] : []),
  ];
  const taken = pictured === 0 ? [] : [`${countOf(pictures, "picture")} took ${formatBytes(pictured)}.`];
  return [...(parts.length === 0 ? [] : [`Checked automatically: ${listed(parts)}.`]), ...taken].join(" ");
}

/** Notice that files of an earlier visit count in the results above. */
function Restored() {
  const { restored, expectation, accepted } = useAppState(({ owner }) => owner);
  if (!restored) return null;
  const parts = [
    ...(expectation === undefined ? [] : [`the expectations ${expectation.name}`]),
    ...(accepted.length === 0 ? [] : [`${countOf(accepted.length, "problem")} accepted`]),
  ];
  return <p className={styles.quiet}>Remembered from an earlier visit: {parts.join(", and ")}.</p>;
}

/** The report, to take along: for an issue, for another tool; and what earlier checks said. */
function ReportMenu({ check }: CheckProps) {
  const [isPast, setPast] = useState(false);
  const { set, findings, judged } = check;
  const isRefusing = findings.some(({ found }) => isRefused(found));
  const access = useEngine("sources.access", isRefusing ? { set: set.id } : undefined).data;
  const report = () => setReport(check, (found) => remediesFor(found, location.origin, access));
  const name = set.url ?? set.name;
  const save = (text: string, ending: string) =>
    download(new Blob([text], { type: "application/json" }), `${set.name.replaceAll(/[^\w.-]+/g, "_")}.${ending}`);
  return (
    <Popover label="Report" title="Report" align="end">
      <div className={detailsStyles.choices}>
        <CopyButton what="as Markdown" label text={() => markdownReport(name, headlineOf(judged), report())} />
        <Button onClick={() => save(reportText(report()), "check.json")}>Save as JSON</Button>
        <Button onClick={() => save(reportText(sarifReport([{ name, report: report() }], VERSION)), "sarif")}>
          Save as SARIF
        </Button>
        <Button aria-expanded={isPast} onClick={() => setPast(!isPast)}>
          History
        </Button>
      </div>
      {isPast ? <Past set={set.id} /> : null}
    </Popover>
  );
}

const reportText = (value: object): string =>
  `${JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one), 1)}\n`;

/** `remediesOf`: remedies offered beside a finding. */
export function setReport(
  { verdict, checked, findings, nodes, aside, compared }: ReportedCheck,
  remediesOf: (found: Finding) => readonly Remedy[],
): CheckReport {
  const outgrown: ReadonlyMap<SaidFinding, Acceptance> | undefined = aside?.outgrown;
  const beside = (one: SaidFinding): KnownBeside => {
    const acceptance = outgrown?.get(one);
    const remedies = remediesOf(one.found);
    return {
      ...(remedies.length === 0 ? {} : { remedies }),
      ...(acceptance === undefined ? {} : { outgrown: outgrownOf(acceptance) }),
    };
  };
  const accepted = (aside?.accepted ?? []).map(({ found, acceptance: { reason, date } }) => ({
    ...found,
    reason,
    date,
  }));
  const report = { verdict, checked, accepted, readers: compared.verdicts.map(readerReport) };
  return reportOf(report, findings, (array) => nodes.get(array)?.keys, {
    beside,
    sizesOf: (array) => nodes.get(array),
  });
}

type ReportedCheck = Pick<Check, "verdict" | "checked" | "findings" | "nodes" | "aside"> & {
  readonly compared: Pick<Check["compared"], "verdicts">;
};

/** Changes that are listed, the latest first. */
const MAX_CHECKS = 12;

/** History of the set's checks in CI: when it broke, and which source. Read when it is opened. */
function Past({ set }: { readonly set: number }) {
  const { data: past, error } = useEngine("check.history", { set });
  if (error !== undefined) return <ErrorNotice error={error} />;
  if (past === undefined) return <Loading label="Reading verdicts.json" />;
  const [first, last] = [past[0], past.at(-1)];
  if (first === undefined || last === undefined) return <p>verdicts.json has no checks of this dataset.</p>;
  const days = `${dayOf(first)} to ${dayOf(last)}`;
  return (
    <div className={styles.history}>
      <p>
        {countOf(past.length, "check")}, {days}
      </p>
      <div className={styles.strip} role="img" aria-label={`The worst answer of each check, ${days}`}>
        {past.map((one) => (
          <i key={one.date} data-answer={worstAnswer(one)} title={`${dayOf(one)}: ${ANSWER_WORDS[worstAnswer(one)]}`} />
        ))}
      </div>
      <ol aria-label="Changes">
        {past
          .filter((one, at) => at > 0 && one.changed.length > 0)
          .toReversed()
          .slice(0, MAX_CHECKS)
          .map((one) => (
            <li key={one.date}>
              <time className="quiet">{dayOf(one)}</time> {changeWords(one)}
            </li>
          ))}
      </ol>
    </div>
  );
}

const dayOf = ({ date }: PastVerdict): string => date.slice(0, 10);

function changeWords({ changed, answers, problems, firstTarget }: PastVerdict): string {
  const words = changed.map((one) => `${QUESTION_WORDS[one]} ${ANSWER_WORDS[answers.get(one) ?? "not-checked"]}.`);
  const source = firstTarget === undefined ? "" : `, the first in ${firstTarget}`;
  return `${words.join(" ")} ${problems === 0 ? "No problem" : `${countOf(problems, "problem")}${source}`}.`;
}

/** Number of chunks below which all are read. */
const LEAST_CHUNKS = 60;

/** Further checks, each with its cost: an array, a sample, all. */
function CheckButtons({ check }: CheckProps) {
  const { set, costs, runs, checked, findings, nodes, tally } = check;
  if (runs.sources?.running === true || runs.values?.running === true)
    return <Button onClick={runs.cancel}>Stop</Button>;
  const { of, decoded, failed, unbuilt = 0 } = checked.chunks;
  const { unknown } = set.states;
  const undecoded = Math.max(0, of - decoded - failed - unbuilt) + unknown;
  const array = doubtfulArray(findings, nodes, tally, check.array);
  const isFew = of + unknown < LEAST_CHUNKS || undecoded === 0;
  return (
    <>
      {array === undefined && isFew ? null : (
        <Popover label="Check a sample" title="Check a sample" align="end">
          <div className={styles.samples}>
            {array === undefined ? null : <CheckArray check={check} {...array} />}
            {isFew ? null : <Samples check={check} />}
          </div>
        </Popover>
      )}
      <Button
        data-kind="primary"
        title="Checks every source and decodes every chunk"
        onClick={() => {
          runs.askTargets();
          runs.decode();
        }}
      >
        Check {costs === undefined ? "all" : decodeText(costs, costs.sources.bytes)}
      </Button>
    </>
  );
}

/** Number of references above which the cost is computed only on request. */
const MOST_WEIGHED = 500_000;

function CheckArray({ check: { set, runs }, array, references }: CheckProps & DoubtfulArray) {
  const isWeighed = references <= MOST_WEIGHED;
  const cost = useEngine("check.arrayCost", isWeighed ? { set: set.id, array } : undefined).data;
  const size = cost === undefined ? (isWeighed ? "" : ` · ${countOf(references, "chunk")}`) : ` · ${sizeText(cost)}`;
  const detail = cost === undefined ? "" : `: ${countOf(cost.chunks, "chunk")} in ${countOf(cost.requests, "request")}`;
  return (
    <Button
      title={`Reads and decodes every chunk of ${arrayName(array)}${detail}`}
      onClick={() => runs.decode({ array })}
    >
      Check {arrayName(array)}
      {size}
    </Button>
  );
}

const arrayName = (array: string): string => (array === "" ? "/" : array);

/** Bytes, as far as references say how many. */
function sizeText({ bytes, ofUnknownLength }: ValuesCost): string {
  if (ofUnknownLength === 0) return formatBytes(bytes);
  const unknown = `${countOf(ofUnknownLength, "chunk")} of unknown size`;
  return bytes === 0 ? unknown : `${formatBytes(bytes)} and ${unknown}`;
}

function Samples({ check: { set, runs } }: CheckProps) {
  const { data: samples, progress, cancel } = useEngine("check.samples", { set: set.id });
  if (samples === undefined) return <Loading label="Choosing samples" progress={progress} onCancel={cancel} />;
  if (samples.length === 0)
    return <p className={styles.none}>A useful sample would take every chunk: the arrays have too few.</p>;
  return (
    <>
      <p>Spread evenly over arrays and files; chunks of doubtful length come first.</p>
      {samples.map(({ share, ...cost }) => (
        <div key={share} className="grid leading gap-4">
          <Button onClick={() => runs.decode({ share })}>
            Check a sample of {countOf(cost.chunks, "chunk")} · {cost.isAbout === true ? "about " : ""}
            {sizeText(cost)}
          </Button>
          <p>
            Finds a problem that affects {percentExactly(share)} of an array’s chunks with {percentExactly(CONFIDENCE)}{" "}
            confidence.
          </p>
        </div>
      ))}
    </>
  );
}

/** Coverage of the check: what was looked at, decoded and asked, each with its whole. */
function CoverageBars({ check: { checked, set } }: CheckProps) {
  const { chunks, targets, reader, unread: lost = 0, isUnchecked } = checked;
  const { references, states } = set;
  const unknown = states.unknown + lost;
  const run = reader?.run;
  return (
    <ul className={styles.bars} aria-label="Coverage of the check">
      <Bar what="checked" done={isUnchecked ? 0 : references} of={references + unknown} unit="reference" />
      <Bar what="decoded" done={Math.min(chunks.of, chunks.decoded)} of={chunks.of + unknown} unit="chunk" />
      <Bar what="checked" done={targets.asked} of={targets.of} unit="source" />
      {reader === undefined || run === undefined || run.compared === 0 ? null : (
        <Bar what={`read by ${reader.name}`} done={run.compared} of={run.of} unit="chunk" />
      )}
    </ul>
  );
}

interface BarProps {
  readonly what: string;
  readonly done: number;
  readonly of: number;
  readonly unit: string;
}

/** Nothing where there is nothing to look at. */
function Bar({ what, done, of, unit }: BarProps) {
  if (of === 0) return null;
  const share = done / of;
  return (
    <li>
      <span className={styles.track} aria-hidden="true">
        <span style={{ width: `${100 * share}%` }} />
      </span>
      {what}{" "}
      <b>
        {formatCount(done)} of {formatCount(of)}
      </b>{" "}
      {countOf(of, unit).replace(/^\S+ /, "")}
    </li>
  );
}
