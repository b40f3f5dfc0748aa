/** Coastlines over a plane. */
import { useEffect, useMemo, useState } from "react";
import { type CoastLine, coastPath, type Coasts, decodeCoasts, isGeographic } from "../cell-map/coast-lines.ts";

/** Coastlines in cells, fetched when they are first shown; none unless both sides are degrees. */
export function useCoasts(
  { down, across, isTurned }: Parameters<typeof coastPath>[1],
  wanted: boolean,
): Coasts | undefined {
  const [lines, setLines] = useState<readonly CoastLine[]>();
  const isOn = wanted && isGeographic({ down, across });
  useEffect(() => {
    if (!isOn) return undefined;
    let isHere = true;
    const read = async () => {
      const { COASTS } = await import("../cell-map/coast-data.ts");
      if (isHere) setLines((before) => before ?? decodeCoasts(COASTS));
    };
    // Without them the picture is as it was.
    read().catch(() => undefined);
    return () => {
      isHere = false;
    };
  }, [isOn]);
  return useMemo(
    () => (isOn && lines !== undefined ? coastPath(lines, { down, across, isTurned }) : undefined),
    [isOn, lines, down, across, isTurned],
  );
}
