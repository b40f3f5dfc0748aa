import type { ChunkEdges } from "../../core/chunk-edges.ts";
import { isRegular } from "../../core/chunk-grid.ts";
import { edgesText } from "../../core/edges-text.ts";
import type { ArrayDetail, CodecSummary, DimensionSummary } from "../../core/open-set.ts";
import { useActions, useAppState, useEngine } from "../../store/react.tsx";
import { ByteSize } from "../../widgets/ByteSize.tsx";
import { codecDetail } from "../../widgets/codec-words.ts";
import { DefinitionList, type Definition } from "../../widgets/DefinitionList.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { formatChunks, formatCount, formatEdges } from "../../widgets/number-format.ts";
import { fillValueHint } from "./fill-value-hint.ts";
import { Section } from "../../widgets/Section.tsx";
import { TableHead } from "./TableHead.tsx";
import type { CardReader } from "./card-reader.ts";
import { useLookOf } from "./use-card-reader.ts";
import styles from "./ArraySection.module.css";

export interface ArraySectionProps {
  readonly set: number;
  readonly path: string;
  /** Knows the coordinates that were read. */
  readonly reader: CardReader;
}

/** What the metadata of an array says. */
export function ArraySection({ set, path, reader }: ArraySectionProps) {
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
        <Dimensions dimensions={array.dimensions} path={path} reader={reader} />
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

function arrayFacts(array: ArrayDetail, shardShape: readonly ChunkEdges[] | undefined): readonly Definition[] {
  const hint = fillValueHint(array);
  return [
    { term: "Data type", description: <code>{array.dtype}</code> },
    ...(array.isRectilinear === true ? [{ term: "Chunk grid", description: gridWords(array, shardShape) }] : []),
    {
      term: "Whole chunk, decoded",
      description: <DecodedSize least={array.leastChunkBytes} most={array.chunkBytes} />,
    },
    { term: "Order in a chunk", description: array.order === "C" ? "C (rows first)" : "F (columns first)" },
    ...(shardShape === undefined
      ? [{ term: "Chunk keys", description: KEY_WORDS[array.separator] }]
      : [
          { term: "Shard", description: <ShardLengths edges={shardShape} /> },
          { term: "Chunk keys", description: "none: inner chunks are named by coordinates" },
        ]),
    {
      term: "Fill value",
      description: <Written text={array.fillValue} absent="none: a missing chunk has no defined values" />,
    },
    { term: "_FillValue", description: <Written text={array.fillAttribute} absent="none" /> },
    ...(hint === undefined ? [] : [{ term: "Note", description: <span className={styles.hint}>! {hint}</span> }]),
  ];
}

function gridWords({ dimensions }: ArrayDetail, shards: readonly ChunkEdges[] | undefined): string {
  const isEqual = isRegular(shards ?? dimensions.map(({ chunk }) => chunk));
  const what = shards === undefined ? "chunks" : "shards";
  return isEqual ? `rectilinear, with ${what} of equal lengths` : `rectilinear: ${what} of unequal lengths`;
}

interface DecodedSizeProps {
  /** Of the smallest chunk, where they are unequal. */
  readonly least: number | undefined;
  readonly most: number | undefined;
}

function DecodedSize({ least, most }: DecodedSizeProps) {
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

/** Of unequal chunks the shortest and the longest, and below all of them, as far as there is room. */
function ChunkLengths({ edges }: { readonly edges: ChunkEdges }) {
  if (typeof edges === "number") return formatEdges(edges);
  const text = edgesText(edges);
  const shown = text.length > MAX_LENGTHS ? `${text.slice(0, text.lastIndexOf(",", MAX_LENGTHS))}, …` : text;
  return (
    <span title={text}>
      {formatEdges(edges)} <small className={styles.absent}>{shown}</small>
    </span>
  );
}

function ShardLengths({ edges }: { readonly edges: readonly ChunkEdges[] }) {
  const text = edges.map(edgesText).join(" by ");
  return <span title={isRegular(edges) ? undefined : text}>{formatChunks(edges)}</span>;
}

function Written({ text, absent }: { readonly text: string | undefined; readonly absent: string }) {
  return text === undefined || text === "null" ? <span className={styles.absent}>{absent}</span> : <code>{text}</code>;
}

interface DimensionsProps {
  readonly dimensions: readonly DimensionSummary[];
  /** Path of the array. */
  readonly path: string;
  readonly reader: CardReader;
}

function Dimensions({ dimensions, path, reader }: DimensionsProps) {
  if (dimensions.length === 0) return <p className={styles.absent}>None: the array is a scalar, in one chunk.</p>;
  return (
    <table className={styles.table}>
      <TableHead names={["Name", "Length", "Chunk", "Chunks", "Coordinates"]} />
      <tbody>
        {dimensions.map((dimension, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- names may repeat or be absent, positions may not
          <tr key={at}>
            <th scope="row">{dimension.name ?? <span className={styles.absent}>unnamed</span>}</th>
            <td>{formatCount(dimension.length)}</td>
            <td>
              <ChunkLengths edges={dimension.chunk} />
            </td>
            <td>{formatCount(dimension.chunks)}</td>
            <td>
              <Coordinates dimension={dimension} path={path} reader={reader} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CoordinatesProps extends Omit<DimensionsProps, "dimensions"> {
  readonly dimension: DimensionSummary;
}

/** Their range where it is known; else the array that has them, which is one click away. */
function Coordinates({ dimension, path, reader }: CoordinatesProps) {
  const actions = useActions();
  const text = coordinatesText(dimension);
  const place = coordinatesPath(path, dimension.name);
  const look = useLookOf(reader, place ?? "");
  const known = useAppState((state) => state.set?.nodes.some((node) => node.path === place && node.kind === "array"));
  if (place !== undefined && look.kind === "axis") return `${look.range}, ${look.steps}`;
  if (text !== "") return <span title={text}>{text}</span>;
  if (place === undefined || known !== true) return <span className={styles.absent}>no coordinate array</span>;
  if (place === path) return <span className={styles.absent}>this array</span>;
  return (
    <span className={styles.absent}>
      in array{" "}
      <button
        type="button"
        data-kind="link"
        onClick={() => {
          actions.selectNode(place);
        }}
      >
        {dimension.name}
      </button>
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

function CodecDetail({ codec }: { readonly codec: CodecSummary }) {
  const detail = codecDetail(codec.id, codec.label);
  return detail === "" ? null : <span>{detail}</span>;
}

function Codecs({ codecs }: { readonly codecs: readonly CodecSummary[] }) {
  if (codecs.length === 0) return <p className={styles.absent}>None: chunks are stored as they are.</p>;
  return (
    <ol className={styles.codecs}>
      {codecs.map((codec, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the same codec may come twice
        <li key={at} className={styles.codec} data-supported={codec.supported}>
          <b title={codec.words}>{codec.id}</b>
          <CodecDetail codec={codec} />
          {codec.configuration === "" ? null : <code title={codec.configuration}>{codec.configuration}</code>}
          {codec.supported ? null : <span className={styles.unsupported}>✕ not supported yet: reading stops here</span>}
        </li>
      ))}
    </ol>
  );
}
