/** The bytes of a target: what of them is referred to, as a strip and as a list; from byte to chunk. */
import { useId, useState } from "react";
import type { SetSummary } from "../../core/open-set.ts";
import type { SourceByte, SourceDetail, SourceRange } from "../../core/sources.ts";
import { useActions, useEngine } from "../../store/react.tsx";
import { OffsetField } from "../../widgets/OffsetField.tsx";
import { ByteStrip } from "./ByteStrip.tsx";
import { RangeList } from "./RangeList.tsx";
import { byteWords, rangeNotes, spanText } from "./source-words.ts";
import { StripLegend } from "./StripLegend.tsx";
import styles from "./BytesTab.module.css";

export interface BytesTabProps {
  readonly set: SetSummary;
  readonly detail: SourceDetail;
  /** Place of the selected chunk's range; -1 where it has none. */
  readonly place: number;
}

export function BytesTab({ set, detail, place }: BytesTabProps) {
  const id = useId();
  const { target, ranges, extent } = detail;
  const at = useRangeCursor(set.id, detail, place);
  const openRange = useOpenRange(target);
  if (ranges === 0) return <p className={styles.none}>{noRanges(detail)}</p>;
  return (
    <div className={styles.tab}>
      <ByteStrip
        set={set.id}
        detail={detail}
        current={at.current}
        asked={at.byte === undefined ? undefined : { from: at.byte.byte, to: at.byte.byte + 1 }}
        describedBy={id}
        onByte={at.goToByte}
        onStep={at.step}
        onOpen={() => openRange(at.current)}
      >
        <OffsetField label="Go to byte" total={extent} onGo={at.goToByte} />
      </ByteStrip>
      <p id={id} role="status" className={styles.readout}>
        <Readout byte={at.byte} current={at.current} onOpen={openRange} />
      </p>
      <StripLegend detail={detail} />
      <RangeList set={set} detail={detail} place={at.place} onPlace={at.goTo} onOpen={openRange} />
    </div>
  );
}

const noRanges = ({ whole, empty }: SourceDetail): string =>
  whole > 0
    ? "All references are to the whole target: there are no ranges to show."
    : `Its ${empty === 1 ? "range has" : "ranges have"} no bytes.`;

/** The range that one is at, and the byte that was asked for. */
function useRangeCursor(set: number, { target, ranges }: SourceDetail, followed: number) {
  const [place, setPlace] = useState(Math.max(0, followed));
  const [asked, setAsked] = useState<number>();
  const [seen, setSeen] = useState(followed);
  if (seen !== followed) {
    setSeen(followed);
    setAsked(undefined);
    if (followed >= 0) setPlace(followed);
  }
  const found = useEngine("sources.byte", asked === undefined ? undefined : { set, target, byte: asked });
  const byte = found.data?.byte === asked ? found.data : undefined;
  const here = byte === undefined ? place : Math.max(0, byte.place);
  const known = useEngine("sources.ranges", { set, target, from: here, to: here + 1 }, `sources.at ${target}`);
  const current = known.last?.data.ranges[0];
  const goTo = (to: number) => {
    setAsked(undefined);
    setPlace(Math.max(0, Math.min(to, ranges - 1)));
  };
  return {
    place: here,
    byte,
    // A byte that nothing refers to is at no range.
    current: current?.place !== here || byte?.gap !== undefined ? undefined : current,
    goTo,
    goToByte: setAsked,
    step: (step: number | "first" | "last") => {
      if (step === "first") goTo(0);
      else if (step === "last") goTo(ranges - 1);
      // From bytes between two ranges the next one is a step away already.
      else goTo(here + step - (byte?.gap !== undefined && step > 0 && byte.place < ranges ? 1 : 0));
    },
  };
}

/** Selects the chunk of a range, and keeps the target that is looked at. */
function useOpenRange(target: string | null) {
  const actions = useActions();
  return (range: SourceRange | undefined) => {
    if (range?.array === undefined || range.coordinates === undefined) return;
    actions.noteTarget(target);
    actions.selectChunk(range.array, range.coordinates);
  };
}

interface ReadoutProps {
  readonly byte: SourceByte | undefined;
  readonly current: SourceRange | undefined;
  readonly onOpen: (range: SourceRange) => void;
}

const MAX_LINKS = 3;

function Readout({ byte, current, onOpen }: ReadoutProps) {
  if (byte === undefined && current === undefined) return null;
  const ranges = byte?.ranges.slice(0, MAX_LINKS) ?? (current === undefined ? [] : [current]);
  return (
    <>
      <span>{byte === undefined ? currentWords(current) : byteWords(byte)}</span>
      {ranges.map((range) =>
        range.coordinates === undefined ? (
          <span key={range.place}>{range.key} is no chunk of a grid.</span>
        ) : (
          <button key={range.place} type="button" data-kind="link" onClick={() => onOpen(range)}>
            Go to {range.key}
          </button>
        ),
      )}
    </>
  );
}

function currentWords(range: SourceRange | undefined): string {
  if (range === undefined) return "";
  return [`${range.key}: ${spanText(range.from, range.to)}`, ...rangeNotes(range)].join(" · ");
}
