/** The quick filters: what reading gave, states, keys outside the grid. Each says how many rows it would show. */
import type { ReactNode } from "react";
import type { ChunkState, ReadingResult } from "#core/table/reference.ts";
import { formatCount } from "#widgets/number-format.ts";
import { StateMark, STATE_MEANING } from "#widgets/notes/marks.tsx";
import { Button } from "#widgets/controls/Button.tsx";
import { NO_FILTER, RESULT_SIGNS, isFiltering, toggled } from "./filter-draft.ts";
import { type Manifest, useFacets, useOfferedStates, useResultCounts } from "./use-manifest.ts";
import styles from "./FilterBar.module.css";

interface ChipsProps {
  readonly manifest: Manifest;
  /** Goes to a row of the view without filters. */
  readonly onRow: (row: number) => void;
}

export function Chips({ manifest, onRow }: ChipsProps) {
  const { draft, setDraft, rows } = manifest;
  const info = rows.shown?.info;
  const strays = strayRows(manifest);
  return (
    <div role="group" aria-label="States" className={styles.chips}>
      <Chip
        pressed={!isFiltering(draft)}
        count={info && info.total - strays}
        title="Shows all rows: clears all filters"
        onPress={() => setDraft(NO_FILTER)}
      >
        All
      </Chip>
      <ResultChips manifest={manifest} />
      <StateChips manifest={manifest} />
      {strays === 0 || info === undefined ? null : (
        <Button
          className={styles.chip}
          title="Stray keys match no chunk. Go to the first, at the end of the table."
          onClick={() => {
            setDraft(NO_FILTER);
            onRow(info.total - strays);
          }}
        >
          <span aria-hidden="true" className={styles.warn}>
            △
          </span>
          outside <b className="ink">{formatCount(strays)}</b>
        </Button>
      )}
    </div>
  );
}

/** Rows of an array that are no cells of its grid; 0 where cells have no rows of their own. */
function strayRows({ rows, isArray, listsMissing, node }: Manifest): number {
  const info = rows.shown?.info;
  const isOfNode = rows.shown?.question.spec.scope === node.path;
  if (info === undefined || !isArray || !listsMissing || !isOfNode || node.cells === undefined) return 0;
  return Math.max(0, info.total - node.cells);
}

const RESULTS: readonly { readonly result: ReadingResult; readonly word: string; readonly title: string }[] = [
  { result: "ok", word: "read", title: "Chunks that were read and decoded" },
  { result: "failed", word: "failed", title: "Chunks that could not be read or decoded" },
  { result: "not tried", word: "not read", title: "Chunks not read yet" },
];

function ResultChips({ manifest }: { readonly manifest: Manifest }) {
  const { draft, setDraft } = manifest;
  const counts = useResultCounts(manifest);
  return RESULTS.map(({ result, word, title }) => {
    const pressed = draft.results.includes(result);
    if (!pressed && (counts?.[result] ?? 0) === 0) return null;
    return (
      <Chip
        key={result}
        pressed={pressed}
        count={counts?.[result]}
        title={title}
        mark={
          <span className={styles.sign} data-result={result}>
            {RESULT_SIGNS[result]}
          </span>
        }
        onPress={() => setDraft({ ...draft, results: toggled(draft.results, result) })}
      >
        {word}
      </Chip>
    );
  });
}

const NOT_LISTED = "Grids of more than 50 million chunks list only those that have a reference";

/** A state that all have goes without saying. */
function StateChips({ manifest }: { readonly manifest: Manifest }) {
  const { draft, setDraft, listsMissing } = manifest;
  const counts = useFacets(manifest)?.states;
  const offered = useOfferedStates(manifest);
  const unlisted = (state: ChunkState) => state === "missing" && !listsMissing;
  if (offered.length < 2 && draft.states.length === 0) return null;
  return offered.map((state) => (
    <Chip
      key={state}
      pressed={draft.states.includes(state)}
      count={counts?.[state]}
      disabled={unlisted(state)}
      title={unlisted(state) ? NOT_LISTED : STATE_MEANING[state]}
      mark={<StateMark state={state} />}
      onPress={() => setDraft({ ...draft, states: toggled(draft.states, state) })}
    >
      {state}
    </Chip>
  ));
}

interface ChipProps {
  readonly pressed: boolean;
  readonly count: number | undefined;
  readonly title: string;
  readonly mark?: ReactNode;
  readonly disabled?: boolean;
  readonly onPress: () => void;
  readonly children: string;
}

function Chip({ pressed, count, title, mark, disabled = false, onPress, children }: ChipProps) {
  return (
    <Button
      className={styles.chip}
      aria-pressed={pressed}
      data-none={count === 0}
      disabled={disabled}
      title={title}
      onClick={onPress}
    >
      {mark === undefined ? null : (
        <span aria-hidden="true" className={styles.mark}>
          {mark}
        </span>
      )}
      {children} <b className="ink">{count === undefined ? "–" : formatCount(count)}</b>
    </Button>
  );
}
