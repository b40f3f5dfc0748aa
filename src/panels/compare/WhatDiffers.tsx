/** Differences between two sets that matter: values, what stands beside them, arrays and keys in one only. */
import type { ArrayValues, SetDifferences, ValuesVerdict } from "#core/set-differences.ts";
import { cut, percent } from "#core/words.ts";
import { amount, BESIDE_WORDS, PLACE_WORDS, valuesAnswer } from "#core/words/set-differences-words.ts";
import { ChangeMark, type Sign } from "#widgets/changes/ChangeTables.tsx";
import { LinkButton } from "#widgets/controls/Button.tsx";
import { useMessage } from "#widgets/notes/Notices.tsx";
import { SmallTable } from "#widgets/small-table/SmallTable.tsx";
import type { SmallColumn } from "#widgets/small-table/model.ts";
import styles from "./ComparePanel.module.css";

/** Those that matter first. */
const VERDICTS: ReadonlyMap<ValuesVerdict | undefined, Sign> = new Map([
  ["differ", { sign: "≠", word: "differ", tone: "bad" }],
  ["part", { sign: "?", word: "not all read", tone: "accent" }],
  ["uncompared", { sign: "?", word: "not comparable", tone: "warn" }],
  [undefined, { sign: "?", word: "not compared", tone: "accent" }],
  ["within", { sign: "≈", word: "same within tolerance", tone: "ok" }],
  ["same", { sign: "=", word: "same", tone: "ok" }],
]);
const ORDER = [...VERDICTS.keys()];

interface Row {
  readonly path: string;
  readonly values: Sign | undefined;
  readonly beside: string;
  readonly result?: ArrayValues | undefined;
  readonly isArray: boolean;
}

function rowsOf({ nodes, arrays, metadata, keys }: SetDifferences, results: readonly ArrayValues[]): readonly Row[] {
  const rank = ({ result }: Row) => ORDER.indexOf(result?.verdict);
  const lone = (path: string, word: string, beside: string): Row => ({
    path,
    beside,
    isArray: false,
    values: { sign: word.startsWith("only in") ? word.slice(-1) : "~", word, tone: "warn" },
  });
  const shared = arrays.map(({ path }): Row => {
    const result = results.find((one) => one.path === path);
    const { steps } = result?.elements ?? {};
    const values = VERDICTS.get(result?.verdict);
    const told = values && steps && steps.of > 1 ? { ...values, word: `${steps.count} of ${steps.of} steps` } : values;
    const beside = result?.beside.map((one) => BESIDE_WORDS[one]) ?? [];
    if (beside.length === 0 && metadata.some((one) => one.path === path)) beside.push("metadata");
    return { path, values: told, beside: beside.join(", ") || "–", result, isArray: true };
  });
  return [
    ...shared.toSorted((one, other) => rank(one) - rank(other)),
    ...nodes.map(({ path, node, in: side }) => lone(path, PLACE_WORDS[side === "a" ? "onlyA" : "onlyB"], node)),
    ...keys.listed.map(({ key, kind }) => lone(key, PLACE_WORDS[kind], "key outside the grids")),
  ];
}

interface WhatDiffersProps {
  readonly differences: SetDifferences;
  readonly results: readonly ArrayValues[];
  readonly onArray: (path: string) => void;
}

export function WhatDiffers({ differences, results, onArray }: WhatDiffersProps) {
  return (
    <SmallTable
      label="What differs"
      rows={rowsOf(differences, results)}
      rowKey={({ path, beside }) => `${path} ${beside}`}
      step={100}
      details={({ result }) => (ORDER.indexOf(result?.verdict) < 3 && result ? <Details result={result} /> : undefined)}
      columns={columnsOf(onArray)}
    />
  );
}

const column = (header: string, more: Omit<SmallColumn<Row>, "id" | "header">): SmallColumn<Row> => ({
  id: header,
  header,
  ...more,
});

const figures = (header: string, text: (result: ArrayValues) => string | undefined): SmallColumn<Row> => {
  const value = ({ result }: Row) => (result?.verdict === "differ" ? text(result) : undefined);
  return column(header, { numeric: true, rank: 1, value });
};

const whereOf = ({ result }: Row) => result?.elements?.where?.map(({ text }) => text).join(", ");

const columnsOf = (onArray: (path: string) => void): readonly SmallColumn<Row>[] => {
  const link = ({ path, isArray }: Row) =>
    isArray ? <LinkButton onClick={() => onArray(path)}>{path || "/"}</LinkButton> : <code>{path || "/"}</code>;
  const mark = ({ values }: Row) => values && <ChangeMark {...values} />;
  return [
    column("Array", { names: true, value: ({ path }) => path || "/", cell: link }),
    column("Values", { value: ({ values }) => values?.word, cell: mark }),
    column("Beside the values", { room: "wrap", value: ({ beside }) => beside }),
    figures(
      "Largest",
      ({ elements, units }) => elements?.largest && amount(Math.abs(elements.largest.difference), units),
    ),
    figures("Mean", ({ elements, units }) => amount(elements?.mean ?? 0, units, true)),
    figures("Elements", ({ elements }) => elements && percent(elements.differing / Math.max(1, elements.compared))),
    column("Where", { room: "wrap", rank: 2, value: whereOf }),
  ];
};

/** Chunks of an array that were read, why some was not, and the first difference with both references. */
function Details({ result }: { readonly result: ArrayValues }) {
  const { first, failure, failedIn = "" } = result;
  const message = useMessage(failure);
  const value = (side: "a" | "b") => (
    <>
      <b>{first?.values[side]}</b> ({side.toUpperCase()},{" "}
      <code className={styles.place}>
        {first?.chunks[side].key} {cut(first?.chunks[side].reference || "missing", 80)}
      </code>
      )
    </>
  );
  return (
    <div className="stack gap-4">
      <p>{valuesAnswer(result)}.</p>
      {message === undefined ? null : <p className="quiet">{`${failedIn.toUpperCase()}: ${message}`}</p>}
      {first === undefined ? null : (
        <p>
          First at [{first.element.join(", ")}]: {value("a")} <span aria-label="becomes">→</span> {value("b")}
        </p>
      )}
    </div>
  );
}
