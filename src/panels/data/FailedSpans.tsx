/**
 * On the line of one dimension: where chunks failed or are out of reach, with the reason and the way to what may mend
 * it.
 */
import { startAlong } from "#core/metadata/chunk-grid.ts";
import { reasonWords } from "#core/findings/explained.ts";
import { lookOfError } from "#core/plane/plane-values.ts";
import type { Finding } from "#core/findings/finding.ts";
import type { Span } from "#widgets/cell-map/camera.ts";
import { useActions } from "#store/react.tsx";
import { Button } from "#widgets/controls/Button.tsx";
import { useElementSize } from "#widgets/measuring.ts";
import { useExplain } from "#widgets/notes/Notices.tsx";
import { countOf } from "#widgets/number-format.ts";
import styles from "./DataPanel.module.css";
import { useShown } from "./shown-array.ts";

interface FailedSpan extends Span {
  readonly chunks: number;
  readonly first: number;
  readonly error: Finding;
}

/** "✕ Chunk 3 failed", or that its source is out of reach. */
export function WithoutValues({ name, error }: { readonly name: string; readonly error: Finding }) {
  const isFailed = lookOfError(error) === "failed";
  return (
    <>
      {isFailed ? <i aria-hidden="true">✕</i> : null}
      <b>
        {name} {isFailed ? "failed" : "out of reach"}
      </b>
    </>
  );
}

/** Asks again for what is out of reach; what failed would fail again. */
export function Retry({ error }: { readonly error: Finding }) {
  const actions = useActions();
  return lookOfError(error) === "failed" ? null : <Button onClick={() => void actions.retry()}>Retry</Button>;
}

/** Neighbours are one; places in elements. */
function failedSpans(failed: ReadonlyMap<number, Finding>, startOf: (chunk: number) => number) {
  const spans: FailedSpan[] = [];
  for (const [chunk, error] of [...failed].toSorted(([one], [other]) => one - other)) {
    const last = spans.at(-1);
    const to = startOf(chunk + 1);
    if (last !== undefined && last.first + last.chunks === chunk && lookOfError(last.error) === lookOfError(error)) {
      spans[spans.length - 1] = { ...last, chunks: last.chunks + 1, to };
    } else spans.push({ from: startOf(chunk), to, chunks: 1, first: chunk, error });
  }
  return spans;
}

const LEAST = 96;
const LEAST_WITH_REASON = 280;
/** More would hide the line; all are crossed. */
const MAX_SPANS = 24;

/** `seen`: elements from the left end of the plot to the right one. */
export function FailedSpans({
  seen: { from, to },
  onElement,
}: {
  readonly seen: Span;
  readonly onElement: (at: number) => void;
}) {
  const { plane, progress, request } = useShown();
  const said = useExplain();
  const [frame, { width }] = useElementSize<HTMLDivElement>();
  const side = request.chunkShape[plane.column ?? 0] ?? 1;
  const share = (at: number) => Math.max(0, Math.min(1, (at - from) / Math.max(1, to - from)));
  const failed = progress.isOld ? undefined : progress.shown?.failed;
  const spans = failedSpans(failed ?? new Map(), (chunk) => Math.min(request.extent.columns, startAlong(side, chunk)));
  return (
    <div ref={frame} className={styles.failures}>
      {spans
        .map((span) => ({ ...span, left: share(span.from), right: share(span.to) }))
        .filter(({ left, right }) => right > left)
        .map(({ left, right, first, chunks, error, from: start }, at) => {
          const room = (right - left) * width;
          return (
            <div
              key={first}
              data-look={lookOfError(error)}
              style={{ left: `${left * 100}%`, right: `${(1 - right) * 100}%` }}
            >
              {room < LEAST || at >= MAX_SPANS ? null : (
                <p className={styles.label}>
                  <WithoutValues name={chunks === 1 ? `Chunk ${first}` : countOf(chunks, "chunk")} error={error} />
                  {room < LEAST_WITH_REASON ? null : <span>{reasonWords(error, said)}</span>}
                  {room < LEAST_WITH_REASON ? null : <Retry error={error} />}
                  <Button onClick={() => onElement(start)}>Why</Button>
                </p>
              )}
            </div>
          );
        })}
    </div>
  );
}
