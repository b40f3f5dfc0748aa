/** Readout of the element under the pointer or the cursor: the value, its place, its chunk and its source. */
import { chunkOf } from "#core/metadata/chunk-grid.ts";
import { reasonWords } from "#core/findings/explained.ts";
import { useEngine } from "#store/react.tsx";
import { dimensionName } from "#widgets/zarr-words.ts";
import { useExplain } from "#widgets/notes/Notices.tsx";
import { besideText } from "#core/cf/axis.ts";
import { placeText } from "./axis-words.ts";
import styles from "./DataPanel.module.css";
import { type ArrayShown, useShown } from "./shown-array.ts";

interface PlaneReadoutProps {
  readonly id: string;
  /** Position in every dimension. */
  readonly element: readonly number[];
  /** Place among the chunks of the plane. */
  readonly chunk: number;
  readonly spoken: boolean;
}

export function PlaneReadout({ id, element, chunk, spoken }: PlaneReadoutProps) {
  const shown = useShown();
  const { set, node, axes, about, request, label } = shown;
  const coordinates = chunkOf(element, request.chunkShape);
  const row = useEngine("table.reference", { set: set.id, array: node.path, coordinates }).last?.data;
  const hasBeside = (about?.auxiliaries.length ?? 0) > 0;
  const beside = useEngine("plane.beside", hasBeside ? { set: set.id, array: node.path, element } : undefined);
  const { text, failed } = valueAt(shown, element, chunk);
  const said = useExplain();
  const value = typeof text === "number" ? label(text) : text;
  const place = element.map((at, dimension) => {
    const axis = axes(dimension);
    return axis?.values === undefined ? `${dimensionName(node.dimensionNames, dimension)} ${at}` : placeText(axis, at);
  });
  return (
    <p id={id} className="clip one-line quiet figures" aria-live={spoken ? "polite" : "off"}>
      <b className="ink strong">{value}</b> <span className={styles.place}>{place.join(" · ")}</span>{" "}
      {beside.stale || beside.data === undefined || beside.data.length === 0 ? null : (
        <b className="ink strong">{beside.data.map(besideText).join(" ")} </b>
      )}
      <span className={styles.from} title={(failed === undefined ? row?.target : said?.(failed).message) ?? undefined}>
        chunk {coordinates.join(".") || "0"}
        {failed === undefined ? from(row?.target, row?.offset) : ` · ${reasonWords(failed, said)}`}
      </span>
    </p>
  );
}

function from(target: string | null | undefined, offset: number | null | undefined): string {
  if (target === undefined || target === null) return "";
  const name =
    target
      .replace(/[?#].*$/, "")
      .split("/")
      .at(-1) ?? target;
  return ` · ${name}${offset === undefined || offset === null ? "" : ` at ${offset.toLocaleString("en")}`}`;
}

function valueAt({ request, progress }: ArrayShown, element: readonly number[], chunk: number) {
  const { shown, isOld } = progress;
  const look = isOld ? undefined : shown?.looks[chunk];
  if (shown === undefined || look === undefined || look === "unread") return { text: "not read" } as const;
  if (look === "failed") return { text: "failed", failed: shown.failed.get(chunk) } as const;
  if (look === "unreached") return { text: "out of reach", failed: shown.failed.get(chunk) } as const;
  if (look === "missing") return { text: "missing: reads as the fill value" } as const;
  const { row, column } = request.plane;
  const [down, across] = [row, column].map((one) => (one === undefined ? 0 : (element[one] ?? 0)));
  const { steps, columns } = shown;
  const value = shown.values[Math.floor((down ?? 0) / steps.down) * columns + Math.floor((across ?? 0) / steps.across)];
  return { text: value === undefined || Number.isNaN(value) ? "no data" : value } as const;
}
