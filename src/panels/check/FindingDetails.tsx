import type { ReactNode } from "react";
import type { Place } from "../../core/findings/place.ts";
import { CodeButton } from "../../widgets/CodeButton.tsx";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import { AccessRemedy } from "./AccessRemedy.tsx";
import { ActionButton } from "./ActionButton.tsx";
import { placeOfKey, type NodesByPath } from "./chunk-of-key.ts";
import { extentLines } from "./extent-words.ts";
import { chunkOf, findingText, whereOf, type ListedFinding } from "./findings.ts";
import { ReproButtons } from "./ReproButtons.tsx";
import { ServerRemedies } from "./ServerRemedies.tsx";
import styles from "./FindingItem.module.css";

interface FindingDetailsProps {
  readonly listed: ListedFinding;
  readonly nodes: NodesByPath;
  readonly onGo: (place: Place) => void;
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** The whole text of a finding, how far it reaches, and what can be done. */
export function FindingDetails({ listed, nodes, onGo, children }: FindingDetailsProps) {
  const { code } = listed.finding;
  const { message, remedy, readers, action } = listed.explained;
  const chunk = firstChunk(listed, nodes);
  return (
    <div className={styles.details}>
      <p>{message}</p>
      {remedy === undefined ? null : <p className={styles.advice}>What to do: {remedy}</p>}
      {readers === "" ? null : <p className={styles.readers}>Readers: {readers}</p>}
      <ServerRemedies finding={listed.finding} />
      <AccessRemedy finding={listed.finding} />
      <Reach listed={listed} nodes={nodes} onGo={onGo} />
      <div className={styles.actions}>
        <ActionButton action={action} />
        <CodeButton code={code} />
        <CopyButton what="problem" label text={() => findingText(listed)} />
        {chunk === undefined ? null : <ReproButtons array={chunk.array} coordinates={chunk.coordinates} />}
        {children}
      </div>
    </div>
  );
}

/** The chunk that stands for the finding; a key outside the grid is none. */
function firstChunk({ finding: { place, places = [place] } }: ListedFinding, nodes: NodesByPath) {
  for (const one of places) {
    const at = chunkOf(one);
    const found = at.kind === "key" ? placeOfKey(at.key, nodes) : at;
    if (found?.kind === "chunk") return found;
  }
  return undefined;
}

/** Beyond these only their number is given: chunks have their extent. */
const MAX_PLACES = 5;

function otherPlaces(first: Place, places: readonly Place[]): readonly Place[] {
  const byText = new Map(places.map((place) => [whereOf({ place: chunkOf(place) }), chunkOf(place)]));
  byText.delete(whereOf({ place: first }));
  return [...byText.values()].slice(0, MAX_PLACES);
}

/** How far its cause reaches, and the first places where it was met. */
function Reach({ listed: { finding, place }, nodes, onGo }: FindingDetailsProps) {
  const { extent, places = [], count, place: own } = finding;
  const lines = extent === undefined ? [] : extentLines(extent, nodes);
  const others = otherPlaces(place, [own, ...places]);
  if (lines.length + others.length === 0) return null;
  const more = Math.max(0, count - others.length - 1);
  return (
    <ul className={styles.reach} aria-label="Where it was met">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
      {others.map((other) => (
        <li key={whereOf({ place: other })}>
          <button type="button" data-kind="link" onClick={() => onGo(other)}>
            {whereOf({ place: other })}
          </button>
        </li>
      ))}
      {others.length === MAX_PLACES && more > 0 ? <li>and {formatCount(more)} more</li> : null}
    </ul>
  );
}
