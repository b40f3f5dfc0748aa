/** The lines of the graph in one row: those that pass by, its own with its dot, and children that end at it. */
import type { CommitRow } from "#core/repository.ts";

/** A line of descent keeps its colour; neighbours differ. */
export const LANE_COLOURS = [
  "var(--accent)",
  "var(--inline)",
  "var(--set)",
  "var(--changed)",
  "var(--native)",
  "var(--ok)",
];

/** Height of a row in CSS pixels. */
export const COMMIT_HEIGHT = 44;

const WIDEST = 160;
const EDGE = 14;

const stepOf = (lanes: number) => Math.min(20, (WIDEST - 2 * EDGE) / Math.max(1, lanes - 1));

export const lanesWidth = (lanes: number): number => Math.round(2 * EDGE + stepOf(lanes) * (lanes - 1)) + 12;

interface LanesProps {
  readonly row: CommitRow;
  readonly lanes: number;
  readonly isShown: boolean;
}

export function Lanes({ row, lanes, isShown }: LanesProps) {
  const { lane, passing, joining, isContinued, parentRow, end } = row;
  const x = (of: number) => EDGE + of * stepOf(lanes);
  const [middle, bottom] = [COMMIT_HEIGHT / 2, COMMIT_HEIGHT];
  const colour = (of: number) => LANE_COLOURS[of % LANE_COLOURS.length];
  const goesOn = parentRow === undefined && end !== "first";
  return (
    <svg width={lanesWidth(lanes) - 12} height={COMMIT_HEIGHT} aria-hidden="true" fill="none" strokeWidth={2}>
      {passing.map((of) => (
        <path key={of} d={`M${x(of)} 0V${bottom}`} stroke={colour(of)} />
      ))}
      {joining.map((of) => (
        <path
          key={of}
          d={`M${x(of)} 0C${x(of)} ${middle} ${x(lane)} ${middle * 0.3} ${x(lane)} ${middle}`}
          stroke={colour(of)}
        />
      ))}
      {isContinued ? <path d={`M${x(lane)} 0V${middle}`} stroke={colour(lane)} /> : null}
      {parentRow === undefined ? null : <path d={`M${x(lane)} ${middle}V${bottom}`} stroke={colour(lane)} />}
      {goesOn ? <path d={`M${x(lane)} ${middle}V${bottom}`} stroke={colour(lane)} strokeDasharray="2 3" /> : null}
      <circle
        cx={x(lane)}
        cy={middle}
        r={isShown ? 6.5 : end === "first" ? 4 : 5}
        fill={end === "first" && !isShown ? "var(--bg)" : colour(lane)}
        stroke={colour(lane)}
      />
      {isShown ? <circle cx={x(lane)} cy={middle} r={2.5} fill="var(--bg)" /> : null}
    </svg>
  );
}
