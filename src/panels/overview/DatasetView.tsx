/** A group as a dataset, as xarray's users know it: dimensions, data variables, coordinates, attributes. */
import { byKind } from "#core/basics.ts";
import { type ReactNode, useMemo, useState } from "react";
import type { CardGroup, CardVariable, DatasetCard } from "#core/dataset-card.ts";
import type { SetSummary } from "#core/open-set.ts";
import { describedAs } from "#core/values/value-text.ts";
import { useActions, useEngine } from "#store/react.tsx";
import { SearchField } from "#widgets/controls/SearchField.tsx";
import { countOf, formatBytes, formatCount, formatExactBytes, formatShape } from "#widgets/number-format.ts";
import { Unanswered, useMessage } from "#widgets/notes/Notices.tsx";
import { Button, LinkButton } from "#widgets/controls/Button.tsx";
import { CardHead, Dimensions, NodeLink } from "./CardHead.tsx";
import styles from "./DatasetView.module.css";
import { HealthMark, useOutcomes } from "./VariableHealth.tsx";
import { GeoreferencePart, LevelsPart } from "./LevelsPart.tsx";
import { costWords, dimensionsText, typeWords, type VariablePictureProps, VariableRow } from "./VariableRow.tsx";
import { isFolded, ranked, type ShownVariable, shownVariables } from "./shown-variables.ts";
import { useLook } from "./use-card-reader.ts";
import { failureOf, failureWords, type VariableLook } from "./variable-look.ts";

export function DatasetView({ set, path }: { readonly set: SetSummary; readonly path: string }) {
  const answer = useEngine("set.card", { set: set.id, path });
  const { data: card } = answer;
  if (card === undefined || card.path !== path) return <Unanswered answer={answer} label="Reading the metadata" />;
  return <Card set={set} card={card} />;
}

interface CardProps {
  readonly set: SetSummary;
  readonly card: DatasetCard;
}

function Card({ set, card }: CardProps) {
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
      <Variables set={set} card={card} />
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

/** More than this have a field to search them. */
const MANY = 50;

function Variables({ set: { id, nodes, unlisted = false }, card }: CardProps) {
  const [sought, setSought] = useState("");
  const outcomes = useOutcomes(id);
  const all = useMemo(() => ranked(shownVariables(card, nodes), card.dimensions), [card, nodes]);
  const found = useMemo(() => all.filter(({ variable }) => matches(variable, sought)), [all, sought]);
  const of = (...roles: readonly CardVariable["role"][]) =>
    found.filter((one) => roles.includes(one.variable.role) && !isFolded(one));
  const row = (shown: ShownVariable) => (
    <VariableRow key={shown.variable.path} shown={shown} outcome={outcomes.get(shown.variable.path)} />
  );
  if (all.length === 0) return <NoVariables hasGroups={card.groups.length > 0} unlisted={unlisted} />;
  return (
    <>
      {all.length > MANY ? (
        <div className={styles.search}>
          <SearchField label="Find a variable" value={sought} onChange={setSought} />
          <span className="quiet fine" role="status">
            {sought === "" ? "" : `${formatCount(found.length)} of ${formatCount(all.length)}`}
          </span>
        </div>
      ) : null}
      <LimitedList key={`data ${sought}`} title="Data variables" items={of("data")} row={row} />
      <LimitedList
        key={`coordinates ${sought}`}
        title="Coordinates"
        items={of("dimension", "coordinate")}
        row={(shown) => <CoordinateRow key={shown.variable.path} shown={shown} />}
      />
      <LimitedList
        key={`values ${sought}`}
        title="Single values and text"
        items={found.filter(isFolded)}
        row={(shown) => <CoordinateRow key={shown.variable.path} shown={shown} />}
      />
      <LimitedList key={`other ${sought}`} title="Other variables" note="no units" items={of("other")} row={row} />
      {found.length === 0 ? <p className={styles.none}>No variable here matches “{sought}” in its name.</p> : null}
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

function NoVariables({ hasGroups, unlisted }: { readonly hasGroups: boolean; readonly unlisted: boolean }) {
  const actions = useActions();
  return (
    <p className={styles.none}>
      {unlisted
        ? "No arrays known at this level: this store has no consolidated metadata and cannot be listed. Look for one by its path, below the list of arrays. "
        : "No arrays at this level. "}
      {hasGroups ? (
        "Select one of the groups below."
      ) : (
        <>
          <LinkButton onClick={() => actions.showView("metadata")}>Metadata</LinkButton> has all that is stored.
        </>
      )}
    </p>
  );
}

/** The groups in a group: each has a card of its own. */
function GroupList({ groups }: { readonly groups: readonly CardGroup[] }) {
  return (
    <LimitedList
      title="Groups"
      items={groups}
      row={({ path, name, arrays }) => (
        <li key={path} className={styles.groupRow}>
          <NodeLink path={path} title={path}>
            {name}
          </NodeLink>
          <span className="faint fine">{countOf(arrays, "array")}</span>
        </li>
      )}
    />
  );
}

interface LimitedListProps<Item> {
  readonly title: string;
  readonly note?: string;
  readonly items: readonly Item[];
  readonly row: (item: Item) => ReactNode;
}

const FIRST = 50;
const MORE = 200;

/** A titled list of its first rows, with the way to the rest; nothing where there is none. */
function LimitedList<Item>({ title, note, items, row }: LimitedListProps<Item>) {
  const [limit, setLimit] = useState(FIRST);
  if (items.length === 0) return null;
  const rest = items.length - limit;
  return (
    <section className={styles.limitedSection}>
      <h3 tabIndex={-1}>
        {title}{" "}
        <span>
          {formatCount(items.length)}
          {note === undefined ? "" : `, ${note}`}
        </span>
      </h3>
      <ul aria-label={title}>{items.slice(0, limit).map((item) => row(item))}</ul>
      {rest <= 0 ? null : (
        <LinkButton className={styles.more} onClick={() => setLimit(limit + MORE)}>
          and {formatCount(rest)} more
        </LinkButton>
      )}
    </section>
  );
}

/** The group's attributes, and the way to them as they are stored. */
function AttributeList({ card: { attributes, attributeCount } }: { readonly card: DatasetCard }) {
  const actions = useActions();
  const rest = attributeCount - attributes.length;
  return (
    <section className={styles.section} aria-label="Attributes">
      <h3 tabIndex={-1}>
        Attributes <span>{formatCount(attributeCount)}</span>
        <LinkButton onClick={() => actions.showView("metadata")}>Raw metadata</LinkButton>
      </h3>
      {attributeCount === 0 ? <p className="quiet">None are stored here.</p> : null}
      <dl className={styles.list}>
        {attributes.map(({ name, text, isCut }) => (
          <div key={name}>
            <dt className="break faint" title={name}>
              {name}
            </dt>
            <dd>
              {text}
              {isCut ? "…" : ""}
            </dd>
          </div>
        ))}
      </dl>
      {rest > 0 ? <p className="quiet">and {formatCount(rest)} more, in the raw metadata</p> : null}
    </section>
  );
}

// A coordinate in a row of the card: its true range and steps, once it is read.

function CoordinateRow({ shown }: { readonly shown: ShownVariable }) {
  const { variable, node, item, needs } = shown;
  const { ref, look, read } = useLook(item, needs);
  const { path, name, title, units, role, bytes } = variable;
  const described = describedAs(title, units);
  const known = knownOf(look);
  const type = typeWords(variable);
  const isUnknown = bytes === 0 && (node.unknown ?? 0) > 0;
  return (
    <li ref={ref} className={styles.row} title={described === "" ? undefined : described}>
      <h4>
        <NodeLink path={path} view="data" title={`Show the values of ${path}`}>
          {name}
        </NodeLink>
        {role === "dimension" || item.shape.length === 0 ? null : (
          <span>{dimensionsText(item.dimensionNames, item.shape)}</span>
        )}
      </h4>
      <span className={`cut ${styles.range}`} title={known.range}>
        {known.range}
      </span>
      <span className={styles.steps}>{known.steps ?? formatShape(item.shape)}</span>
      <span className={styles.type} title={variable.type.text}>
        {type}
      </span>
      <span className={styles.bytes} title={isUnknown ? undefined : formatExactBytes(bytes)}>
        {isUnknown ? "" : formatBytes(bytes)}
      </span>
      <span className={styles.mark}>
        <Mark name={name} look={look} onRead={read} />
      </span>
    </li>
  );
}

/** Texts of the two columns in the middle. */
function knownOf(look: VariableLook): { readonly range: string; readonly steps?: string } {
  return byKind(look, {
    axis: (axis) => axis,
    unread: ({ cost }) => ({ range: "not read", steps: costWords(cost) }),
    values: (values) => ({ range: valuesRange(values) }),
    failed: (failed) => ({ range: failureWords(failed) }),
    none: { range: "no preview" },
    waiting: { range: "" },
    reading: { range: "" },
  });
}

function valuesRange({ range, isAll }: Extract<VariableLook, { kind: "values" }>): string {
  if (range === undefined) return "no value was read";
  const text = range.low === range.high ? range.low : `${range.low} … ${range.high}`;
  return isAll ? text : `${text} so far`;
}

function Mark({ name, look, onRead }: Pick<VariablePictureProps, "name" | "look" | "onRead">) {
  const error = look.kind === "failed" || look.kind === "values" ? look.error : undefined;
  const message = useMessage(error);
  if (look.kind === "unread") {
    return (
      <Button aria-label={`Read ${name}`} onClick={onRead}>
        Read
      </Button>
    );
  }
  if (error !== undefined) {
    const sign = failureOf(look) === "failed" ? "bad" : "unknown";
    return <HealthMark sign={sign} title={message ?? "It could not be read."} />;
  }
  if (look.kind === "axis") return <HealthMark sign="ok" title="All of it was read" />;
  if (look.kind === "values") {
    const title = look.isAll ? "All of it was read" : "Its first plane was read";
    return <HealthMark sign={look.isAll ? "ok" : "unknown"} title={title} />;
  }
  return <HealthMark sign="unknown" title="Not read yet" />;
}
