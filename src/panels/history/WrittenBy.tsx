/** Which commit last wrote each chunk of the selected array: the grid in small, and the commits with their counts. */
import { useState } from "react";
import { type ArrayBlame, BLAME_KINDS, type BlamedChunks } from "#core/blame.ts";
import { cellCount, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { NodeSummary } from "#core/open-set.ts";
import { chunkToSelect } from "#core/changed-chunk.ts";
import { commitTitle, commitWords } from "#core/words/commit-words.ts";
import { useActions, useApp, useAppState, useEngine } from "#store/react.tsx";
import { showDifferences } from "#store/hooks/show-differences.ts";
import { shownNode } from "#store/state.ts";
import { ageTint } from "#widgets/cell-map/palette.ts";
import { Legend, LegendEntry } from "#widgets/cell-map/Legend.tsx";
import { Button, LinkButton } from "#widgets/controls/Button.tsx";
import { ErrorNotice, Unanswered } from "#widgets/notes/Notices.tsx";
import { countOf, formatCount } from "#widgets/number-format.ts";
import styles from "./HistoryPanel.module.css";

/** Commits whose logs, and chunks whose references are read unasked. */
const FREE = { commits: 100, chunks: 100_000 } as const;
/** Chunks that are drawn here; the map of Chunks draws any number. */
const MAX_DRAWN = 600;
const CANCELLED = ["Reading the history was cancelled", "Read it"] as const;

export function WrittenBy({ set, commits }: { readonly set: number; readonly commits: number }) {
  const node = useAppState(shownNode);
  if (node?.grid === undefined || node.path === "") return null;
  return <Written key={node.path} {...{ set, node, commits }} />;
}

interface WrittenProps {
  readonly set: number;
  readonly node: NodeSummary;
  /** Commits that lead to the open snapshot. */
  readonly commits: number;
}

function Written({ set, node, commits }: WrittenProps) {
  const [allowed, allow] = useState(commits <= FREE.commits && (node.cells ?? 0) <= FREE.chunks);
  const answer = useEngine("repository.blame", allowed ? { set, array: node.path } : undefined);
  const { data } = answer;
  return (
    <section aria-label="Written by" className={styles.card}>
      <h3 className={styles.cardTitle}>Who wrote {node.name}?</h3>
      {!allowed ? (
        <Button onClick={() => allow(true)}>Read its history ({countOf(commits, "commit")})</Button>
      ) : data === undefined ? (
        <Unanswered answer={answer} label="Reading the history of the array" cancelled={CANCELLED} />
      ) : (
        <Blame {...{ set, node }} blame={data} />
      )}
    </section>
  );
}

function Blame({ set, node, blame }: Omit<WrittenProps, "commits"> & { readonly blame: ArrayBlame }) {
  const app = useApp();
  const [first] = blame.findings;
  const { commits } = blame;
  const cells = cellCount(blame.grid);
  return (
    <>
      {first === undefined ? null : <ErrorNotice error={first} />}
      <p className="quiet">
        {countOf(cells, node.shardShape === undefined ? "chunk" : "shard")} by their last commit{" "}
        <LinkButton onClick={() => showDifferences(app, node.path, undefined, "blame")}>Show on the map</LinkButton>
      </p>
      {cells > MAX_DRAWN ? null : <Cells {...{ set, node, blame }} />}
      <Legend>
        {commits.map((commit, at) => (
          <LegendEntry key={commit.id} title={commitTitle(commit)} count={commit.written}>
            <i className={styles.tint} style={{ background: ageTint(at + 1, commits.length) }} aria-hidden="true" />
            <span className={styles.writer}>{commitWords(commit)}</span>
            {commit.removed === 0 ? null : <span className="faint">({formatCount(commit.removed)} removed)</span>}
          </LegendEntry>
        ))}
        {blame.absent === 0 ? null : <LegendEntry count={blame.absent}>never written</LegendEntry>}
      </Legend>
    </>
  );
}

function Cells({ set, node, blame }: Parameters<typeof Blame>[0]) {
  const actions = useActions();
  const chosen = useAppState((state) => state.chunk);
  const { data } = useEngine("repository.blamedChunks", { set, array: node.path, from: 0, to: cellCount(blame.grid) });
  if (data === undefined) return null;
  const select = (ordinal: number) => {
    const chunk = chunkToSelect(node, coordinatesOf(blame.grid, ordinal));
    if (chunk === undefined) return;
    actions.selectChunk(node.path, chunk);
    actions.showTab("history");
  };
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events jsx-a11y/no-noninteractive-element-interactions -- the map of Chunks is for keys
    <div
      role="img"
      aria-label={`${countOf(data.by.length, "chunk")} of ${node.name} by their last commit`}
      className={styles.cells}
      style={{ gridTemplateColumns: `repeat(${columnsOf(blame.grid)}, 1fr)` }}
      onClick={({ target }) => {
        const at = (target as HTMLElement).dataset["at"];
        if (at !== undefined) select(Number(at));
      }}
    >
      {Array.from(data.by, (by, at) => (
        <i
          key={at}
          data-at={at}
          data-gone={isGone(data, at)}
          data-chosen={
            chosen !== undefined && chosen.join() === chunkToSelect(node, coordinatesOf(blame.grid, at))?.join()
          }
          title={titleOf({ node, blame, data }, at)}
          style={by === 0 || isGone(data, at) ? {} : { background: ageTint(by, blame.commits.length) }}
        />
      ))}
    </div>
  );
}

const isGone = ({ by, kinds }: BlamedChunks, at: number): boolean =>
  by[at] === 0 || ["deleted", "resized"].includes(BLAME_KINDS[kinds[at] ?? 0] ?? "");

interface Blamed {
  readonly node: NodeSummary;
  readonly blame: ArrayBlame;
  readonly data: BlamedChunks;
}

function titleOf({ node, blame, data }: Blamed, at: number): string {
  const commit = blame.commits[(data.by[at] ?? 0) - 1];
  const name = `${node.name} / ${coordinatesOf(blame.grid, at).join(".")}`;
  if (commit === undefined) return `${name}: never written`;
  return `${name}: ${isGone(data, at) ? "removed" : "written"} by “${commitWords(commit)}”`;
}

/** Whole rows of the last dimensions, as many as have room. */
function columnsOf(grid: readonly number[]): number {
  let columns = 1;
  for (const length of grid.toReversed()) {
    if (columns > 1 && columns * length > 18) break;
    columns *= length;
  }
  return Math.max(1, Math.min(columns, 40));
}
