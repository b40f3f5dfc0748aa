/** Further checks, each with its cost: an array, a sample, all. */
import { percentExactly } from "#core/words.ts";
import { CONFIDENCE } from "#core/check/sample-size.ts";
import type { CheckCosts, ValuesCost } from "#core/check/check.ts";
import { useEngine } from "#store/react.tsx";
import type { CheckRuns } from "#store/hooks/use-check-runs.ts";
import { countOf, formatBytes } from "#widgets/number-format.ts";
import { Loading } from "#widgets/notes/Notices.tsx";
import { Popover } from "#widgets/controls/Popover.tsx";
import { Button } from "#widgets/controls/Button.tsx";
import type { DoubtfulArray } from "./doubtful-array.ts";
import { decodeText } from "./NextSteps.tsx";
import styles from "./CheckActions.module.css";

interface CheckActionsProps {
  readonly set: number;
  readonly costs: CheckCosts | undefined;
  readonly runs: CheckRuns;
  /** Chunks of the set that have a reference, and those of them that were not decoded. */
  readonly chunks: number;
  readonly rest: number;
  /** Which deserves it most, and its references; absent where none does more than others. */
  readonly array: DoubtfulArray | undefined;
}

/** Number of chunks below which all are read. */
const LEAST_CHUNKS = 60;

export function CheckActions({ set, costs, runs, chunks, rest, array }: CheckActionsProps) {
  const isRunning = runs.sources?.running === true || runs.values?.running === true;
  if (isRunning) {
    return <Button onClick={runs.cancel}>Stop</Button>;
  }
  return (
    <>
      {array === undefined ? null : <CheckArray set={set} {...array} runs={runs} />}
      {chunks < LEAST_CHUNKS || rest === 0 ? null : (
        <Popover label="Check a sample" title="Check a sample" align="end">
          <Samples set={set} runs={runs} />
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

function CheckArray({ set, array, references, runs }: Pick<CheckActionsProps, "set" | "runs"> & DoubtfulArray) {
  const isWeighed = references <= MOST_WEIGHED;
  const cost = useEngine("check.arrayCost", isWeighed ? { set, array } : undefined).data;
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

function Samples({ set, runs }: Pick<CheckActionsProps, "set" | "runs">) {
  const { data: samples, progress, cancel } = useEngine("check.samples", { set });
  if (samples === undefined) return <Loading label="Choosing samples" progress={progress} onCancel={cancel} />;
  if (samples.length === 0)
    return <p className={styles.none}>A useful sample would take every chunk: the arrays have too few.</p>;
  return (
    <div className={styles.samples}>
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
    </div>
  );
}
