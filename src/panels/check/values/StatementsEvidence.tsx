/** Two statements that disagree, drawn: on one axis, or as the footprints of the first pixel; and who states what. */
import type { ReactNode } from "react";
import type { Disagreement, Drawn, DrawnPixel, StatementSource } from "#core/check/statement.ts";
import { shiftText, sourceText } from "#core/findings/catalogue/witness.ts";
import { type Finding, factsOf } from "#core/findings/finding.ts";
import { counted } from "#core/words.ts";
import { DefinitionList } from "#widgets/DefinitionList.tsx";
import { useElementWidth } from "#widgets/measuring.ts";
import { extentOf } from "#widgets/plot/plot-shape.ts";
import styles from "./ValuesSection.module.css";

export function StatementsEvidence({ finding }: { readonly finding: Finding }) {
  const facts = factsOf(finding, "statements-disagree");
  const [frame, width] = useElementWidth<HTMLElement>();
  if (facts === undefined) return null;
  return (
    <section className={`stack gap-8 ${styles.evidence}`} aria-label="Evidence">
      <figure ref={frame} className="narrow">
        {width === 0 ? null : <Picture facts={facts} width={width} />}
      </figure>
      <DefinitionList items={statementRows(facts)} />
    </section>
  );
}

/** Picture of such a finding in a list. */
export function StatementsSpark({ finding, otherwise }: { readonly finding: Finding; readonly otherwise: ReactNode }) {
  const facts = factsOf(finding, "statements-disagree");
  if (facts?.drawn === undefined) return otherwise;
  return <Picture facts={facts} width={96} isSmall />;
}

/** The one that stands alone first; of two, nobody knows which is right. */
function statementRows({ a, b, agree, position, of, unit, drawn }: Disagreement) {
  const index = drawn?.kind === "places" ? drawn.positions.indexOf(position) : -1;
  const place = of > 1 ? ` at position ${position}` : "";
  const says = (side: "a" | "b", { value }: Disagreement["a"]) => {
    const text = drawn?.kind === "places" ? drawn[side].texts[index] : undefined;
    return `${text ?? `${value}${unit === undefined || value.endsWith(unit) ? "" : ` ${unit}`}`}${place}`;
  };
  const row = (source: StatementSource, text: string, result: string) => ({
    term: sourceText(source),
    description: (
      <>
        {text} <b>{result}</b>
      </>
    ),
  });
  const isAlone = agree.length > 0;
  return [
    row(a.source, says("a", a), isAlone ? "stands alone" : "differs"),
    row(b.source, says("b", b), isAlone ? `agrees with ${counted(agree.length, "other")}` : "differs"),
    ...agree.map((source) => row(source, "", "agrees")),
  ];
}

interface PictureProps {
  readonly facts: Disagreement;
  /** CSS pixels. */
  readonly width: number;
  /** Without words: what stands beside it says what it shows. */
  readonly isSmall?: boolean;
}

const MARK = "var(--warn)";
const [TEXT, FAINT] = [{ font: "var(--small)" }, { font: "var(--tiny)" }] as const;
/** Letters are so wide; room at both ends. */
const [LETTER, EDGE] = [6.2, 10];

function Picture({ facts, width, isSmall = false }: PictureProps) {
  const { drawn, a, b } = facts;
  if (drawn === undefined) return null;
  const say = (side: "a" | "b", { source, value }: Disagreement["a"]) =>
    `${sourceText(source)}: ${drawn.kind === "places" ? drawn[side].texts.join(", ") : value}`;
  const what = drawn.kind === "places" ? "Both statements on one axis" : "Footprints of the first pixel, north up";
  const height = isSmall ? 48 : drawn.kind === "places" ? 142 : 160;
  const hidden = isSmall
    ? { "aria-hidden": true }
    : { role: "img", "aria-label": `${what}. ${say("a", a)}; ${say("b", b)}.` };
  return (
    <svg {...{ width, height }} {...hidden} data-drawn={drawn.kind} style={{ display: "block" }}>
      {drawn.kind === "places" ? (
        <Places {...{ facts, drawn, width, isSmall }} />
      ) : (
        <Pixels {...{ facts, drawn, width, height, isSmall }} />
      )}
    </svg>
  );
}

type Of<K extends Drawn["kind"]> = Required<PictureProps> & { readonly drawn: Extract<Drawn, { kind: K }> };

/** A row of ticks each; lines join what both say of one position. */
function Places({ facts, drawn: { a, b, positions, differ }, width, isSmall }: Of<"places">) {
  const ends = [a, b].flatMap(({ numbers, within }) =>
    numbers.flatMap((one, at) => [one - (within[at] ?? 0), one + (within[at] ?? 0)]),
  );
  const { minimum, maximum } = extentOf(ends) ?? { minimum: 0, maximum: 0 };
  const x = (value: number): number => EDGE + ((value - minimum) / (maximum - minimum || 1)) * (width - 2 * EDGE);
  const first = positions.indexOf(differ[0] ?? -1);
  const rows = [
    { side: facts.a, places: a, axis: isSmall ? 24 : 46, up: -1 },
    { side: facts.b, places: b, axis: isSmall ? 39 : 90, up: 1 },
  ] as const;
  const [upper, lower] = [rows[0].axis, rows[1].axis];
  const [from, to] = [a, b].map(({ numbers }) => x(numbers[first] ?? NaN));
  return (
    <>
      {positions.map((position, at) => (
        <path
          key={position}
          d={`M${x(a.numbers[at] ?? NaN)} ${upper}L${x(b.numbers[at] ?? NaN)} ${lower}`}
          stroke={differ.includes(position) ? MARK : "var(--line-2)"}
          strokeWidth={differ.includes(position) ? 1.5 : 1}
        />
      ))}
      {rows.map(({ side, places, axis, up }) => (
        <g key={up}>
          <path d={`M0 ${axis}H${width}`} stroke="var(--line-2)" />
          {places.numbers.map((one, at) => {
            const reach = places.within[at] ?? 0;
            // A tick is a range without extent.
            const d = `M${x(one - reach)} ${axis}v${up * (isSmall ? 7 : 11)}H${x(one + reach)}V${axis}z`;
            return (
              <path key={at} d={d} fill="var(--bg-4)" stroke={at === first ? MARK : "var(--ink-2)"} strokeWidth={1.5} />
            );
          })}
          {isSmall ? null : (
            <Words {...{ side, up, width, first }} texts={places.texts} lefts={places.numbers.map(x)} />
          )}
        </g>
      ))}
      {isSmall ? null : <Offset {...{ facts, from, to, width, y: (upper + lower) / 2 }} />}
    </>
  );
}

interface WordsProps extends Labels {
  readonly side: Disagreement["a"];
  /** Above the ticks, or below. */
  readonly up: -1 | 1;
}

function Words({ side, up, ...labels }: WordsProps) {
  const { texts, first } = labels;
  return (
    <>
      <text y={up < 0 ? 11 : 137} fill="var(--ink-2)" style={TEXT}>
        {sourceText(side.source)}
      </text>
      {labelledPlaces(labels).map(([at, x]) => (
        <text
          key={at}
          x={x}
          y={up < 0 ? 30 : 115}
          textAnchor="middle"
          fill={at === first ? "var(--ink)" : "var(--ink-3)"}
          style={FAINT}
        >
          {texts[at]}
        </text>
      ))}
    </>
  );
}

interface Labels {
  readonly lefts: readonly number[];
  readonly texts: readonly string[];
  /** Index of the first that differs. */
  readonly first: number;
  readonly width: number;
}

/** Texts that have room beside each other: that of the first that differs, then the others in their order. */
export function labelledPlaces({ lefts, texts, first, width }: Labels) {
  const taken: (readonly [at: number, left: number, half: number])[] = [];
  for (const at of new Set([first, ...texts.keys()])) {
    const half = ((texts[at] ?? "").length * LETTER) / 2;
    const left = Math.max(half, Math.min(width - half, lefts[at] ?? 0));
    if (taken.every(([, other, room]) => Math.abs(other - left) > room + half + EDGE)) taken.push([at, left, half]);
  }
  return taken;
}

interface OffsetProps extends PictureProps {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly y: number;
}

/** The distance between both, halfway; its text stands at the side that has room. */
function Offset({ facts, from = 0, to = 0, width, y }: OffsetProps) {
  const [left, right, text] = [Math.min(from, to), Math.max(from, to), offsetText(facts)];
  if (right - left < 1 || text === "") return null;
  const isRight = right + 8 + text.length * LETTER < width;
  const at = { x: isRight ? right + 8 : left - 8, y: y + 4, textAnchor: isRight ? "start" : "end" } as const;
  return (
    <>
      <path d={`M${left} ${y}H${right}M${left} ${y - 4}v8M${right} ${y - 4}v8`} stroke={MARK} strokeWidth={2} />
      <text {...at} fill={MARK} stroke="var(--bg-2)" strokeWidth={4} paintOrder="stroke" style={TEXT}>
        {text}
      </text>
    </>
  );
}

/** "half a cell (10 m)"; nothing where the order alone is another. */
function offsetText({ change, unit }: Disagreement): string {
  if (change?.kind === "times") return `× ${Number(change.factor.toPrecision(4))}`;
  if (change?.kind !== "shifted" && change?.kind !== "one") return "";
  const text = shiftText(change.kind === "one" ? { kind: "shifted", by: change.by } : change, unit);
  return text.replace(/ degrees?(?:_[a-z]+)?/i, "°");
}

/** Both footprints to scale, the second dashed, with the centre of each. */
function Pixels({ facts, drawn, width, height, isSmall }: Of<"pixels"> & { readonly height: number }) {
  const sides = [drawn.b, drawn.a] as const;
  const edges = (axis: 0 | 1) =>
    sides.flatMap((pixel) => [-1, 1].map((way) => upwards(pixel)[axis] + (way * Math.abs(pixel[axis + 2] ?? 0)) / 2));
  const [left, top] = [Math.min(...edges(0)), Math.min(...edges(1))];
  const most = Math.max(Math.max(...edges(0)) - left, Math.max(...edges(1)) - top);
  const scale = (height - (isSmall ? 8 : 2 * EDGE)) / (most || 1);
  const [startX, startY] = isSmall ? [28, 4] : [2, EDGE];
  const words = [`solid: ${sourceText(facts.b.source)}`, `dashed: ${sourceText(facts.a.source)}`, offsetText(facts)];
  return (
    <>
      {sides.map((pixel, at) => {
        const [x, y] = upwards(pixel);
        const [wide, high] = [Math.abs(pixel[2]) * scale, Math.abs(pixel[3]) * scale];
        const [cx, cy] = [startX + (x - left) * scale, startY + (y - top) * scale];
        const look = at === 0 ? { fill: "var(--bg-4)" } : { fill: MARK, fillOpacity: 0.18, strokeDasharray: "5 3" };
        const colour = at === 0 ? "var(--ink-2)" : MARK;
        return (
          <g key={at} stroke={colour} strokeWidth={1.5}>
            <rect x={cx - wide / 2} y={cy - high / 2} width={wide} height={high} {...look} />
            <circle cx={cx} cy={cy} r={isSmall ? 1 : 2.5} fill={colour} />
          </g>
        );
      })}
      {(isSmall ? [] : words).map((text, at) => (
        <text
          key={at}
          x={height + 8}
          y={26 + 20 * at}
          fill={at === 0 ? "var(--ink-2)" : MARK}
          style={width < 480 ? FAINT : TEXT}
        >
          {text}
        </text>
      ))}
    </>
  );
}

/** Centre in a picture whose rows run down: north, or whatever grows upwards, is up. */
const upwards = ([x, y]: DrawnPixel): readonly [x: number, y: number] => [x, -y];
