/** Differences between the open set (A) and another (B): one array of both, what matters, and places of references. */
import { useState } from "react";
import type { SetSummary } from "#core/open-set.ts";
import { type ArrayPlaces, type PlaceKind, PLACES } from "#core/set-differences.ts";
import {
  differingChunks,
  PLACE_WORDS,
  placesWords,
  toleranceWords,
  UNCOMPARED_WORDS,
} from "#core/words/set-differences-words.ts";
import { showDifferences } from "#store/hooks/show-differences.ts";
import { useActions, useApp, useAppState, useEngine } from "#store/react.tsx";
import type { ComparedWith } from "#store/state.ts";
import { ChangedArraysTable, ChangeMark, NodeChangesTable, PathLink } from "#widgets/changes/ChangeTables.tsx";
import type { Sign } from "#widgets/changes/ChangeTables.tsx";
import { LinkButton } from "#widgets/controls/Button.tsx";
import { ErrorNotice, Unanswered } from "#widgets/notes/Notices.tsx";
import { MoreRows } from "#widgets/notes/part-notes.tsx";
import { formatCount } from "#widgets/number-format.ts";
import type { SmallColumn } from "#widgets/small-table/model.ts";
import { SmallTable } from "#widgets/small-table/SmallTable.tsx";
import { Section } from "#widgets/Section.tsx";
import styles from "./ComparePanel.module.css";
import { ComparedMaps } from "./ComparedMaps.tsx";
import { shownNode } from "./use-compared-planes.ts";
import type { ComparedValues } from "./use-compared-values.ts";
import { ValuesBar } from "./ValuesBar.tsx";
import { WhatDiffers } from "./WhatDiffers.tsx";

export type Found = NonNullable<ComparedWith["found"]>;

const ONLY_A: Sign = { sign: "A", word: "only in A", tone: "bad" };
const ONLY_B: Sign = { sign: "B", word: "only in B", tone: "ok" };
const NODE_SIGNS = {
  removed: ONLY_A,
  added: ONLY_B,
  moved: ONLY_B,
  updated: { sign: "~", word: "metadata differ", tone: "warn" },
} as const;

const PLACE_SIGNS: Readonly<Record<PlaceKind, Pick<Sign, "sign" | "tone">>> = {
  same: { sign: "=", tone: "ok" },
  elsewhere: { sign: "~", tone: "warn" },
  content: { sign: "~", tone: "warn" },
  form: { sign: "~", tone: "warn" },
  onlyA: ONLY_A,
  onlyB: ONLY_B,
  unknown: { sign: "?", tone: "accent" },
};

interface DifferencesProps {
  readonly set: SetSummary;
  readonly found: Found;
  readonly values: ComparedValues;
}

export function Differences({ set, found, values }: DifferencesProps) {
  const { differences, other } = found;
  const arrays = differences.arrays.map(({ path }) => path);
  const selected = useAppState((state) => state.node);
  const [chosen, setChosen] = useState<string>();
  const worst = values.results.find(({ verdict }) => verdict === "differ")?.path;
  const largest = arrays.find((path) => (shownNode(set, path)?.shape.length ?? 0) > 1);
  const path = chosen ?? worst ?? (arrays.includes(selected) ? selected : (largest ?? arrays[0]));
  const metadata = differences.metadata.map(({ path, ...members }) => {
    const node = set.nodes.find((one) => one.path === path)?.kind ?? "group";
    return { path, node, kind: "updated", members } as const;
  });
  return (
    <div className={styles.found} role="group" aria-label="Comparison">
      {path === undefined ? null : <OneArray {...{ set, other, path, values, paths: arrays, onPath: setChosen }} />}
      <Section title="What differs" aside="A → B">
        <WhatDiffers differences={differences} results={values.results} onArray={setChosen} />
      </Section>
      {metadata.length === 0 ? null : (
        <Section title="Metadata" aside="A → B">
          <NodeChangesTable nodes={metadata} signs={NODE_SIGNS} link={nodeLink} />
        </Section>
      )}
      {differences.arrays.length === 0 ? null : (
        <details className={styles.places}>
          <summary>{placesWords(differences)}</summary>
          <Arrays set={set.id} other={other.id} arrays={differences.arrays} />
        </details>
      )}
    </div>
  );
}

interface OneArrayProps {
  readonly set: SetSummary;
  readonly other: SetSummary;
  readonly path: string;
  readonly values: ComparedValues;
  readonly paths: readonly string[];
  readonly onPath: (path: string) => void;
}

/** One array of both, and how it is compared. */
function OneArray({ set, other, path, values, ...rest }: OneArrayProps) {
  const { mode, given, results } = values;
  const answer = useEngine("compare.pair", { set: set.id, other: other.id, path, mode, given }, `${path} ${mode} pair`);
  const pair = answer.last?.request.path === path ? answer.data : undefined;
  const [a, b] = [shownNode(set, path), shownNode(other, path)];
  const result = results.find((one) => one.path === path);
  const about = useEngine("plane.about", { set: set.id, array: path });
  return (
    <>
      <ValuesBar {...{ values, path, ...rest }} usual={pair === undefined ? "" : toleranceWords(pair)} />
      {answer.error === undefined ? null : <ErrorNotice error={answer.error} onRetry={answer.retry} />}
      {pair?.uncompared === undefined ? null : (
        <p className="quiet">{`${path}: ${UNCOMPARED_WORDS[pair.uncompared]}.`}</p>
      )}
      {pair === undefined ||
      pair.uncompared !== undefined ||
      a === undefined ||
      b === undefined ||
      about.stale ||
      about.data?.numeric !== true ? null : (
        <ComparedMaps key={path} array={{ set, other, a, b, pair, scaled: mode === "cf" }} result={result} />
      )}
    </>
  );
}

function NodeLink({ path }: { readonly path: string }) {
  const actions = useActions();
  const isThere = useAppState((state) => state.set?.nodes.some((node) => node.path === path) === true);
  return <PathLink path={path} onSelect={isThere ? () => actions.selectNode(path) : undefined} lacking="only in B" />;
}

const nodeLink = (path: string) => <NodeLink path={path} />;

interface ArraysProps {
  readonly set: number;
  readonly other: number;
  readonly arrays: readonly ArrayPlaces[];
}

/** Those that differ first. */
function Arrays({ set, other, arrays }: ArraysProps) {
  const app = useApp();
  const rows = arrays
    .map((array) => ({
      path: array.path,
      count: differingChunks(array),
      marks: marksOf(array),
      without: undefined,
      first: array.first,
    }))
    .toSorted((a, b) => Number(a.count === 0) - Number(b.count === 0));
  return (
    <ChangedArraysTable
      label="Arrays of both"
      rows={rows}
      link={nodeLink}
      list={({ path }) => <ChunkList {...{ set, other, path }} />}
      onMap={(path) => showDifferences(app, path, rows.find((row) => row.path === path)?.first?.coordinates)}
    />
  );
}

function marksOf({ kinds, uncompared }: ArrayPlaces): readonly Sign[] {
  if (uncompared !== undefined) return [{ ...PLACE_SIGNS.unknown, word: UNCOMPARED_WORDS[uncompared] }];
  return PLACES.filter((kind) => kinds[kind] > 0).map((kind) => ({
    ...PLACE_SIGNS[kind],
    word: `${formatCount(kinds[kind])} ${PLACE_WORDS[kind]}`,
  }));
}

const STEP = 100;

const referenceColumn = (id: "a" | "b", header: string): SmallColumn<Readonly<Record<"a" | "b", string>>> => ({
  id,
  header,
  room: "wrap",
  value: (chunk) => chunk[id],
  cell: ({ [id]: written }) => (written === "" ? "none" : <code>{written}</code>),
});

/** Chunks with other references, and both of these. */
function ChunkList({ path, ...sets }: { readonly set: number; readonly other: number; readonly path: string }) {
  const actions = useActions();
  const [limit, setLimit] = useState(STEP);
  const answer = useEngine("compare.chunks", { ...sets, path, from: 0, to: limit });
  const { chunks, total } = answer.last?.data ?? { chunks: [], total: 0 };
  if (answer.last === undefined) return <Unanswered answer={answer} label="Listing the chunks" cancelled={CANCELLED} />;
  return (
    <>
      <SmallTable
        label={`Chunks of ${path === "" ? "/" : path} that differ`}
        rows={chunks}
        rowKey={({ coordinates }) => coordinates.join(".")}
        tall
        columns={[
          {
            id: "chunk",
            header: "Chunk",
            names: true,
            value: ({ coordinates }) => coordinates.join("."),
            cell: ({ coordinates }) => (
              <LinkButton onClick={() => actions.selectChunk(path, coordinates)}>
                {coordinates.length === 0 ? "the only chunk" : coordinates.join(".")}
              </LinkButton>
            ),
          },
          {
            id: "how",
            header: "How",
            value: ({ kind }) => PLACE_WORDS[kind],
            cell: ({ kind }) => <ChangeMark {...PLACE_SIGNS[kind]} word={PLACE_WORDS[kind]} />,
          },
          referenceColumn("a", "A"),
          referenceColumn("b", "B"),
        ]}
      />
      <MoreRows shown={limit} total={total} step={STEP} onMore={setLimit} />
    </>
  );
}

const CANCELLED = ["Listing was cancelled", "List them"] as const;
