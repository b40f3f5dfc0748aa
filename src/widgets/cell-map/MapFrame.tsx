/** Element that takes the keyboard, pointers and the wheel, with its canvases. */
import type { RefObject } from "react";
import { useGestures, type Gestures } from "./gestures.ts";
import { Layers, type LayersProps } from "./Layers.tsx";
import styles from "./MapFrame.module.css";

export interface MapFrameProps extends LayersProps {
  readonly frame: RefObject<HTMLDivElement | null>;
  /** Description of the picture and its keys, for those who do not see it. */
  readonly label: string;
  readonly roleDescription?: string | undefined;
  /** Id of the element that describes the cell under the cursor. */
  readonly describedBy?: string | undefined;
  /** For those who look at the page by script: `data-…`. */
  readonly data?: Readonly<Record<`data-${string}`, number>> | undefined;
  readonly zoomed: boolean;
  readonly gestures: Gestures;
  readonly className?: string | undefined;
  /** Size in pixels; without it the style sheet decides. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

export function MapFrame(props: MapFrameProps) {
  const {
    frame,
    label,
    roleDescription,
    describedBy,
    data,
    zoomed,
    gestures,
    className = "",
    width,
    height,
    ...layers
  } = props;
  return (
    <div
      ref={frame}
      role="application"
      aria-roledescription={roleDescription}
      aria-label={label}
      aria-describedby={describedBy}
      tabIndex={0}
      className={`${styles.frame} ${className}`}
      style={{ width, height }}
      data-zoomed={zoomed}
      {...data}
      {...useGestures(frame, gestures)}
    >
      <Layers {...layers} />
    </div>
  );
}
