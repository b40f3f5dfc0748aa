/** Whether the set is right: the verdict, five answers, and the causes, most data affected first. */
import { useMemo, useState, type ReactNode } from "react";
import type { CheckCosts, CheckedChunks } from "../../core/check.ts";
import { lossWords } from "../../core/verdict-words.ts";
import type { SetSummary } from "../../core/open-set.ts";
import { useAppState, useEngine } from "../../store/react.tsx";
import { useReader, type ReaderChosen } from "../../store/use-reader.ts";
import { useExpectation } from "../../store/use-expectation.ts";
import { useCheckRuns, type CheckRuns } from "../../store/use-check-runs.ts";
import { countOf, formatBytes } from "../../widgets/number-format.ts";
import { Loading } from "../../widgets/Loading.tsx";
import { AppliedRepair } from "./AppliedRepair.tsx";
import { Causes } from "./Causes.tsx";
import { CheckActions } from "./CheckActions.tsx";
import { CoverageBars } from "./CoverageBars.tsx";
import { byWeight } from "./cause-order.ts";
import { doubtfulArray } from "./doubtful-array.ts";
import { ExpectationSection } from "./ExpectationSection.tsx";
import { nextSteps } from "./NextSteps.tsx";
import { Readers, READERS_ID } from "./Readers.tsx";
import { ReportMenu } from "./ReportMenu.tsx";
import { Questions } from "./Questions.tsx";
import { SetAsideList } from "./SetAsideList.tsx";
import { useComparedReaders } from "./use-compared-readers.ts";
import { useFindings } from "./use-findings.ts";
import { useCausePictures, type PicturesTaken } from "./use-cause-pictures.ts";
import { saidOf, useVerdict } from "./use-verdict.ts";
import { ValuesSection } from "./values/ValuesSection.tsx";
import styles from "./CheckPanel.module.css";

/** Chunks that could be decoded, and were not. */
const unread = ({ of, decoded, failed, unbuilt = 0 }: CheckedChunks): number =>
  Math.max(0, of - decoded - failed - unbuilt);

export function CheckPanel() {
  const set = useAppState((state) => state.set);
  return set === undefined ? null : <Check key={set.id} set={set} />;
}

function Check({ set }: { readonly set: SetSummary }) {
  const { findings, ...found } = useWhatIsKnown(set);
  const { nodes, aside, ordered, known, runs, reader, costs, arrays, pictures, expectation, compared } = found;
  const [array, setArray] = useState<string>();
  const [isExpecting, setExpecting] = useState(false);
  if (findings === undefined || known === undefined) return <Loading label="Looking at the references" />;
  const { verdict, headline, checked, isUnchecked } = known;
  const reported = { known, nodes, findings: ordered, outgrown: aside?.outgrown, readers: compared.verdicts };
  const shows = {
    onCompareReaders: () => {
      compared.show(true);
      document.getElementById(READERS_ID)?.focus();
    },
    onExpect: () => setExpecting(true),
  };
  return (
    <section className={styles.panel} aria-label="Check">
      <div className={styles.page}>
        <Head
          headline={headline}
          loss={lossWords(saidOf(ordered), (path) => nodes.get(path)?.cells)}
          quiet={glanceWords(runs, pictures)}
        >
          <div className={styles.buttons}>
            <ReportMenu set={set} {...reported} />
            <CheckActions
              set={set.id}
              costs={costs}
              runs={runs}
              chunks={checked.chunks.of}
              rest={unread(checked.chunks)}
              array={doubtfulArray(ordered, nodes, arrays, array)}
            />
          </div>
          <CoverageBars checked={checked} references={set.references} isUnchecked={isUnchecked} />
        </Head>
        <Questions verdict={verdict} next={nextSteps({ set, checked, costs, runs, reader, expectation, ...shows })} />
        <AppliedRepair />
        <Causes
          set={set.id}
          findings={ordered}
          nodes={nodes}
          outgrown={aside?.outgrown}
          array={array}
          onArray={setArray}
        />
        <SetAsideList set={set} aside={aside} />
        <ValuesSection set={set.id} nodes={nodes} />
        <Readers set={set} chosen={reader} compared={compared} />
        <ExpectationSection
          set={set}
          run={expectation}
          checked={checked.expectation}
          asked={isExpecting}
          onShown={() => setExpecting(false)}
        />
      </div>
    </section>
  );
}

/** All that the parts of the view are made of. */
function useWhatIsKnown(set: SetSummary) {
  const found = useFindings();
  const { findings, nodes } = found;
  const ordered = useMemo(() => byWeight(findings ?? [], nodes), [findings, nodes]);
  const runs = useCheckRuns(set.id);
  const reader = useReader(set.id);
  return {
    ...found,
    ordered,
    runs,
    reader,
    known: useVerdict(set, found),
    costs: useCheckCosts(set.id, reader),
    arrays: useEngine("chunk.tally", { set: set.id }).last?.data.arrays ?? [],
    pictures: useCausePictures(set.id, ordered, nodes, runs.glance?.running === false),
    expectation: useExpectation(set.id),
    compared: useComparedReaders(set.id),
  };
}

interface HeadProps {
  readonly headline: string;
  readonly loss: string;
  /** What was looked at unasked. */
  readonly quiet: string;
  /** Buttons, and how far the check came. */
  readonly children: ReactNode;
}

function Head({ headline, loss, quiet, children }: HeadProps) {
  return (
    <header className={styles.head}>
      <div className={styles.subject}>
        <h2>{headline}</h2>
        <p>{loss}</p>
        <p className={styles.quiet}>{quiet}</p>
        <Restored />
      </div>
      <div className={styles.side}>{children}</div>
    </header>
  );
}

/** Of all targets and chunks; where zarrita is the reader, with the sample that it reads too. */
function useCheckCosts(set: number, { reader }: ReaderChosen): CheckCosts | undefined {
  const costs = useEngine("check.costs", { set }).last?.data;
  const sample = useEngine("check.readerCost", reader === "zarrita" ? { set } : undefined).data;
  if (costs === undefined || sample === undefined) return costs;
  return { ...costs, values: { ...costs.values, bytes: costs.values.bytes + sample.bytes } };
}

/** What was written down of the set in an earlier visit, and counts in what is said above. */
function Restored() {
  const { restored, expectation, accepted } = useAppState(({ owner }) => owner);
  if (!restored) return null;
  const parts = [
    ...(expectation === undefined ? [] : [`the expectation ${expectation.name}`]),
    ...(accepted.length === 0 ? [] : [`${countOf(accepted.length, "finding")} set aside`]),
  ];
  return <p className={styles.quiet}>Remembered from an earlier visit: {parts.join(", and ")}.</p>;
}

/** What was looked at unasked, and what that took. */
function glanceWords({ glance }: CheckRuns, { pictures, bytes: pictured }: PicturesTaken): string {
  if (glance?.running === true) return "Looking at what is doubtful…";
  const { targets = 0, chunks = 0, bytes = 0 } = glance?.found ?? {};
  const parts = [
    ...(targets > 0 ? [`asked ${countOf(targets, "target")}`] : []),
    ...(chunks > 0 ? [`read ${countOf(chunks, "doubtful chunk")} (${formatBytes(bytes)})`] : []),
  ];
  const unasked = "Unasked, since it costs little: ";
  const taken = `${countOf(pictures, "picture")} took ${formatBytes(pictured)}.`;
  if (parts.length === 0) return pictured === 0 ? "" : `${unasked}${taken}`;
  return `${unasked}${parts.join(" and ")}.${pictured === 0 ? "" : ` ${taken}`}`;
}
