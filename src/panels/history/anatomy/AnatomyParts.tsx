/** Bytes by part and array, what expiring would free, and orphans. */
import { useId, useMemo, useState } from "react";
import { type Anatomy, type ArrayAnatomy, type Expiry, type OrphanFile, PARTS, storedBytes } from "#core/anatomy.ts";
import { expirySentence, PART_NAMES, PART_NOTES, REASONS } from "#core/words/anatomy-words.ts";
import { QuietButton, TextField } from "#widgets/controls/Button.tsx";
import { Segmented } from "#widgets/controls/Segmented.tsx";
import { DefinitionList } from "#widgets/DefinitionList.tsx";
import { countOf, formatBytes } from "#widgets/number-format.ts";
import { Section } from "#widgets/Section.tsx";
import type { SmallColumn } from "#widgets/small-table/model.ts";
import { SmallTable } from "#widgets/small-table/SmallTable.tsx";
import { anatomyCells, pathText, type Shown } from "./anatomy-cells.ts";
import { Treemap } from "./Treemap.tsx";
import styles from "./Anatomy.module.css";

interface PartsProps {
  readonly anatomy: Anatomy;
  readonly expiry: Expiry | undefined;
  /** ISO; "" for none. */
  readonly before: string;
  readonly onBefore: (before: string) => void;
}

export function Parts(props: PartsProps) {
  const { anatomy, expiry } = props;
  const [shown, setShown] = useState<Shown>("files");
  const { bytes, arrays } = anatomy;
  const rows = arrays.map((array, at) => ({ ...array, freed: expiry?.ofArrays[at] }));
  return (
    <Section title="Anatomy" aside={`${formatBytes(storedBytes(bytes))} stored`}>
      <DefinitionList
        layout="cells"
        items={PARTS.map((part) => ({
          term: PART_NAMES[part],
          description: formatBytes(bytes[part]),
          title: `${countOf(bytes[part], "byte")}: ${PART_NOTES[part]}`,
        }))}
      />
      {bytes.virtual === 0 ? null : (
        <div className="row">
          <Segmented
            label="Show"
            value={shown}
            options={[
              { value: "files", text: "Files of the repository" },
              { value: "virtual", text: "Virtual chunks" },
            ]}
            onValue={setShown}
          />
        </div>
      )}
      <Treemap
        label={shown === "files" ? "Bytes of files by array and kind" : "Bytes of virtual chunks by array"}
        cells={useMemo(() => anatomyCells(anatomy, expiry, shown), [anatomy, expiry, shown])}
      />
      <Expire {...props} />
      <SmallTable label="Bytes by array" columns={ARRAYS} rows={rows} rowKey={({ node }) => node} step={50} tall />
      <Orphans orphans={anatomy.orphans} />
    </Section>
  );
}

/** A date, and what expiring before it would free. */
function Expire({ anatomy, expiry, before, onBefore }: PartsProps) {
  const id = useId();
  const [first, last] = [anatomy.snapshots[0], anatomy.snapshots.at(-1)].map((one) => one?.time?.slice(0, 10));
  return (
    <div className="stack gap-6 narrow">
      <div className="wrap gap-8">
        <label htmlFor={id}>Expire snapshots before</label>
        <TextField
          id={id}
          type="date"
          value={before.slice(0, 10)}
          aria-describedby={`${id}-effect`}
          onChange={({ target: { value } }) => onBefore(value === "" ? "" : `${value}T00:00:00.000Z`)}
        />
        {before === "" ? null : <QuietButton onClick={() => onBefore("")}>Clear</QuietButton>}
        <span className="quiet">
          UTC; snapshots are of {first ?? "?"} to {last ?? "?"}
        </span>
      </div>
      {expiry === undefined ? null : (
        <p id={`${id}-effect`} role="status">
          {expirySentence(expiry, formatBytes)} <span className="quiet">Simulated: nothing is deleted.</span>
        </p>
      )}
      {expiry === undefined || expiry.freed.length === 0 ? null : (
        <details>
          <summary>Files that would be freed</summary>
          <ul className={styles.names}>
            {expiry.freed.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
          {expiry.files > expiry.freed.length ? (
            <p className="quiet">
              and {countOf(expiry.files - expiry.freed.length, "more", "more")}; <code>anatomy --json</code> names all
              that can be named.
            </p>
          ) : null}
        </details>
      )}
    </div>
  );
}

type ArrayRow = ArrayAnatomy & { readonly freed: Expiry["ofArrays"][number] | undefined };

export const bytesColumn = <R,>(
  id: string,
  header: string,
  value: (row: R) => number,
  title?: string,
): SmallColumn<R> => ({
  id,
  header,
  numeric: true,
  value,
  cell: (row) => <span title={countOf(value(row), "byte")}>{formatBytes(value(row))}</span>,
  ...(title === undefined ? {} : { title }),
});

const ARRAYS: readonly SmallColumn<ArrayRow>[] = [
  {
    id: "array",
    header: "Array",
    names: true,
    value: pathText,
    cell: (row) => (
      <>
        {pathText(row)} {row.isCurrent ? null : <span className="faint">no longer there</span>}
      </>
    ),
  },
  { id: "references", header: "References", numeric: true, rank: 2, value: ({ references }) => references },
  bytesColumn("native", "Native", ({ bytes }) => bytes.native),
  bytesColumn("virtual", "Virtual", ({ bytes }) => bytes.virtual),
  bytesColumn("inline", "Inline", ({ bytes }) => bytes.inline),
  bytesColumn("manifests", "Manifests", ({ bytes }) => bytes.manifests),
  bytesColumn(
    "older",
    "Only older",
    ({ older }) => storedBytes(older),
    "Files that no branch or tag points to: only older snapshots hold them",
  ),
  bytesColumn(
    "freed",
    "Freed",
    ({ freed }) => (freed?.native ?? 0) + (freed?.manifests ?? 0),
    "Files that expiring and collecting would free",
  ),
];

function Orphans({ orphans }: { readonly orphans: readonly OrphanFile[] }) {
  if (orphans.length === 0)
    return <p className="quiet">No orphans: a branch or tag reaches every file that is known.</p>;
  const bytes = orphans.reduce((sum, one) => sum + (one.bytes ?? 0), 0);
  return (
    <details>
      <summary>
        Orphans{" "}
        <span className="faint">
          {countOf(orphans.length, "file")}, {formatBytes(bytes)}
        </span>
      </summary>
      <SmallTable label="Orphans" columns={ORPHANS} rows={orphans} rowKey={({ name }) => name} step={100} tall />
    </details>
  );
}

const ORPHANS: readonly SmallColumn<OrphanFile>[] = [
  { id: "file", header: "File", names: true, value: ({ name }) => name, cell: ({ name }) => <code>{name}</code> },
  {
    id: "bytes",
    header: "Bytes",
    numeric: true,
    value: ({ bytes }) => bytes,
    cell: ({ bytes }) => (bytes === undefined ? "?" : formatBytes(bytes)),
  },
  { id: "reason", header: "Why", room: "rest", value: ({ reason }) => REASONS[reason] },
];
