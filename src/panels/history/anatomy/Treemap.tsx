/** A treemap whose boxes take the focus: arrows move among them, the largest is first. */
import { type KeyboardEvent, useState } from "react";
import { movedIndex } from "#widgets/controls/roving.ts";
import { useElementWidth } from "#widgets/measuring.ts";
import { formatBytes, formatShare } from "#widgets/number-format.ts";
import type { AnatomyCell } from "./anatomy-cells.ts";
import { squarified } from "./squarify.ts";
import styles from "./Anatomy.module.css";

const HEIGHT = 240;

interface TreemapProps {
  readonly label: string;
  readonly cells: readonly AnatomyCell[];
}

export function Treemap({ label, cells }: TreemapProps) {
  const [frame, width] = useElementWidth<HTMLUListElement>();
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, cells.length - 1);
  const boxes = squarified(
    cells.map(({ bytes }) => bytes),
    { x: 0, y: 0, width: Math.max(1, width), height: HEIGHT },
  );
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const to = event.altKey ? undefined : movedIndex(event.key, at, cells.length, "both");
    if (to === undefined) return;
    event.preventDefault();
    setChosen(to);
    event.currentTarget.querySelectorAll<HTMLElement>("[data-kind]").item(to).focus();
  };
  return (
    <div className="stack gap-6 narrow">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its buttons take the keys */}
      <ul ref={frame} className={styles.map} aria-label={label} style={{ height: HEIGHT }} onKeyDown={onKeyDown}>
        {cells.map((cell, place) => {
          const box = boxes[place];
          if (box === undefined) return null;
          const { x: left, y: top, width, height } = box;
          return (
            <li key={`${cell.kind} ${cell.name} ${place}`} style={{ left, top, width, height }}>
              <button
                type="button"
                data-kind={cell.kind}
                tabIndex={place === at ? 0 : -1}
                aria-label={cellText(cell)}
                title={cellText(cell)}
                onFocus={() => setChosen(place)}
              >
                <i style={{ width: `${(100 * cell.freed) / cell.bytes}%` }} />
                {width > 56 && height > 24 ? (
                  <span>
                    <b>{cell.name}</b> {height > 44 ? <small>{formatBytes(cell.bytes)}</small> : null}
                  </span>
                ) : null}
              </button>
            </li>
          );
        })}
      </ul>
      <p className="quiet tabular">{cells[at] === undefined ? null : cellText(cells[at])}</p>
    </div>
  );
}

const KINDS: Readonly<Record<AnatomyCell["kind"], string>> = {
  native: "native chunks",
  manifests: "manifests",
  metadata: "snapshots, logs, branches and tags",
  orphans: "files that nothing refers to",
  virtual: "virtual chunks",
  others: "together",
};

function cellText({ name, kind, bytes, freed }: AnatomyCell): string {
  const gone = freed === 0 ? "" : `, ${formatBytes(freed)} freed (${formatShare(freed, bytes)})`;
  // It begins with what the box shows.
  return `${name} ${formatBytes(bytes)}, ${KINDS[kind]}${gone}`;
}
