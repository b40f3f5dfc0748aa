import { shownTarget } from "../../core/shown-target.ts";
import { useMessage, useExplain } from "../../widgets/use-explain.ts";
import type { RequestReport } from "../../core/byte-source.ts";
import { addressOf, type Resolution } from "../../core/location.ts";
import { originLines, originText } from "../../core/origin-words.ts";
import type { Reading } from "../../core/reading.ts";
import type { ChunkState } from "../../core/reference.ts";
import type { RowOrigin } from "../../core/version1.ts";
import { useActions, useAppState, useSend } from "../../store/react.tsx";
import { Badge } from "../../widgets/Badge.tsx";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { DefinitionList } from "../../widgets/DefinitionList.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { StateMark } from "../../widgets/StateMark.tsx";
import { findingTab, isDecodeFailure } from "./chunk-tabs.ts";
import type { ChunkArray } from "./chunk-words.ts";
import { curlCommand } from "./curl-command.ts";
import { FillValue, isUnfit, type Fill } from "./FillValue.tsx";
import { FindingsPart } from "./FindingsPart.tsx";
import { MissingChunk } from "./MissingChunk.tsx";
import { ReachTarget } from "./ReachTarget.tsx";
import { requestFacts } from "./request-facts.ts";
import { isUnreachable, replaceableTarget } from "./unreachable.ts";
import styles from "./RequestTab.module.css";

interface RequestTabProps {
  readonly array: ChunkArray;
  /** As declared: a trial changes nothing of how the bytes are found. */
  readonly reading: Reading;
  readonly fill: Fill;
  readonly onRetry: () => void;
}

/** The reference as written and as resolved, the request it led to, and what came back. */
export function RequestTab({ array, reading, fill, onRetry }: RequestTabProps) {
  const { state, resolution, request } = reading;
  const curl = curlCommand(reading);
  const words = useAppState((state) => state.set?.words);
  return (
    <div className={styles.request}>
      <section className={styles.part} aria-label="Reference">
        <div className={styles.head}>
          <StateMark state={state} label />
          <span className={styles.tools}>
            {hasTarget(state) ? <ShowInSources reading={reading} /> : null}
            {curl === undefined ? null : <CopyButton text={curl} what="curl command" label />}
          </span>
        </div>
        {state === "missing" ? (
          <p>
            {words?.missing}: <FillValue fill={fill} unfit={isUnfit(reading)} />
          </p>
        ) : (
          <Written text={reading.written} />
        )}
        <MadeBy origin={reading.origin} />
        {resolution === undefined ? null : <Resolved resolution={resolution} />}
      </section>
      {state === "inline" ? <p className={styles.quiet}>In the {words?.inlineIn}: nothing was requested.</p> : null}
      {request === undefined ? null : <Facts request={request} target={resolution?.kind} />}
      <Changed findings={reading.findings} />
      {reading.outcome === "missing" ? <MissingChunk array={array} reading={reading} fill={fill} /> : null}
      <RequestError reading={reading} onRetry={onRetry} />
      <FindingsPart reading={reading} of={(about) => findingTab(about) === "request"} />
    </div>
  );
}

const IN_TARGETS: ReadonlySet<ChunkState> = new Set<ChunkState>(["range", "whole", "virtual"]);
const hasTarget = (state: ChunkState): boolean => IN_TARGETS.has(state);

/** Its bytes among the others of its target. */
function ShowInSources({ reading: { array, coordinates } }: Pick<RequestTabProps, "reading">) {
  const actions = useActions();
  const isThere = useAppState(({ view }) => view === "sources");
  if (isThere) return null;
  return (
    <button
      type="button"
      title="The bytes of this chunk among the others of its target"
      onClick={() => {
        actions.showInSources(array, coordinates);
      }}
    >
      Show in Sources
    </button>
  );
}

interface FactsProps {
  readonly request: RequestReport;
  readonly target: Resolution["kind"] | undefined;
}

/** What was asked for and what came back. */
function Facts({ request, target }: FactsProps) {
  const items = requestFacts(request, target).map(({ term, text, tone, title }) => ({
    term,
    description: <span data-tone={tone}>{text}</span>,
    ...(title === undefined ? {} : { title }),
  }));
  return (
    <div className={styles.facts}>
      <DefinitionList items={items} />
    </div>
  );
}

/** The bytes were read, and may be another file's by now: what they decode to must not be believed at a glance. */
function Changed({ findings }: Pick<Reading, "findings">) {
  const changed = findings.find(({ code }) => code === "icechunk-target-changed");
  const message = useMessage(changed);
  if (changed === undefined) return null;
  return (
    <p>
      <Badge tone="bad" {...(message === undefined ? {} : { title: message })}>
        ✕ changed since recorded
      </Badge>
    </p>
  );
}

/** What rendering started from; nothing where the reference is in the document as it is. */
function MadeBy({ origin }: { readonly origin: RowOrigin | undefined }) {
  if (origin === undefined || origin.kind === "metadata") return null;
  if (origin.kind === "refs" && origin.written === undefined) return null;
  const text = origin.kind === "refs" ? origin.written : originText(origin);
  return (
    <div className={styles.value} data-kind="made-by">
      <code title={originLines(origin).join("\n")}>
        <span>Made by{origin.kind === "refs" ? " refs" : ""}&nbsp;</span>
        {text}
      </code>
      <CopyButton text={text ?? ""} what={origin.kind === "refs" ? "URL as written" : "gen entry and variables"} />
    </div>
  );
}

/** The URL may hold the data; its beginning and the range stay in sight. */
const shortened = (text: string): string => (text.length <= 600 ? text : `${text.slice(0, 120)}…${text.slice(-60)}`);

function Written({ text }: { readonly text: string }) {
  return (
    <div className={styles.value}>
      <code>{shortened(text)}</code>
      <CopyButton text={text} what="reference as written" />
    </div>
  );
}

function Resolved({ resolution }: { readonly resolution: Resolution }) {
  const { steps } = resolution;
  const place = addressOf(resolution);
  return (
    <>
      <div className={styles.value} data-kind="resolved">
        <code>
          <span aria-hidden="true">→&nbsp;</span>
          {place === undefined ? "could not be resolved" : shownTarget(place)}
        </code>
        {place === undefined ? null : <CopyButton text={place} what={resolution.kind === "file" ? "path" : "URL"} />}
      </div>
      {steps.length === 0 ? null : (
        <details className={styles.steps}>
          <summary>How it was resolved</summary>
          <ol>
            {steps.map((step, index) => (
              // Steps are never reordered, and two may read alike.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index}>{step}</li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

/** Why the bytes did not arrive; what failed after that is told where they are decoded. */
function RequestError({ reading, onRetry }: { readonly reading: Reading; readonly onRetry: () => void }) {
  const { error, state } = reading;
  const send = useSend();
  const isRepository = useAppState(({ set }) => set?.repository !== undefined);
  const explain = useExplain();
  if (error === undefined || isDecodeFailure(reading)) return null;
  const target = isRepository || !isUnreachable(reading, explain) ? undefined : replaceableTarget(reading);
  if (state === "bad") return <ErrorNotice error={error} />;
  return (
    <ErrorNotice
      error={error}
      // What leads nowhere leads nowhere the next time.
      {...(reading.resolution?.kind === "unresolved" ? {} : { onRetry })}
      first={target === undefined ? null : <ReachTarget target={target} />}
    >
      {reading.resolution === undefined ? null : (
        <button
          type="button"
          title="Rewrite rules, the target of null URLs, the region, and credentials"
          onClick={() => {
            send({ kind: "show-locations" });
          }}
        >
          Locations…
        </button>
      )}
    </ErrorNotice>
  );
}
