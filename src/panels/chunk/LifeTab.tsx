/** The life of a chunk in its repository: each commit that wrote or removed it, and the value at the point then. */
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { ChunkEvent } from "#core/blame.ts";
import { chunkOf, shardsInChunks } from "#core/metadata/chunk-grid.ts";
import { shownTarget } from "#core/words.ts";
import { commitTitle, commitWords } from "#core/words/commit-words.ts";
import { unitsText } from "#core/values/value-text.ts";
import { useHistory } from "#store/hooks/use-history.ts";
import { useActions, useAppState, useEngine } from "#store/react.tsx";
import { shownNode } from "#store/state.ts";
import { Button, CopyButton, QuietButton } from "#widgets/controls/Button.tsx";
import { ErrorNotice, Unanswered } from "#widgets/notes/Notices.tsx";
import { formatBytes, formatCount } from "#widgets/number-format.ts";
import type { ChunkArray } from "./chunk-words.ts";
import styles from "./LifeTab.module.css";
import { useValuesThen } from "./use-values-then.ts";
import type { ValueView } from "./values/use-value-view.ts";

interface LifeTabProps {
  readonly set: number;
  readonly array: ChunkArray;
  readonly coordinates: readonly number[];
  readonly view: Pick<ValueView, "element" | "scaled">;
}

const CANCELLED = ["Reading the history was cancelled", "Read it"] as const;

export function LifeTab({ set, array, coordinates, view }: LifeTabProps) {
  const slide = useSlide();
  const shardShape = useAppState((state) => shownNode(state)?.shardShape);
  const chunk = shardShape === undefined ? coordinates : chunkOf(coordinates, shardsInChunks(shardShape, array.chunks));
  const answer = useEngine("repository.chunkLife", { set, array: array.path, chunk, snapshot: slide.from });
  const { data } = answer;
  if (data === undefined)
    return <Unanswered answer={answer} label="Reading the history of the chunk" cancelled={CANCELLED} />;
  const [first] = data.findings;
  return (
    <>
      {first === undefined ? null : <ErrorNotice error={first} />}
      {data.events.length === 0 ? (
        <p className="quiet">No commit wrote this chunk.</p>
      ) : (
        <Events key={chunk.join(".")} {...{ set, array, coordinates, view, slide }} events={data.events} />
      )}
    </>
  );
}

type Slide = ReturnType<typeof useSlide>;

/** Slides the open snapshot along the commits of the chunk; the list stays that of the snapshot where one began. */
function useSlide() {
  const shown = useAppState((state) => state.set?.repository?.shown.snapshot) ?? "";
  const ref = useAppState((state) => state.set?.ref);
  const life = useAppState((state) => state.history.life);
  const { openRef } = useActions();
  const { chooseHistory: choose } = useHistory();
  const from = life?.at === shown ? life.from : shown;
  return {
    from,
    shown,
    /** It was slid to what is shown now. */
    refocus: life?.at === shown && life.refocus,
    focused: () => life && choose({ life: { ...life, refocus: false } }),
    to: (snapshot: string) => {
      choose({ life: { from, at: snapshot, refocus: true } });
      void openRef(snapshot === from && ref !== undefined && shown === from ? ref : `snapshot:${snapshot}`);
    },
  };
}

interface EventsProps extends LifeTabProps {
  readonly events: readonly ChunkEvent[];
  readonly slide: Slide;
}

function Events({ set, array, coordinates, view, events, slide }: EventsProps) {
  const { element, scaled } = view;
  const values = useValuesThen(events, { array, coordinates, element, scaled });
  const about = useEngine("plane.about", { set, array: array.path }).data;
  const current = Math.max(
    0,
    events.findIndex(({ commit }) => commit.id === slide.shown),
  );
  const list = useFocused(slide);
  const step = (by: number) => {
    const to = events[current + by];
    if (to !== undefined && !to.commit.expired) slide.to(current + by === 0 ? slide.from : to.commit.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (event.altKey || by === 0 || event.target !== event.currentTarget) return;
    event.preventDefault();
    step(by);
  };
  const unit = about?.units === undefined ? "" : ` ${unitsText(about.units)}`;
  return (
    <>
      <div className="wrap gap-6">
        <Button disabled={current === 0} onClick={() => step(-1)}>
          Newer
        </Button>
        <Button disabled={current === events.length - 1 || events[current + 1]?.commit.expired} onClick={() => step(1)}>
          Older
        </Button>
        {values.ask === undefined ? null : (
          <Button onClick={values.ask}>Read the values ({formatBytes(values.bytes)})</Button>
        )}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows slide through the commits */}
      <div
        ref={list}
        role="group"
        aria-label="Commits of the chunk"
        tabIndex={0}
        className={styles.life}
        onKeyDown={onKeyDown}
      >
        <ol>
          {events.map((event, at) => (
            <Event
              key={event.commit.id}
              event={event}
              isCurrent={at === current}
              value={values.texts.get(event.commit.id)}
              unit={unit}
              onOpen={() => step(at - current)}
            />
          ))}
        </ol>
      </div>
      <p className="quiet">Arrow keys slide through the commits; the picture in Data follows.</p>
    </>
  );
}

/** The focus is in the list again after it was slid from there. */
function useFocused({ refocus, focused }: Slide) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!refocus) return;
    list.current?.focus();
    focused();
  });
  return list;
}

const DID: Readonly<Record<ChunkEvent["did"], string>> = {
  wrote: "",
  deleted: "deleted it",
  resized: "cut it off by a shorter shape",
  touched: "wrote or deleted it, expired",
};

interface EventProps {
  readonly event: ChunkEvent;
  readonly isCurrent: boolean;
  /** The value at the point; `undefined`: not read. */
  readonly value: string | undefined;
  readonly unit: string;
  readonly onOpen: () => void;
}

function Event({ event: { commit, did, reference }, isCurrent, value, unit, onOpen }: EventProps) {
  const { id, time, orEarlier, expired } = commit;
  const name = commitWords(commit);
  return (
    <li className={styles.event} aria-current={isCurrent}>
      <span className="row gap-6 narrow spread">
        <b className="cut" title={commitTitle(commit)}>
          {name}
          {orEarlier ? " or earlier" : ""}
        </b>
        {value === undefined ? null : (
          <span className={styles.value}>
            {value}
            {value === "no data" ? "" : unit}
          </span>
        )}
      </span>
      <span className="row gap-6 narrow spread fine quiet">
        <span className="cut">
          {time?.slice(0, 16).replace("T", " ")} <code>{id.slice(0, 8)}…</code> {DID[did]}
        </span>
        {isCurrent || expired ? null : (
          <QuietButton className={styles.open} aria-label={`Open “${name}”`} onClick={onOpen}>
            Open
          </QuietButton>
        )}
      </span>
      {reference === undefined ? null : <Source {...reference} />}
    </li>
  );
}

function Source({ kind, location, chunk, offset, length }: NonNullable<ChunkEvent["reference"]>) {
  const file =
    location === undefined ? (chunk ?? (kind === "inline" ? "in the manifest" : kind)) : shownTarget(location);
  const place = [
    ...(offset === undefined ? [] : [`at ${formatCount(Number(offset))}`]),
    ...(length === undefined ? [] : [`${formatCount(Number(length))} B`]),
  ];
  return (
    <span className="row gap-2 narrow fine">
      <code className="cut" title={file}>
        {file.slice(file.lastIndexOf("/") + 1)}
      </code>
      {location === undefined ? null : <CopyButton text={file} what="location" />}
      <span className="quiet one-line">{place.length === 0 ? "" : ` · ${place.join(", ")}`}</span>
    </span>
  );
}
