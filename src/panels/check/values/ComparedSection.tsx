/** Facts that were compared, and agree; and those that are stated once. Those that disagree are among the problems. */
import { comparisonWords, isComparison, QUANTITY_WORDS } from "#core/check/compared-words.ts";
import type { Compared } from "#core/check/statement.ts";
import { sourceText } from "#core/findings/catalogue/witness.ts";
import { formatCount } from "#widgets/number-format.ts";
import type { SmallColumn } from "#widgets/small-table/model.ts";
import { SmallTable } from "#widgets/small-table/SmallTable.tsx";
import styles from "./ValuesSection.module.css";

/** More are shown when asked for. */
const FIRST = 8;

const COLUMNS: readonly SmallColumn<Compared>[] = [
  { id: "quantity", header: "Quantity", value: ({ quantity }) => QUANTITY_WORDS[quantity] },
  { id: "array", header: "Array", names: true, value: ({ subject }) => (subject === "" ? "/" : subject) },
  {
    id: "sources",
    header: "Stated by",
    room: "wrap",
    value: ({ sources }) => sources.map(sourceText).join(", "),
  },
  {
    id: "result",
    header: "Result",
    room: "wrap",
    value: comparisonWords,
    cell: (one) => <span className={isComparison(one) ? undefined : "faint"}>{comparisonWords(one)}</span>,
  },
];

export function ComparedSection({ compared }: { readonly compared: readonly Compared[] }) {
  const agreeing = compared.filter((one) => isComparison(one) && one.agrees);
  const once = compared.filter((one) => !isComparison(one));
  if (agreeing.length + once.length === 0) return null;
  const about = [
    ...(agreeing.length === 0 ? [] : [`${formatCount(agreeing.length)} agree`]),
    ...(once.length === 0 ? [] : [`${formatCount(once.length)} stated once`]),
  ];
  return (
    <section className={styles.values} aria-labelledby="compared-facts">
      <div className={styles.head}>
        <h3 className="ink subject" id="compared-facts">
          Compared facts
        </h3>
        <span>{about.join(", ")}</span>
      </div>
      <SmallTable labelledBy="compared-facts" columns={COLUMNS} rows={[...agreeing, ...once]} step={FIRST} />
    </section>
  );
}
