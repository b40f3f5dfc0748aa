import { useEffect, useRef } from "react";
import { THUMBNAIL, useThumbnail } from "./thumbnails.ts";

interface ArrayThumbnailProps {
  readonly set: number | undefined;
  readonly path: string;
  readonly className?: string | undefined;
}

/** The small picture of an array, once there is one. */
export function ArrayThumbnail({ set, path, className }: ArrayThumbnailProps) {
  const picture = useThumbnail(set, path);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (picture !== undefined) canvas.current?.getContext("2d")?.putImageData(picture, 0, 0);
  }, [picture]);
  return picture === undefined ? null : <canvas ref={canvas} className={className} {...THUMBNAIL} aria-hidden="true" />;
}
