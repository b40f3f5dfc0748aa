import { type ReactNode, useState } from "react";
import { ACCESS_TITLE, findingRemedies, isRefused } from "#core/access/finding-remedies.ts";
import type { Action } from "#core/findings/catalogue/entry.ts";
import { chunkIn } from "#core/findings/fact.ts";
import type { ArrayExtent, ChunkPlace, Extent, Finding, Place } from "#core/findings/fact.ts";
import type { NodeSummary } from "#core/open-set.ts";
import type { PageCommand } from "#store/command-bus.ts";
import { useActions, useAppState, useEngine, useSend } from "#store/react.tsx";
import { useCapsule } from "#store/hooks/use-capsule.ts";
import { Button, CopyButton, LinkButton } from "#widgets/controls/Button.tsx";
import { useDelayed } from "#widgets/hooks.ts";
import { CodeButton, ErrorNotice, Unanswered, useExplain } from "#widgets/notes/Notices.tsx";
import { Popover } from "#widgets/controls/Popover.tsx";
import { DocsLink } from "#widgets/DocsLink.tsx";
import { PythonRecipe } from "#widgets/PythonRecipe.tsx";
import { copyText, download } from "#widgets/controls/hand-out.ts";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { FindingWords } from "#widgets/notes/FindingItem.tsx";
import styles from "./FindingDetails.module.css";
import { type NodesByPath, placeOfKey } from "#core/metadata/chunk-of-key.ts";
import { findingText, type ListedFinding, whereOf } from "./findings.ts";

interface FindingDetailsProps {
  readonly listed: ListedFinding;
  readonly nodes: NodesByPath;
  readonly onGo: (place: Place) => void;
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** The whole text of a finding, how far it reaches, and what can be done. */
export function FindingDetails({ listed, nodes, onGo, children }: FindingDetailsProps) {
  const { code } = listed.found;
  const { action } = listed.said;
  const chunk = firstChunk(listed, nodes);
  return (
    <div className={styles.details}>
      <FindingWords said={listed.said} />
      <ServerRemedies finding={listed.found} />
      <AccessRemedy finding={listed.found} />
      <Reach listed={listed} nodes={nodes} onGo={onGo} />
      <div className={styles.actions}>
        <ActionButton action={action} />
        <CodeButton code={code} />
        <DocsLink to={`codes/${code}.html`}>More about {code}</DocsLink>
        <CopyButton what="problem" label text={() => findingText(listed)} />
        {chunk === undefined ? null : <ReproButtons chunk={chunk} />}
        {children}
      </div>
    </div>
  );
}

/** The chunk that stands for the finding; a key outside the grid is none. */
export function firstChunk({ found: { place, places = [place] } }: ListedFinding, nodes: NodesByPath) {
  for (const one of places) {
    const at = chunkIn(one) ?? one;
    const found = at.kind === "key" ? placeOfKey(at.key, nodes) : at;
    if (found?.kind === "chunk") return found;
  }
  return undefined;
}

/** Beyond these only their number is given: chunks have their extent. */
const MAX_PLACES = 5;

function otherPlaces(first: Place, places: readonly Place[]): readonly Place[] {
  const byText = new Map(places.map((one) => chunkIn(one) ?? one).map((place) => [whereOf({ place }), place]));
  byText.delete(whereOf({ place: first }));
  return [...byText.values()].slice(0, MAX_PLACES);
}

/** How far its cause reaches, and the first places where it was met. */
function Reach({ listed: { found: finding, place }, nodes, onGo }: FindingDetailsProps) {
  const { extent, places = [], count, place: own } = finding;
  const lines = extent === undefined ? [] : extentLines(extent, nodes);
  const others = otherPlaces(place, [own, ...places]);
  if (lines.length + others.length === 0) return null;
  const more = Math.max(0, count - others.length - 1);
  return (
    <ul className={styles.reach} aria-label="Where it occurs">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
      {others.map((other) => (
        <li key={whereOf({ place: other })}>
          <LinkButton onClick={() => onGo(other)}>{whereOf({ place: other })}</LinkButton>
        </li>
      ))}
      {others.length === MAX_PLACES && more > 0 ? <li>and {formatCount(more)} more</li> : null}
    </ul>
  );
}

/** Actions offered in the list of problems; the others are offered where the chunk or the set is shown. */
const OFFERED: Partial<Readonly<Record<Action, readonly [text: string, does: PageCommand | (() => void)]>>> = {
  locations: ["Locations…", { kind: "show-locations" }],
  limit: ["Raise the limit…", { kind: "show-limit" }],
  reload: ["Reload the page", () => location.reload()],
};

/** The dialog or step that helps with a finding, where there is one. */
function ActionButton({ action }: { readonly action: Action | undefined }) {
  const send = useSend();
  const actions = useActions();
  if (action === "allow-private")
    return <Button onClick={() => void actions.allowPrivate()}>Allow private addresses</Button>;
  const offered = action === undefined ? undefined : OFFERED[action];
  if (offered === undefined) return null;
  const [text, does] = offered;
  return <Button onClick={() => (typeof does === "function" ? does() : send(does))}>{text}</Button>;
}

// Lines for Python, if a target refuses requests without credentials.

function AccessRemedy({ finding }: { readonly finding: Finding }) {
  const [isOpen, setOpen] = useState(false);
  if (!isRefused(finding)) return null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{ACCESS_TITLE}</summary>
      {isOpen ? <Recipe /> : null}
    </details>
  );
}

function Recipe() {
  const set = useAppState((state) => state.set?.id);
  const answer = useEngine("sources.access", set === undefined ? undefined : { set });
  if (answer.data === undefined) return <Unanswered answer={answer} label="Resolving sources" />;
  return <PythonRecipe facts={answer.data} asked={1} />;
}

// How far a cause reaches, in the user's terms.

/** A line an array: `sst: 24 of 96 chunks, time 0 to 23, y 1`. */
export function extentLines(
  { arrays, moreArrays }: Extent,
  nodes: ReadonlyMap<string, NodeSummary>,
): readonly string[] {
  const lines = arrays.map((one) => arrayLine(one, nodes.get(one.array)));
  return moreArrays === 0 ? lines : [...lines, `and ${countOf(moreArrays, "other array")}`];
}

function arrayLine({ array, chunks, from, to }: ArrayExtent, node: NodeSummary | undefined): string {
  const cells = node?.cells;
  const share = cells === undefined ? countOf(chunks, "chunk") : `${formatCount(chunks)} of ${countOf(cells, "chunk")}`;
  const spans = from.map((first, axis) => {
    const name = node?.dimensionNames?.[axis] ?? `dimension ${axis}`;
    const last = to[axis] ?? first;
    return last === first ? `${name} ${first}` : `${name} ${first} to ${last}`;
  });
  return `${array === "" ? "/" : array}: ${[share, ...spans].join(", ")}`;
}

/** Text to paste on the server, and lines that show the same in a terminal. Nothing if no address is known. */
function ServerRemedies({ finding }: { readonly finding: Finding }) {
  const remedies = findingRemedies(finding, location.origin);
  if (remedies === undefined) return null;
  const { likely, others, lines } = remedies;
  return (
    <div className={styles.remedies}>
      {[...likely, ...others].map(({ id, title, text }) => (
        <details key={id} open={likely[0]?.id === id}>
          <summary>{title}</summary>
          <div className={styles.text}>
            <pre>{text}</pre>
            <CopyButton text={text} what={`configuration for ${title}`} />
          </div>
        </details>
      ))}
      <p>For the server’s exact response, run in a terminal:</p>
      {lines.map(({ id, text }) => (
        <div key={id} className={styles.text}>
          <pre>{text}</pre>
          <CopyButton text={text} what="line" />
        </div>
      ))}
    </div>
  );
}

/** Takes a chunk out of its set, with what shows its fault: for an issue, or for somebody else to try. */
function ReproButtons({ chunk: { array, coordinates } }: { readonly chunk: ChunkPlace }) {
  const capsule = useCapsule();
  const explain = useExplain();
  const [copied, setCopied] = useState<"yes" | "no">();
  useDelayed(copied, copied === undefined ? undefined : 1600, () => setCopied(undefined));
  if (explain === undefined) return null;
  const chunk = { array, coordinates };
  const save = async (inlines: boolean) => {
    const made = await capsule.archive(chunk, inlines, explain);
    if (made !== undefined) download(new Blob([made.bytes], { type: "application/zip" }), made.name);
  };
  const copy = async () => {
    const text = await capsule.issue(chunk, explain);
    if (text !== undefined) setCopied((await copyText(text)) ? "yes" : "no");
  };
  return (
    <>
      <Popover label="Report…" title={`Report chunk ${coordinates.join(".")} of ${array === "" ? "/" : array}`}>
        <div className={styles.choices}>
          <p>
            The array’s metadata, this chunk’s reference, a Python script that reads it, and the request with its
            response.
          </p>
          <Button onClick={() => void save(false)}>Archive (zip)</Button>
          <Button onClick={() => void save(true)}>Archive with the chunk’s bytes</Button>
          <Button onClick={() => void copy()}>
            {copied === undefined
              ? "Copy as an issue (Markdown)"
              : copied === "yes"
                ? "Copied"
                : "The browser blocked copying"}
          </Button>
        </div>
      </Popover>
      {capsule.error === undefined ? null : <ErrorNotice error={capsule.error} />}
    </>
  );
}
