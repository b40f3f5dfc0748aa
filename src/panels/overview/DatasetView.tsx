/** A group as a dataset, as xarray's users know it: dimensions, data variables, coordinates, attributes. */
import { useMemo, useState } from "react";
import type { CardVariable, DatasetCard } from "../../core/dataset-card.ts";
import type { NodeSummary, SetSummary } from "../../core/open-set.ts";
import { useActions, useEngine } from "../../store/react.tsx";
import { countOf, formatCount } from "../../widgets/number-format.ts";
import { SearchField } from "../../widgets/SearchField.tsx";
import { Unanswered } from "../../widgets/Unanswered.tsx";
import { AttributeList } from "./AttributeList.tsx";
import type { CardReader } from "./card-reader.ts";
import { CardHead, Dimensions } from "./CardHead.tsx";
import { CoordinateRow } from "./CoordinateRow.tsx";
import { GroupList } from "./GroupList.tsx";
import { GeoreferencePart, LevelsPart } from "./LevelsPart.tsx";
import { LimitedList } from "./LimitedList.tsx";
import { useOutcomes } from "./use-outcomes.ts";
import { VariableRow } from "./VariableRow.tsx";
import { shownVariables, type ShownVariable } from "./shown-variables.ts";
import styles from "./DatasetView.module.css";

interface DatasetViewProps {
  readonly set: SetSummary;
  readonly path: string;
  readonly reader: CardReader;
}

export function DatasetView({ set, path, reader }: DatasetViewProps) {
  const answer = useEngine("set.card", { set: set.id, path });
  const { data: card } = answer;
  if (card === undefined || card.path !== path) return <Unanswered answer={answer} label="Looking at the metadata" />;
  return <Card set={set} card={card} reader={reader} />;
}

interface CardProps {
  readonly set: SetSummary;
  readonly card: DatasetCard;
  readonly reader: CardReader;
}

function Card({ set, card, reader }: CardProps) {
  const { path, title, summary } = card;
  const name = path === "" ? set.name : (path.split("/").at(-1) ?? path);
  return (
    <>
      <CardHead title={title ?? name} facts={headFacts(card, title === undefined ? [] : [name])}>
        {summary === undefined || summary === title ? null : (
          <p className={styles.summary} title={summary}>
            {summary}
          </p>
        )}
        <Dimensions dimensions={card.dimensions} />
      </CardHead>
      <LevelsPart sets={card.levels} />
      <GeoreferencePart georeference={card.georeference} />
      <Variables nodes={set.nodes} set={set.id} card={card} reader={reader} />
      <GroupList groups={card.groups} />
      <AttributeList card={card} />
    </>
  );
}

/** "CF-1.10 · 3 data variables, 3 coordinates, 2 others" */
function headFacts({ path, conventions, variables, groups }: DatasetCard, names: readonly string[]): readonly string[] {
  const of = (...roles: readonly CardVariable["role"][]) => variables.filter(({ role }) => roles.includes(role)).length;
  const [data, coordinates, others] = [of("data"), of("dimension", "coordinate"), of("other")];
  const counts = [
    ...(data > 0 ? [countOf(data, "data variable")] : []),
    ...(coordinates > 0 ? [countOf(coordinates, "coordinate")] : []),
    ...(others > 0 ? [countOf(others, "other")] : []),
    ...(groups.length > 0 ? [countOf(groups.length, "group")] : []),
  ].join(", ");
  const place = path.includes("/") ? [path] : names;
  return [...(conventions === undefined ? [] : [conventions]), ...place, ...(counts === "" ? [] : [counts])];
}

interface VariablesProps {
  readonly set: number;
  readonly nodes: readonly NodeSummary[];
  readonly card: DatasetCard;
  readonly reader: CardReader;
}

/** More than this have a field to search them. */
const MANY = 50;

function Variables({ set, nodes, card, reader }: VariablesProps) {
  const [sought, setSought] = useState("");
  const outcomes = useOutcomes(set);
  const all = useMemo(() => shownVariables(card, nodes), [card, nodes]);
  const found = useMemo(() => all.filter(({ variable }) => matches(variable, sought)), [all, sought]);
  const of = (...roles: readonly CardVariable["role"][]) =>
    found.filter(({ variable: { role } }) => roles.includes(role));
  const row = (shown: ShownVariable) => (
    <VariableRow key={shown.variable.path} shown={shown} outcome={outcomes.get(shown.variable.path)} reader={reader} />
  );
  if (all.length === 0) return <NoVariables hasGroups={card.groups.length > 0} />;
  return (
    <>
      {all.length > MANY ? (
        <div className={styles.search}>
          <SearchField label="Find a variable" value={sought} onChange={setSought} />
          <span role="status">{sought === "" ? "" : `${formatCount(found.length)} of ${formatCount(all.length)}`}</span>
        </div>
      ) : null}
      <LimitedList key={`data ${sought}`} title="Data variables" items={of("data")} row={row} />
      <LimitedList
        key={`coordinates ${sought}`}
        title="Coordinates"
        items={of("dimension", "coordinate")}
        row={(shown) => <CoordinateRow key={shown.variable.path} shown={shown} reader={reader} />}
      />
      <LimitedList
        key={`other ${sought}`}
        title="Other data variables"
        note="without units or a name"
        items={of("other")}
        row={row}
      />
      {found.length === 0 ? <p className={styles.none}>No variable here has “{sought}” in its name.</p> : null}
    </>
  );
}

function matches({ name, title = "", units = "" }: CardVariable, sought: string): boolean {
  const text = `${name}\n${title}\n${units}`.toLowerCase();
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function NoVariables({ hasGroups }: { readonly hasGroups: boolean }) {
  const actions = useActions();
  return (
    <p className={styles.none}>
      There is no array here itself.{" "}
      {hasGroups ? (
        "Select one of the groups below."
      ) : (
        <>
          <button type="button" data-kind="link" onClick={() => actions.showView("metadata")}>
            Metadata
          </button>{" "}
          has all that is stored.
        </>
      )}
    </p>
  );
}
