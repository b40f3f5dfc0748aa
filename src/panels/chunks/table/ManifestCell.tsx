/** A cell of the manifest. */
import type { ViewRow } from "../../../core/open-set.ts";
import { originLines, originText } from "../../../core/words/origin-words.ts";
import { shownTarget } from "../../../core/words/shown-target.ts";
import { StateMark } from "../../../widgets/notes/StateMark.tsx";
import { fillWords } from "../../../widgets/fill-words.ts";
import { formatBytes, formatCount, formatExactBytes } from "../../../widgets/number-format.ts";
import { useExplain, useMessage } from "../../../widgets/notes/use-explain.ts";
import { RESULT_SIGNS } from "./Chips.tsx";
import styles from "./TablePart.module.css";
import { type ColumnId, shortKey, splitTarget } from "./columns.ts";

export interface ManifestCellProps {
  readonly row: ViewRow;
  readonly column: ColumnId;
  readonly fill: string | undefined;
  /** The selected array: what its keys begin with goes without saying. */
  readonly within: string | undefined;
  /** Bytes of the longest chunk there is; 0 where that is not known. */
  readonly longest: number;
}

export function ManifestCell({ row, column, fill, within, longest }: ManifestCellProps) {
  switch (column) {
    case "key":
      return <KeyCell row={row} within={within} />;
    case "coordinates":
      return <span className={styles.mono}>{row.coordinates?.join(", ") ?? ""}</span>;
    case "state":
      return <StateMark state={row.state} label />;
    case "target":
      return <TargetCell row={row} fill={fill} />;
    case "offset":
    case "end":
      return <NumberCell bytes={row[column]} />;
    case "length":
      return <LengthCell bytes={row.length} longest={longest} />;
    case "from":
      return <FromCell row={row} />;
    case "read":
    default:
      return <ReadCell row={row} />;
  }
}

function KeyCell({ row, within }: Pick<ManifestCellProps, "row" | "within">) {
  const { key, coordinates } = row;
  if (coordinates === undefined) return <StrayKey row={row} />;
  return (
    <span className={styles.key} title={key}>
      <bdi dir="ltr">{shortKey(key, within)}</bdi>
    </span>
  );
}

function StrayKey({ row: { key, reasons } }: { readonly row: ViewRow }) {
  return (
    <span className={styles.stray} title={`Not a chunk. ${useMessage(...reasons) ?? ""}`}>
      <span className={styles.strayMark} role="img" aria-label="not a chunk">
        !
      </span>
      <span className={styles.mono}>{key}</span>
    </span>
  );
}

function TargetCell({ row, fill }: { readonly row: ViewRow; readonly fill: string | undefined }) {
  const { state, target, reasons } = row;
  if (typeof target === "string" && target !== "") return <Url url={target} />;
  if (state === "bad") return <Reasons reasons={reasons} />;
  if (state === "missing") return <Quiet tone="faint" text={fillWords(fill)} />;
  if (state === "unknown") return <Quiet tone="faint" text="not asked for yet" />;
  if (state === "inline") return <Quiet tone="faint" text="in the set itself" />;
  if (target === "") return <Quiet tone="faint" text="empty URL" />;
  return <Quiet tone="faint" text={state === "native" ? "the store itself" : "null URL"} />;
}

function Reasons({ reasons }: Pick<ViewRow, "reasons">) {
  return <Quiet tone="bad" text={useMessage(...reasons) ?? "cannot be understood"} />;
}

function Quiet({ tone, text }: { readonly tone: "bad" | "faint"; readonly text: string }) {
  return (
    <span className={styles.quiet} data-tone={tone} title={text}>
      {text}
    </span>
  );
}

/** Both ends of the URL stay in sight, its middle is cut where it does not fit. */
export function Url({ url }: { readonly url: string }) {
  const shown = shownTarget(url);
  const { head, tail } = splitTarget(shown);
  return (
    <span className={styles.url} title={shown}>
      <span className={styles.urlHead}>{head}</span>
      <span className={styles.urlTail}>
        <bdi dir="ltr">{tail}</bdi>
      </span>
    </span>
  );
}

function FromCell({ row }: { readonly row: ViewRow }) {
  return (
    <span className={styles.mono} title={originLines(row.origin).join("\n")}>
      {originText(row.origin)}
    </span>
  );
}

/** With a bar, so that the long and the short are seen without reading. */
function LengthCell({ bytes, longest }: { readonly bytes: number | undefined; readonly longest: number }) {
  if (bytes === undefined) return null;
  const share = longest === 0 ? 0 : Math.min(1, bytes / longest);
  return (
    <span className={styles.length}>
      {longest === 0 ? null : (
        <span className={styles.bar} aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </span>
      )}
      <NumberCell bytes={bytes} />
    </span>
  );
}

function NumberCell({ bytes }: { readonly bytes: number | undefined }) {
  if (bytes === undefined) return null;
  const title = bytes < 10_000 ? formatExactBytes(bytes) : `${formatExactBytes(bytes)} (${formatBytes(bytes)})`;
  return <span title={title}>{formatCount(bytes)}</span>;
}

// What reading the chunk gave: how much came out, or why nothing did.

function ReadCell({ row: { result, read, coordinates } }: { readonly row: ViewRow }) {
  const explain = useExplain();
  // A key that is no chunk is never read.
  if (coordinates === undefined) return null;
  const { words, title } = readWords(read, explain);
  return (
    <span className={styles.read} data-result={result} title={title}>
      <span aria-hidden="true">{RESULT_SIGNS[result]}</span> {words}
    </span>
  );
}

function readWords(read: ViewRow["read"], explain: ReturnType<typeof useExplain>) {
  if (read === undefined) return { words: "not read", title: "This chunk has not been read yet" };
  if (read.result === "ok") {
    if (read.bytes === undefined) return { words: "read", title: "Read; it has no bytes of its own" };
    return { words: formatBytes(read.bytes), title: `Read: ${formatExactBytes(read.bytes)} decoded` };
  }
  const said = read.why === undefined ? undefined : explain?.(read.why);
  return { words: said?.brief ?? "failed", title: said?.message ?? "Reading failed" };
}
