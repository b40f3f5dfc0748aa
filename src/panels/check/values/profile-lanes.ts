/** A profile of values as a plot takes it. */
import type { EvidenceLane } from "../../../core/values/value-evidence.ts";
import type { ValueProfile } from "../../../core/values/value-profile.ts";
import { barExtent, type Lane, type PlottedBins } from "../../../widgets/profile-plot/Lanes.tsx";
import type { ValueRange } from "../../../widgets/cell-map/paint-values.ts";
import { extentOf } from "../../../widgets/profile-plot/profile-shape.ts";
import {
  ELEMENT_LANE_TITLES,
  LANE_TEXT,
  LANE_TITLES,
  numberText,
  valuesTitle,
  type AxisWords,
} from "./profile-words.ts";

export interface LaneChoice {
  readonly lane?: EvidenceLane | undefined;
  /** CSS pixels of the first lane. */
  readonly height: number;
  /** Titles above lanes: left out where the place says what is shown. */
  readonly hasTitles: boolean;
}

const SECOND_HEIGHT = 36;
const NOTHING: ValueRange = { minimum: 0, maximum: 0 };

export function plottedBins(
  profile: ValueProfile,
  axis: Pick<AxisWords, "dimension">,
  { lane, height, hasTitles }: LaneChoice,
): Omit<PlottedBins, "marked" | "severity"> {
  const { columns, bins, files } = profile;
  const second = lane === undefined || hasNone(profile, lane) ? [] : [laneOf(profile, lane, hasTitles)];
  const title = hasTitles ? { title: valuesTitle(profile, axis.dimension) } : {};
  const all = [...columns.read.keys()];
  return {
    lanes: [{ ...rangeLane(profile, height), ...title }, ...second],
    bins,
    unknown: new Set(all.filter((bin) => isUnknown(profile, bin))),
    failed: new Set(all.filter((bin) => (columns.failed[bin] ?? 0) > 0)),
    edges: files.map(({ bin }) => bin),
  };
}

const hasNone = ({ columns }: ValueProfile, lane: EvidenceLane): boolean => extentOf(columns[lane]) === undefined;

const isUnknown = ({ columns }: ValueProfile, bin: number): boolean =>
  columns.read[bin] === 0 && columns.failed[bin] === 0 && !((columns.missing[bin] ?? 0) > 0);

function rangeLane(profile: ValueProfile, height: number): Lane {
  const { minimum, maximum, mean } = profile.columns;
  const known = extentOf(minimum, maximum);
  const limits = limitsNear(profile, known ?? NOTHING);
  const extent = extentOf(minimum, maximum, limits) ?? NOTHING;
  const scale = known === undefined ? (["", ""] as const) : scaleOf(extent, profile);
  return { kind: "range", minimum, maximum, mean, limits, extent, scale, height };
}

const scaleOf = ({ minimum, maximum }: ValueRange, profile: ValueProfile): readonly [string, string] => [
  numberText(maximum, profile),
  numberText(minimum, profile),
];

/** Of what is valid, the ends that values come near to: others would make the plot flat. */
function limitsNear({ valid }: ValueProfile, { minimum, maximum }: ValueRange): readonly number[] {
  const reach = maximum - minimum;
  return [valid?.minimum, valid?.maximum].flatMap((end) =>
    end !== undefined && end > minimum - reach / 2 && end < maximum + reach / 2 ? [end] : [],
  );
}

function laneOf(profile: ValueProfile, lane: EvidenceLane, hasTitles: boolean): Lane {
  const values = profile.columns[lane];
  const extent = barExtent(values, lane === "missing" || lane === "rough" ? 1 : 0);
  const text = (value: number) => LANE_TEXT[lane](value, profile);
  const own = profile.kind === "elements" ? (ELEMENT_LANE_TITLES[lane] ?? LANE_TITLES[lane]) : LANE_TITLES[lane];
  const title = hasTitles ? { title: own } : {};
  return { kind: "bars", ...title, values, extent, scale: [text(extent.maximum), "0"], height: SECOND_HEIGHT };
}
