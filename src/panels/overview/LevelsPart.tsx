/** The resolutions of a picture that the group declares, and where the picture lies. */
import { Fragment } from "react";
import type { Georeference } from "#core/conventions/georeference.ts";
import type { CardLevel, CardLevels } from "#core/dataset-card.ts";
import { countOf, formatChunks, formatCount, formatShape } from "#widgets/number-format.ts";
import { NodeLink } from "./CardHead.tsx";
import type { SmallColumn } from "#widgets/small-table/model.ts";
import { SmallTable } from "#widgets/small-table/SmallTable.tsx";
import styles from "./LevelsPart.module.css";

export function LevelsPart({ sets }: { readonly sets: readonly CardLevels[] }) {
  return sets.map(({ convention, name, resampling, levels }, at) => {
    const title = name === undefined ? "Levels" : `Levels of ${name}`;
    const hasSizes = levels.some(({ elementSize }) => elementSize !== undefined);
    const note = [formatCount(levels.length), convention, ...(resampling === undefined ? [] : [resampling])].join(", ");
    return (
      // oxlint-disable-next-line react/no-array-index-key -- names may repeat, positions may not
      <section key={at} className={styles.section} aria-label={title}>
        <h3 tabIndex={-1}>
          {title} <span>{note}</span>
        </h3>
        <SmallTable columns={hasSizes ? COLUMNS_WITH_SIZES : COLUMNS} rows={levels} />
      </section>
    );
  });
}

const COLUMNS: readonly SmallColumn<CardLevel>[] = [
  { id: "level", header: "Level", names: true, value: ({ words }) => words },
  {
    id: "path",
    header: "Path",
    value: ({ path }) => path,
    cell: ({ path, kind }) =>
      kind === "absent" || kind === "unknown" ? (
        <code>{path}</code>
      ) : (
        <NodeLink path={path} title={path}>
          {path}
        </NodeLink>
      ),
  },
  {
    id: "shape",
    header: "Shape",
    sorts: false,
    value: ({ shape, kind }) => (shape === undefined ? WITHOUT_SHAPE[kind] : formatShape(shape)),
    cell: ({ shape, kind, arrays }) => (
      <>
        {shape === undefined ? WITHOUT_SHAPE[kind] : formatShape(shape)}
        {kind === "group" && arrays > 1 ? <small> the largest of {countOf(arrays, "array")}</small> : null}
      </>
    ),
  },
  {
    id: "chunks",
    header: "Chunks",
    sorts: false,
    value: ({ chunks }) => (chunks === undefined ? "" : formatChunks(chunks)),
  },
];

const COLUMNS_WITH_SIZES: readonly SmallColumn<CardLevel>[] = [
  ...COLUMNS,
  { id: "size", header: "Element size", sorts: false, value: ({ elementSize = "" }) => elementSize },
];

const WITHOUT_SHAPE: Readonly<Record<CardLevel["kind"], string>> = {
  array: "",
  group: "no known array",
  broken: "its metadata is invalid",
  absent: "not there",
  unknown: "not known: the store cannot be listed",
};

/** The CRS by its code or name, and how elements lie in it; nothing is drawn by it. */
export function GeoreferencePart({ georeference }: { readonly georeference: Georeference | undefined }) {
  if (georeference === undefined) return null;
  const facts = factsOf(georeference);
  if (facts.length === 0) return null;
  return (
    <section className={styles.section} aria-label="Georeference">
      <h3 tabIndex={-1}>Georeference</h3>
      <dl className={styles.facts}>
        {facts.map(([term, text, note]) => (
          <Fragment key={term}>
            <dt>{term}</dt>
            <dd>
              {text} {note === undefined ? null : <span>{note}</span>}
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

type Fact = readonly [term: string, text: string, note?: string];

function factsOf({ crs, dimensions, transform, box, registration }: Georeference): readonly Fact[] {
  return [
    ...(crs === undefined ? [] : [["CRS", crs.text, crs.from] as const]),
    ...(dimensions === undefined ? [] : [["Dimensions of y and x", dimensions.join(", ")] as const]),
    ...(transform === undefined ? [] : [["Transform", transform.join(", "), "spatial:transform"] as const]),
    ...(box === undefined ? [] : [["Box", box.join(", "), "xmin, ymin, xmax, ymax"] as const]),
    ...(registration === undefined ? [] : [["Coordinates are of", registration] as const]),
  ];
}
