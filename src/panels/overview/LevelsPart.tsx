/** The resolutions of a picture that the group declares, and where the picture lies. */
import { Fragment } from "react";
import type { Georeference } from "../../core/conventions/georeference.ts";
import type { CardLevel, CardLevels } from "../../core/dataset-card.ts";
import { countOf, formatChunks, formatCount, formatShape } from "../../widgets/number-format.ts";
import { NodeLink } from "./CardHead.tsx";
import { TableHead } from "../../widgets/TableHead.tsx";
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
        <div className={styles.scroll}>
          <table className={styles.table}>
            <TableHead names={["Level", "Path", "Shape", "Chunks", ...(hasSizes ? ["Element size"] : [])]} />
            <tbody>
              {levels.map((level, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- paths may repeat, positions may not
                <LevelRow key={at} level={level} hasSizes={hasSizes} />
              ))}
            </tbody>
          </table>
        </div>
      </section>
    );
  });
}

function LevelRow({ level, hasSizes }: { readonly level: CardLevel; readonly hasSizes: boolean }) {
  const { path, words, kind, shape, chunks, arrays, elementSize = "" } = level;
  const isThere = kind !== "absent" && kind !== "unknown";
  return (
    <tr>
      <th scope="row">{words}</th>
      <td>
        {isThere ? (
          <NodeLink path={path} title={path}>
            {path}
          </NodeLink>
        ) : (
          <code>{path}</code>
        )}
      </td>
      <td>
        {shape === undefined ? WITHOUT_SHAPE[kind] : formatShape(shape)}
        {kind === "group" && arrays > 1 ? <span> the largest of {countOf(arrays, "array")}</span> : null}
      </td>
      <td>{chunks === undefined ? "" : formatChunks(chunks)}</td>
      {hasSizes ? <td>{elementSize}</td> : null}
    </tr>
  );
}

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
