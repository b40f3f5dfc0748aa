/** A plane that is the same object while it is the same plane. */
import { useMemo } from "react";
import type { Plane } from "../../core/plane/plane.ts";

export function usePlane(plane: Plane): Plane {
  const text = JSON.stringify(plane);
  return useMemo(() => JSON.parse(text) as Plane, [text]);
}
