/** The lens on a shard of the selected array: which shard is looked at, and its map asked from the engine. */
import { type ReactNode, useState } from "react";
import {
  cellCount,
  type ChunkEdges,
  chunkKey,
  chunkOf,
  chunkStart,
  encodedShape,
  gridOf,
  largestShape,
  ordinalOf,
  shardsInChunks,
} from "#core/metadata/chunk-grid.ts";
import type { NodeSummary, SetSummary, ShardAnswer } from "#core/open-set.ts";
import type { ShardMap } from "#core/table/shard-map.ts";
import { type Answer, useActions, useAppState, useEngine } from "#store/react.tsx";
import { ByteSize } from "#widgets/notes/marks.tsx";
import { EmptyState, ErrorNotice, Loading } from "#widgets/notes/Notices.tsx";
import { dimensionName, fillWords } from "#widgets/zarr-words.ts";
import { countOf, formatCount, formatShare } from "#widgets/number-format.ts";
import { Button, CopyButton, Form, TextField } from "#widgets/controls/Button.tsx";
import { type MapColour, useLengthScale } from "../cell-colours.ts";
import type { PointedChunk } from "../pointed-chunk.ts";
import { ShardMapView } from "./ShardMapView.tsx";
import styles from "./StripPart.module.css";
import { chunkCoordinates, insideCounts, ORDER_WORDS, type ShardArray, type ShardPlace } from "./shard-props.ts";

export interface ShardLensProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  readonly shardShape: readonly ChunkEdges[];
  readonly pointed: PointedChunk;
  readonly colour: MapColour;
}

/** The shard of the selected chunk, until another is asked for: its figures in a line, its bytes, and its inside. */
export function ShardLens(props: ShardLensProps) {
  const { set, node, pointed, colour } = props;
  const scale = useLengthScale(set, node);
  const { shardGrid, innerGrid, onShard, answer, ...shown } = useShard(props);
  const { array, shard } = shown;
  const { stale, data } = answer;
  if (shardGrid.includes(0)) {
    return <EmptyState title="This array has no shards">One of its dimensions has length 0.</EmptyState>;
  }
  const map = data?.state.kind === "shard" ? data.state.map : undefined;
  return (
    <section className={styles.panel} aria-label="Shard map">
      <ShardHead array={array} shard={shard} shardGrid={shardGrid} onShard={onShard}>
        {map === undefined ? null : <ShardSums map={map} />}
      </ShardHead>
      {map === undefined ? (
        <WithoutMap {...{ answer, array, shard, innerGrid }} />
      ) : (
        <ShardMapView {...{ map, stale, colour, pointed, ...shown }} scale={scale} />
      )}
    </section>
  );
}

function useShard({ set, node, shardShape }: ShardLensProps) {
  const actions = useActions();
  const { shape = [], chunks: inner = [] } = node;
  // Inner chunks are all of one shape.
  const chunks = largestShape(inner);
  const shards = shardsInChunks(shardShape, chunks);
  const shardGrid = gridOf(shape, shardShape);
  const chunk = useAppState((state) => state.chunk);
  const selectedShard = chunk && chunkOf(chunk, shards);
  const [asked, setAsked] = useState<readonly number[]>();
  const [followed, setFollowed] = useState(selectedShard?.join());
  if (followed !== selectedShard?.join()) {
    setFollowed(selectedShard?.join());
    if (selectedShard !== undefined) setAsked(undefined);
  }
  const coordinates = asked ?? selectedShard ?? shardGrid.map(() => 0);
  const request = shardGrid.includes(0) ? undefined : { set: set.id, array: node.path, shard: coordinates };
  const answer = useEngine("chunk.shard", request, `shard ${node.path}`);
  const detail = useEngine("set.node", { set: set.id, path: node.path });
  const first = chunkStart(coordinates, shards);
  const innerGrid = encodedShape(shards, coordinates);
  const within = chunk?.map((at, dimension) => at - (first[dimension] ?? 0));
  const isHere = selectedShard?.join() === coordinates.join();
  const shard = { ...nameOfShard(node.path, coordinates, answer.data), coordinates, first };
  const array = {
    shape,
    chunks,
    chunkBytes: answer.data?.chunkBytes,
    dimensionNames: node.dimensionNames,
    fillValue: detail.data?.array?.fillValue,
  };
  return {
    shardGrid,
    answer,
    array,
    shard,
    innerGrid,
    /** The selected chunk's ordinal in the inner grid, where it lies in this shard. */
    selected: within === undefined || !isHere ? undefined : ordinalOf(innerGrid, within),
    onSelect: (ordinal: number) => actions.selectChunk(node.path, chunkCoordinates(shard, innerGrid, ordinal)),
    onShard: setAsked,
  };
}

function nameOfShard(path: string, coordinates: readonly number[], answer: ShardAnswer | undefined) {
  const state = answer?.coordinates.join() === coordinates.join() ? answer.state : undefined;
  if (state?.kind !== "shard") return { key: chunkKey(path, coordinates, "c/"), target: undefined };
  return { key: state.name, target: state.target ?? undefined };
}

interface WithoutMapProps {
  readonly answer: Answer<ShardAnswer>;
  readonly array: ShardArray;
  readonly shard: ShardPlace;
  readonly innerGrid: readonly number[];
}

/** Note in place of the map, if there is none. */
function WithoutMap({ answer, array, shard, innerGrid }: WithoutMapProps) {
  const state = answer.stale ? undefined : answer.data?.state;
  const error = answer.error ?? (state?.kind === "failed" ? state.error : undefined);
  if (error !== undefined) {
    return (
      <div className={styles.without}>
        <ErrorNotice error={error} onRetry={answer.retry} />
        <p className="one-line faint tabular">
          Without the index, the positions of the shard's inner chunks are unknown.
        </p>
      </div>
    );
  }
  if (state === undefined) {
    return (
      <div className={styles.waiting}>
        <Loading label="Reading the shard's index" />
      </div>
    );
  }
  const chunks = cellCount(insideCounts(array, shard, innerGrid));
  return (
    <EmptyState title={`The shard ${shard.key} is missing`}>
      {countOf(chunks, "inner chunk")} of the array {chunks === 1 ? "lies" : "lie"} in it, and{" "}
      {chunks === 1 ? "reads" : "all read"} as {fillWords(array.fillValue)}. Go to another shard above.
    </EmptyState>
  );
}

// Sums of a shard's bytes, in a line.

function ShardSums({ map }: { readonly map: ShardMap }) {
  const gaps = map.gaps.length / 2;
  const damaged = map.faultCount;
  return (
    <ul className={styles.sums} aria-label="Figures of the shard">
      <li>
        <Sum bytes={map.size} /> in all
      </li>
      <li>
        <Sum bytes={map.bytesUsed} of={map.size} /> chunks
      </li>
      {map.bytesDead === 0 ? null : (
        <li data-tone="warn" title="Bytes used by neither the index nor a chunk">
          <Sum bytes={map.bytesDead} of={map.size} /> dead, in {countOf(gaps, "gap")}
        </li>
      )}
      <li>
        <Sum bytes={map.index.length} of={map.size} /> index
      </li>
      {damaged === 0 ? null : (
        <li data-tone="bad">
          <span aria-hidden="true">✕ </span>
          {formatCount(damaged)} damaged
        </li>
      )}
      {map.writeOrder === undefined ? null : (
        <li title="The order in which the chunks lie in the file">written in {ORDER_WORDS[map.writeOrder]}</li>
      )}
    </ul>
  );
}

const Sum = ({ bytes, of }: { readonly bytes: number; readonly of?: number }) => (
  <b>
    <ByteSize bytes={bytes} />
    {of === undefined ? null : ` (${formatShare(bytes, of)})`}
  </b>
);

// Which shard is shown, and the way to others.

interface ShardHeadProps {
  readonly array: ShardArray;
  readonly shard: ShardPlace;
  readonly shardGrid: readonly number[];
  readonly onShard: (coordinates: readonly number[]) => void;
  /** Facts of its bytes. */
  readonly children: ReactNode;
}

function ShardHead({ array, shard, shardGrid, onShard, children }: ShardHeadProps) {
  const { key, target, coordinates } = shard;
  const dimensions = shardGrid.flatMap((count, dimension) => (count > 1 ? [dimension] : []));
  return (
    <header className={styles.head}>
      <div className={styles.name}>
        <h2 className={styles.key} title={key}>
          Shard {key}
        </h2>
        <CopyButton text={key} what="key of the shard" />
        {target === undefined || target === key ? null : (
          <code className={styles.target} title={target}>
            <bdi dir="ltr">{target}</bdi>
          </code>
        )}
      </div>
      {children}
      {dimensions.length === 0 ? null : (
        <div role="group" aria-label="Shard" className={styles.picker}>
          {dimensions.map((dimension) => (
            <Along
              key={dimension}
              name={dimensionName(array.dimensionNames, dimension)}
              count={shardGrid[dimension] ?? 1}
              at={coordinates[dimension] ?? 0}
              onAt={(at) => onShard(coordinates.map((now, place) => (place === dimension ? at : now)))}
            />
          ))}
        </div>
      )}
    </header>
  );
}

interface AlongProps {
  readonly name: string;
  readonly count: number;
  readonly at: number;
  readonly onAt: (at: number) => void;
}

/** Along one dimension: the one before, a field, the one after. */
function Along({ name, count, at, onAt }: AlongProps) {
  return (
    <span className={`inline-row gap-4 ${styles.along}`}>
      <span className={styles.alongName} title={name}>
        {name}
      </span>
      <Button
        aria-label={`Previous shard along ${name}`}
        title={`Previous shard along ${name}`}
        disabled={at <= 0}
        onClick={() => onAt(at - 1)}
      >
        ‹
      </Button>
      <AtField key={at} name={name} count={count} at={at} onAt={onAt} />
      <Button
        aria-label={`Next shard along ${name}`}
        title={`Next shard along ${name}`}
        disabled={at >= count - 1}
        onClick={() => onAt(at + 1)}
      >
        ›
      </Button>
      <span className="one-line faint tabular">of 0–{formatCount(count - 1)}</span>
    </span>
  );
}

/** Goes there with Enter, or when it is left. */
function AtField({ name, count, at, onAt }: AlongProps) {
  const [text, setText] = useState(String(at));
  const typed = /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : undefined;
  const right = typed !== undefined && typed < count;
  const go = () => {
    if (right && typed !== at) onAt(typed);
    else if (!right) setText(String(at));
  };
  return (
    <Form
      className={styles.atForm}
      onSubmit={() => {
        if (right) go();
      }}
    >
      <TextField
        inputMode="numeric"
        aria-label={`Shard along ${name}`}
        title={`A number from 0 to ${formatCount(count - 1)}, then Enter`}
        aria-invalid={!right}
        value={text}
        onBlur={go}
        onChange={(event) => setText(event.target.value)}
      />
    </Form>
  );
}
