import { outOfReach } from "#core/findings/out-of-reach.ts";
import { addressOf, type RequestReport, type Resolution } from "#core/byte-source.ts";
import { originLines, originText } from "#core/words/origin-words.ts";
import type { Reading } from "#core/reading.ts";
import type { ChunkState } from "#core/table/reference.ts";
import { shownTarget } from "#core/words.ts";
import type { RowOrigin } from "#core/table/version1.ts";
import { prefixOf } from "#store/file-for-target.ts";
import { useActions, useAppState, useSend } from "#store/react.tsx";
import { Badge, StateMark } from "#widgets/notes/marks.tsx";
import { type Definition, DefinitionList } from "#widgets/DefinitionList.tsx";
import { ErrorNotice, useExplain, useMessage } from "#widgets/notes/Notices.tsx";
import { FileButton } from "#widgets/controls/FileButton.tsx";
import { countOf, formatBytes, formatCount, formatDuration, formatExactBytes } from "#widgets/number-format.ts";
import { Button, CopyButton } from "#widgets/controls/Button.tsx";
import { type Fill, FillValue, isUnfit, MissingChunk } from "./MissingChunk.tsx";
import { FindingsPart } from "./FindingsPart.tsx";
import styles from "./RequestTab.module.css";
import { findingTab, isDecodeFailure } from "./tabs.ts";
import type { ChunkArray } from "./chunk-words.ts";
import { curlCommand } from "./curl-command.ts";
import { isUnreachable, replaceableTarget } from "./DecodeTab.tsx";
import { ApplyKnown } from "./trial/RepairButtons.tsx";
import type { KnownRepair } from "./trial/use-repair.ts";

interface RequestTabProps {
  readonly array: ChunkArray;
  /** The declared reading: a trial does not change how the bytes are found. */
  readonly reading: Reading;
  readonly fill: Fill;
  readonly known: KnownRepair | undefined;
  readonly onRetry: () => void;
}

/** The reference as written and as resolved, the request it led to, and what came back. */
export function RequestTab({ array, reading, fill, known, onRetry }: RequestTabProps) {
  const { state, resolution, request } = reading;
  const curl = curlCommand(reading);
  const words = useAppState((state) => state.set?.words);
  return (
    <div className={styles.request}>
      <section className="stack gap-6" aria-label="Reference">
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
          <div className={styles.value}>
            <code>{shortened(reading.written)}</code>
            <CopyButton text={reading.written} what="reference as written" />
          </div>
        )}
        <MadeBy origin={reading.origin} />
        {resolution === undefined ? null : <Resolved resolution={resolution} />}
      </section>
      {state === "inline" ? <p className="quiet">In the {words?.inlineIn}: nothing was requested.</p> : null}
      {request === undefined ? null : (
        <div className={styles.facts}>
          <DefinitionList items={requestFacts(request, resolution?.kind).map(definitionOf)} />
        </div>
      )}
      <Changed findings={reading.findings} />
      {reading.outcome === "missing" ? <MissingChunk array={array} reading={reading} fill={fill} /> : null}
      <RequestError {...{ reading, known, onRetry }} />
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
    <Button title="This chunk's bytes within its source file" onClick={() => actions.showInSources(array, coordinates)}>
      Show in Sources
    </Button>
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

/** Origin of a rendered reference; nothing if the document has the reference itself. */
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
        <details className={`quiet fine ${styles.steps}`}>
          <summary>URL resolution</summary>
          <ol>
            {steps.map((step, index) => (
              // Steps are never reordered, and two may read alike.
              // oxlint-disable-next-line react/no-array-index-key
              <li className="break" key={index}>
                {step}
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

/** Why the bytes did not arrive; the Decode tab explains later failures. */
function RequestError({ reading, known, onRetry }: Pick<RequestTabProps, "reading" | "known" | "onRetry">) {
  const { error, state } = reading;
  const send = useSend();
  const actions = useActions();
  const isRepository = useAppState(({ set }) => set?.repository !== undefined);
  const explain = useExplain();
  if (error === undefined || isDecodeFailure(reading)) return null;
  const target = isRepository || !isUnreachable(reading, explain) ? undefined : replaceableTarget(reading);
  if (state === "bad") return <ErrorNotice error={error} first={<ApplyKnown known={known} />} />;
  return (
    <ErrorNotice
      error={error}
      // A reference that leads nowhere cannot be retried.
      {...(reading.resolution?.kind === "unresolved"
        ? {}
        : { onRetry: outOfReach(error) === undefined ? onRetry : () => void actions.retry() })}
      first={
        <>
          <ApplyKnown known={known} />
          {target === undefined ? null : (
            <ReachTarget target={target} primary={known === undefined || known.isChoice} />
          )}
        </>
      }
    >
      {explain?.(error).action === "allow-private" ? (
        <Button onClick={() => void actions.allowPrivate()}>Allow private addresses</Button>
      ) : null}
      {reading.resolution === undefined ? null : (
        <Button
          title="Rewrite rules, the source of null URLs, the region, and credentials"
          onClick={() => send({ kind: "show-locations" })}
        >
          Locations…
        </Button>
      )}
    </ErrorNotice>
  );
}

/** Ways to reach a target that is out of reach, filled in for this one. */
function ReachTarget({ target, primary }: { readonly target: string | null; readonly primary: boolean }) {
  const actions = useActions();
  const send = useSend();
  return (
    <>
      <FileButton
        text="Choose file…"
        title={`Reads ${target ?? "the references without a URL"} from a file on this computer`}
        primary={primary}
        onFiles={([file]) => {
          if (file !== undefined) void actions.chooseFileFor(target, file);
        }}
      />
      {target === null ? null : (
        <Button
          title={`Reads everything below ${prefixOf(target)} from somewhere else`}
          onClick={() => send({ kind: "show-locations", prefix: prefixOf(target) })}
        >
          Map this prefix…
        </Button>
      )}
    </>
  );
}

// Result of a request, as short facts.

interface Said {
  readonly text: string;
  readonly tone?: "ok" | "warn" | "bad";
  readonly title?: string;
}

interface Fact extends Said {
  readonly id: string;
  readonly term: string;
}

const definitionOf = ({ term, text, tone, title }: Fact): Definition => ({
  term,
  description: (
    <span className="toned" data-tone={tone}>
      {text}
    </span>
  ),
  ...(title === undefined ? {} : { title }),
});

/** `target`: what the reference's target was resolved to. */
export function requestFacts(request: RequestReport, target?: Resolution["kind"]): readonly Fact[] {
  const { attempts, milliseconds, targetSize, lastModified, etag, redirectedTo, relayed } = request;
  const isMember = target === "member";
  const facts: Fact[] = [
    { id: "asked", term: "Asked for", text: askedText(request, isMember) },
    { id: "status", term: "Answer", ...(targetAnswer(target, request) ?? statusAnswer(request)) },
    { id: "bytes", term: "Received", ...bytesReceived(request) },
    { id: "time", term: "Time", text: formatDuration(milliseconds), title: `${milliseconds} milliseconds` },
  ];
  if (redirectedTo !== undefined) {
    // Another host answered than the reference names.
    const title = `The server redirected to ${redirectedTo}, which sent the bytes.`;
    const text = `${new URL(redirectedTo).host}, after a redirect`;
    facts.push({ id: "redirect", term: "Served by", text, tone: "warn", title });
  }
  if (relayed === true) {
    const title = "A page may not ask this address itself: the server on this computer that gave the page asks for it.";
    facts.push({ id: "relay", term: "Route", text: "relayed by this computer", title });
  }
  if (attempts > 1) facts.push({ id: "attempts", term: "Attempts", text: formatCount(attempts), tone: "warn" });
  if (targetSize !== undefined) {
    const said = { text: formatBytes(targetSize), title: formatExactBytes(targetSize) };
    facts.push({ id: "size", term: isMember ? "Archive" : "File", ...said });
  }
  if (lastModified !== undefined) {
    // The day is enough to read; the header as sent is in the title.
    const time = Date.parse(lastModified);
    const text = Number.isNaN(time) ? lastModified : new Date(time).toISOString().slice(0, 10);
    facts.push({ id: "modified", term: "Modified", text, title: `Last-Modified: ${lastModified}` });
  }
  if (etag !== undefined) facts.push({ id: "etag", term: "ETag", text: etag });
  return facts;
}

/** One request may serve neighbouring chunks as well: its range is then longer than the reference's. */
function askedText({ range, readsServed = 1 }: RequestReport, isMember: boolean): string {
  const last = range === undefined ? 0 : range.offset + range.length - 1;
  const text = range === undefined ? "the whole file" : `bytes ${formatCount(range.offset)} to ${formatCount(last)}`;
  const others = readsServed === 1 ? "" : `, for ${countOf(readsServed, "read")} at once`;
  return `${text}${isMember && range !== undefined ? " of the archive" : ""}${others}`;
}

/** Facts of targets that no server answered for. */
function targetAnswer(target: Resolution["kind"] | undefined, { status }: RequestReport): Said | undefined {
  if (target === "data") return { text: "✓ in the URL itself", tone: "ok" };
  return target === "member" && status === undefined ? { text: "✓ from the archive", tone: "ok" } : undefined;
}

function statusAnswer({ status, rangeHonoured, url, range }: RequestReport): Said {
  if (status === undefined) {
    if (!/^https?:/i.test(url)) return { text: "✓ local file", tone: "ok" };
    const title = "The server sent no response that the page is allowed to read.";
    return { text: "✕ no answer", tone: "bad", title };
  }
  if (status >= 400) return { text: `✕ ${status}`, tone: "bad", title: `HTTP status ${status}` };
  if (rangeHonoured === true) return { text: `✓ ${status}, range honoured`, tone: "ok" };
  if (rangeHonoured === false) {
    const title = "A range of bytes was requested; the server did not return 206 with just that range.";
    return { text: `✕ ${status}, range not honoured`, tone: "bad", title };
  }
  return { text: `✓ ${status}${range === undefined ? ", whole file" : ""}`, tone: "ok" };
}

function bytesReceived({ bytesReceived: received, bytesExpected: expected, underWay }: RequestReport): Said {
  if (expected === undefined) return { text: `${formatCount(received)} bytes` };
  const text = `${formatCount(received)} of ${formatCount(expected)} bytes`;
  if (underWay === true) {
    return { text: `${text}, the rest still arriving`, title: "This chunk arrived before the rest of the request." };
  }
  return received === expected ? { text } : { text, tone: "bad" };
}
