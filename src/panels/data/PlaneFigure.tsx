/** The slice as a picture: moved in, pointed at, clicked. */
import { useId, useState } from "react";
import { useEngine } from "../../store/react.tsx";
import { CellMap } from "../../widgets/cell-map/CellMap.tsx";
import type { CellPlace } from "../../widgets/cell-map/camera.ts";
import type { CellMapState } from "../../widgets/cell-map/use-cell-map.ts";
import { ZoomButtons } from "../../widgets/cell-map/ZoomButtons.tsx";
import { cornerOf } from "../../widgets/cell-map/draw-map.ts";
import { placeText } from "./axis-words.ts";
import { pictureFile } from "./picture-file.ts";
import { windowOf, type PlaneLook } from "./plane-picture.ts";
import { countLooks, type ChunkLook } from "../../core/plane-values.ts";
import type { PlaneFigureProps } from "./plane-figure-props.ts";
import { PlaneReadout } from "./PlaneReadout.tsx";
import { FigureTools } from "./FigureTools.tsx";
import { PointTag } from "./PointTag.tsx";
import { SaveMenu } from "./SaveMenu.tsx";
import { SideNames } from "./SideNames.tsx";
import { TileLabels } from "./TileLabels.tsx";
import { useSliceThumbnail } from "./slice-thumbnail.ts";
import { usePlaneMap, useSeen } from "./use-plane-map.ts";
import type { PlaneProgress } from "./use-plane-values.ts";
import { valueText } from "../../core/value-text.ts";
import styles from "./DataPanel.module.css";

export function PlaneFigure(props: PlaneFigureProps) {
  const { set, node, view, change, axes, request, progress, tools, onSeen } = props;
  const readout = useId();
  const [hovered, setHovered] = useState<CellPlace>();
  const [focused, setFocused] = useState(false);
  const { map, look, cursor, elementOf, picture, marks, chunkOf, moveTo, select } = usePlaneMap(props, focused);
  const save = usePictureFile(props, map, look);
  useSeen(map, request, look, onSeen);
  useSliceThumbnail(set.id, node.path, look, progress);
  const looked = hovered ?? cursor;
  return (
    <div className={styles.stage}>
      <CellMap
        map={map}
        label="Data"
        roleDescription="slice of an array: arrow keys move, Enter selects the chunk, plus and minus zoom"
        describedBy={readout}
        data={readCounts(progress)}
        className={styles.figure}
        picture={picture}
        marks={marks}
        cursor={cursor}
        onCursor={moveTo}
        onHover={setHovered}
        onFocus={setFocused}
        onClick={select}
        onOpen={select}
      />
      <SideNames {...{ node, view, change }} />
      <TileLabels
        {...{ look, request, progress }}
        view={map.view}
        corner={cornerOf(map.axes)}
        onWhy={(at) => {
          const { rows, columns } = windowOf(look, at);
          select({ row: rows.from, column: columns.from });
        }}
      />
      <PointTag map={map} cursor={cursor} looked={looked} focused={focused}>
        <PlaneReadout
          id={readout}
          {...{ set, node, view, axes, request, progress }}
          element={elementOf(looked)}
          chunk={chunkOf(looked)}
          spoken={focused && hovered === undefined}
        />
      </PointTag>
      <FigureTools place={tools}>
        <SaveMenu {...{ set, node, view, request }} picture={save} />
        <ZoomButtons {...map} label="Zoom" all="Show the whole slice" />
      </FigureTools>
    </div>
  );
}

/** Chunks of the slice by what reading them gave, for those who look at the page by script. */
export function readCounts({ isOld, shown }: PlaneProgress) {
  const of = (look: ChunkLook) => (isOld || shown === undefined ? 0 : countLooks(shown.looks, look));
  return { "data-read": of("read"), "data-failed": of("failed"), "data-missing": of("missing") };
}

/** Makes the picture's file when it is called. */
function usePictureFile({ set, node, view, axes }: PlaneFigureProps, { frame }: CellMapState, look: PlaneLook) {
  const about = useEngine("plane.about", { set: set.id, array: node.path }).data;
  const { plane } = view;
  const label = (value: number | undefined) => (value === undefined ? "" : valueText(value, about, view.scaled));
  const others = plane.at.flatMap((at, dimension) =>
    dimension === plane.row || dimension === plane.column ? [] : [placeText(axes(dimension), at)],
  );
  return (): Promise<Blob> => {
    const canvas = frame.current?.querySelector("canvas") ?? undefined;
    if (canvas === undefined || frame.current === null) {
      return Promise.reject(new Error("The slice is not on the screen."));
    }
    return pictureFile(canvas, getComputedStyle(frame.current), {
      title: [node.name, about?.title].filter((word) => word !== undefined).join(", "),
      subtitle: [...others, set.name].join(" · "),
      colormap: view.colormap,
      low: label(look.range?.minimum),
      high: label(look.range?.maximum),
    });
  };
}
