import { useMemo } from "react";
import { type ChunkEdges, isRegular, edgesText } from "#core/metadata/chunk-grid.ts";
import { levelWords } from "#core/conventions/level-labels.ts";
import type { CardVariable } from "#core/dataset-card.ts";
import type { Finding } from "#core/findings/finding.ts";
import type { ArrayDetail, CodecSummary, DimensionSummary, NodeSummary, SetSummary } from "#core/open-set.ts";
import { describedAs } from "#core/values/value-text.ts";
import { typeName } from "#core/metadata/data-type.ts";
import { useActions, useAppState, useEngine } from "#store/react.tsx";
import { ByteSize } from "#widgets/notes/marks.tsx";
import { type Definition, DefinitionList } from "#widgets/DefinitionList.tsx";
import { ErrorNotice, useMessage } from "#widgets/notes/Notices.tsx";
import { Section } from "#widgets/Section.tsx";
import { codecDetail } from "#widgets/zarr-words.ts";
import { formatChunks, formatCount, formatEdges, formatShape } from "#widgets/number-format.ts";
import { Button } from "#widgets/controls/Button.tsx";
import { CardHead, NodeLink } from "./CardHead.tsx";
import { DatasetView } from "./DatasetView.tsx";
import { GeoreferencePart } from "./LevelsPart.tsx";
import styles from "./OverviewPanel.module.css";
import { SideColumn } from "./SideColumn.tsx";
import { SmallTable } from "#widgets/small-table/SmallTable.tsx";
import { dimensionsText, Health, Range, typeWords, VariablePicture, type VariableRowProps } from "./VariableRow.tsx";
import { type ShownVariable, shownVariables } from "./shown-variables.ts";
import { ShownCard, useCardReader, useLook, useLookOf } from "./use-card-reader.ts";
import { useOutcomes } from "./VariableHealth.tsx";
import type { VariableLook } from "./variable-look.ts";

/** The card of the open set: what the selected group or array is, and where its chunks come from. */
export function OverviewPanel() {
  const set = useAppState((state) => state.set);
  return set === undefined ? null : <Overview set={set} />;
}

function Overview({ set }: { readonly set: SetSummary }) {
  const path = useAppState((state) => state.node);
  const node = set.nodes.find((one) => one.path === path);
  return (
    <ShownCard value={useCardReader(set)}>
      <div className={styles.panel}>
        <div className={styles.page}>
          <div key={path} className={styles.main}>
            {node?.kind === "broken" ? (
              <Broken path={path} reason={node.reason} />
            ) : node?.kind === "array" ? (
              <ArrayCard set={set} node={node} />
            ) : (
              <DatasetView set={set} path={path} />
            )}
          </div>
          <SideColumn set={set} path={path} />
        </div>
      </div>
    </ShownCard>
  );
}

function Broken({ path, reason }: { readonly path: string; readonly reason: Finding | undefined }) {
  const message = useMessage(reason);
  return (
    <>
      <CardHead title={path === "" ? "The whole dataset" : path} facts={["broken node"]} />
      <p className={styles.broken}>
        <b className="bad">✕ Invalid metadata</b> {message} The Metadata view shows the documents as stored in the set.
      </p>
    </>
  );
}

// An array as a card: its picture, what it is, its range, and what its metadata say.

function ArrayCard({ set, node }: { readonly set: SetSummary; readonly node: NodeSummary }) {
  const { path } = node;
  // With its neighbours: the coordinates along its dimensions are among them.
  const group = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const card = useEngine("set.card", { set: set.id, path: set.nodes[0]?.kind === "array" ? path : group }).data;
  const shown = useMemo(
    () => (card === undefined ? [] : shownVariables(card, set.nodes)).find(({ item }) => item.path === path),
    [card, set.nodes, path],
  );
  const outcome = useOutcomes(set.id).get(path);
  const isRoot = path === "";
  return (
    <>
      <CardHead
        {...(isRoot ? { title: set.name } : {})}
        facts={[...(isRoot ? ["one array, without a group"] : []), ...factsOf(node, shown)]}
      />
      <div className={styles.cardReserved}>
        {shown === undefined ? null : <Values shown={shown} outcome={outcome} />}
      </div>
      <ArrayGeoreference set={set.id} path={path} />
      <ArraySection set={set.id} path={path} />
    </>
  );
}

/** Georeference by its own attributes, or the CRS of its group. */
function ArrayGeoreference({ set, path }: { readonly set: number; readonly path: string }) {
  const card = useEngine("set.card", { set, path }).data;
  return <GeoreferencePart georeference={card?.path === path ? card.georeference : undefined} />;
}

/** "sea surface temperature, °C · (time, lat, lon) · int16, packed" */
function factsOf(
  { shape = [], dimensionNames = [], level }: NodeSummary,
  shown: ShownVariable | undefined,
): readonly string[] {
  const variable: CardVariable | undefined = shown?.variable;
  const described = describedAs(variable?.title, variable?.units);
  return [
    ...(described === "" ? [] : [described]),
    ...(level === undefined ? [] : [levelWords(level)]),
    dimensionsText(dimensionNames, shape),
    formatShape(shape),
    ...(variable === undefined ? [] : [typeWords(variable)]),
  ];
}

function Values({ shown, outcome }: VariableRowProps) {
  const actions = useActions();
  const { variable, item, needs } = shown;
  const { ref, look, read } = useLook(item, needs);
  return (
    <ul aria-label="Values">
      <li ref={ref} className={styles.values}>
        <VariablePicture name={variable.name} path={variable.path} look={look} onRead={read} large />
        <div className={styles.known}>
          <Steps look={look} />
          <Range look={look} />
          <Health shown={shown} outcome={outcome} />
          <Button onClick={() => actions.showView("data")}>Show its values</Button>
        </div>
      </li>
    </ul>
  );
}

/** Steps of a coordinate. */
function Steps({ look }: { readonly look: VariableLook }) {
  if (look.kind !== "axis") return null;
  return (
    <div>
      <p className="heading">{look.range}</p>
      <p className="quiet fine">{look.steps}</p>
    </div>
  );
}

/** Description of an array's metadata. */
function ArraySection({ set, path }: { readonly set: number; readonly path: string }) {
  const answer = useEngine("set.node", { set, path });
  const { data, error } = answer;
  const shardShape = useAppState((state) => state.set?.nodes.find((node) => node.path === path)?.shardShape);
  if (error !== undefined) return <ErrorNotice error={error} onRetry={answer.retry} />;
  if (data?.array === undefined || data.path !== path) return <div className={styles.reserved} />;
  const { array } = data;
  return (
    <div className={styles.array}>
      <Section title="Array">
        <DefinitionList items={arrayFacts(array, shardShape)} />
      </Section>
      <Section title="Codecs, in the order of decoding">
        <Codecs codecs={array.codecs} />
      </Section>
      <Section title="Dimensions" aside={formatCount(array.dimensions.length)} wide>
        <Dimensions dimensions={array.dimensions} path={path} />
      </Section>
    </div>
  );
}

/** An example of a key by how coordinates are joined in it. */
const KEY_WORDS: Readonly<Record<ArrayDetail["separator"], string>> = {
  ".": "0.0, with dots",
  "/": "0/0, with slashes",
  "c.": "c.0.0, with dots",
  "c/": "c/0/0, with slashes",
};

const NO_KEYS = "none (inner chunks have no keys)";

function arrayFacts(array: ArrayDetail, shardShape: readonly ChunkEdges[] | undefined): readonly Definition[] {
  const hint = fillValueHint(array);
  return [
    { term: "Data type", description: <code>{typeName(array.dtype)}</code> },
    { term: "Chunk grid", description: array.isRectilinear === true ? gridWords(array, shardShape) : undefined },
    { term: "Decoded chunk size", description: <DecodedSize {...array} /> },
    { term: "Order in a chunk", description: array.order === "C" ? "C (rows first)" : "F (columns first)" },
    { term: "Shard", description: shardShape && <ShardLengths edges={shardShape} /> },
    { term: "Chunk keys", description: shardShape === undefined ? KEY_WORDS[array.separator] : NO_KEYS },
    {
      term: "Fill value",
      description: <Written text={array.fillValue} absent="none: a missing chunk has no defined values" />,
    },
    { term: "_FillValue", description: <Written text={array.fillAttribute} absent="none" /> },
    { term: "Note", description: hint && <span className={styles.hint}>! {hint}</span> },
  ];
}

function gridWords({ dimensions }: ArrayDetail, shards: readonly ChunkEdges[] | undefined): string {
  const isEqual = isRegular(shards ?? dimensions.map(({ chunk }) => chunk));
  const what = shards === undefined ? "chunks" : "shards";
  return isEqual ? `rectilinear, with ${what} of equal lengths` : `rectilinear: ${what} of unequal lengths`;
}

/** From the smallest chunk's size, if they are unequal. */
function DecodedSize({
  leastChunkBytes: least,
  chunkBytes: most,
}: Pick<ArrayDetail, "leastChunkBytes" | "chunkBytes">) {
  if (most === undefined) return "of any size";
  if (least === undefined) return <ByteSize bytes={most} />;
  return (
    <>
      <ByteSize bytes={least} /> to <ByteSize bytes={most} />
    </>
  );
}

/** More characters are left out. */
const MAX_LENGTHS = 60;

/** For unequal chunks: the shortest and longest, then all of them as space allows. */
function ChunkLengths({ edges }: { readonly edges: ChunkEdges }) {
  if (typeof edges === "number") return formatEdges(edges);
  const text = edgesText(edges);
  const shown = text.length > MAX_LENGTHS ? `${text.slice(0, text.lastIndexOf(",", MAX_LENGTHS))}, …` : text;
  return (
    <span title={text}>
      {formatEdges(edges)} <small className="faint">{shown}</small>
    </span>
  );
}

function ShardLengths({ edges }: { readonly edges: readonly ChunkEdges[] }) {
  const text = edges.map(edgesText).join(" by ");
  return <span title={isRegular(edges) ? undefined : text}>{formatChunks(edges)}</span>;
}

function Written({ text, absent }: { readonly text: string | undefined; readonly absent: string }) {
  return text === undefined || text === "null" ? <span className="faint">{absent}</span> : <code>{text}</code>;
}

interface DimensionsProps {
  readonly dimensions: readonly DimensionSummary[];
  /** Path of the array. */
  readonly path: string;
}

function Dimensions({ dimensions, path }: DimensionsProps) {
  if (dimensions.length === 0) return <p className="faint">None: the array is a scalar, in one chunk.</p>;
  return (
    <SmallTable
      columns={[
        {
          id: "name",
          header: "Name",
          names: true,
          value: ({ name }) => name,
          cell: ({ name }) => name ?? <span className="faint">unnamed</span>,
        },
        { id: "length", header: "Length", numeric: true, value: ({ length }) => length },
        {
          id: "chunk",
          header: "Chunk",
          numeric: true,
          value: ({ chunk }) => (typeof chunk === "number" ? chunk : edgesText(chunk)),
          cell: ({ chunk }) => <ChunkLengths edges={chunk} />,
        },
        { id: "chunks", header: "Chunks", numeric: true, value: ({ chunks }) => chunks },
        {
          id: "coordinates",
          header: "Coordinates",
          room: "wrap",
          width: "45%",
          value: coordinatesText,
          cell: (dimension) => <Coordinates dimension={dimension} path={path} />,
        },
      ]}
      rows={dimensions}
    />
  );
}

interface CoordinatesProps extends Omit<DimensionsProps, "dimensions"> {
  readonly dimension: DimensionSummary;
}

/** Their range where it is known; else the array that has them, which is one click away. */
function Coordinates({ dimension, path }: CoordinatesProps) {
  const text = coordinatesText(dimension);
  const place = coordinatesPath(path, dimension.name);
  const look = useLookOf(place ?? "");
  const known = useAppState((state) => state.set?.nodes.some((node) => node.path === place && node.kind === "array"));
  if (place !== undefined && look.kind === "axis") return `${look.range}, ${look.steps}`;
  if (text !== "") return <span title={text}>{text}</span>;
  if (place === undefined || known !== true) return <span className="faint">no coordinate array</span>;
  if (place === path) return <span className="faint">this array</span>;
  return (
    <span className="faint">
      in array <NodeLink path={place}>{dimension.name}</NodeLink>
    </span>
  );
}

/** The array of the dimension's name in the same group (CF conventions, 5: coordinate variables). */
function coordinatesPath(path: string, name: string | undefined): string | undefined {
  return name === undefined ? undefined : path.slice(0, path.lastIndexOf("/") + 1) + name;
}

function coordinatesText({ first, last, units }: DimensionSummary): string {
  if (first === undefined) return "";
  const range = last === undefined || last === first ? first : `${first} … ${last}`;
  return units === undefined ? range : `${range} ${units}`;
}

function Codecs({ codecs }: { readonly codecs: readonly CodecSummary[] }) {
  if (codecs.length === 0) return <p className="faint">None: chunks are stored as they are.</p>;
  return (
    <ol className={styles.codecs}>
      {codecs.map((codec, at) => {
        const detail = codecDetail(codec.id, codec.label);
        return (
          // oxlint-disable-next-line react/no-array-index-key -- the same codec may come twice
          <li key={at} className={styles.codec} data-supported={codec.supported}>
            <b title={codec.words}>{codec.id}</b>
            {detail === "" ? null : <span>{detail}</span>}
            {codec.configuration === "" ? null : (
              <code className="break quiet" title={codec.configuration}>
                {codec.configuration}
              </code>
            )}
            {codec.supported ? null : (
              <span className={styles.unsupported}>✕ not supported yet: reading stops here</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

type FillDetail = Pick<ArrayDetail, "zarrFormat" | "fillValue" | "fillAttribute">;

/**
 * Hint if `fill_value` and the attribute `_FillValue` differ: missing chunks read as the first. xarray masks the
 * second; in Zarr v2 the first in its place, if that is not null. Both are JSON texts.
 */
export function fillValueHint({ zarrFormat, fillValue, fillAttribute: attribute }: FillDetail): string | undefined {
  if (attribute === undefined) return undefined;
  if (sameValue(fillValue, attribute)) return undefined;
  if (fillValue === undefined || fillValue === "null")
    return `Missing chunks have no defined value here, while xarray masks ${attribute} (_FillValue).`;
  if (zarrFormat === 2)
    return `Missing chunks read as ${fillValue}, and xarray masks that: in Zarr v2 it takes fill_value in place of the attribute _FillValue (${attribute}), which is not masked.`;
  return `Missing chunks read as ${fillValue}, which xarray does not mask: it masks ${attribute} (_FillValue).`;
}

function sameValue(a: string | undefined, b: string): boolean {
  if (a === undefined) return false;
  if (unquoted(a) === unquoted(b)) return true;
  const [left, right] = [Number(unquoted(a)), Number(unquoted(b))];
  return unquoted(a) !== "" && left === right;
}

/** `"NaN"` is how Zarr v2 writes NaN in JSON. */
const unquoted = (text: string): string => text.replace(/^"(.*)"$/s, "$1");
