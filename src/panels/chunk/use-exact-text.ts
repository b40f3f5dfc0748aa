import { useState } from "react";
import { useEngine } from "../../store/react.tsx";
import { useDelayed } from "../../widgets/use-delayed.ts";

const REST_MS = 60;
const ONE = { from: 0, to: 1 };

/**
 * Exact text of one element of a reading, asked for once the cursor rests on it. `undefined` until it is known,
 * `null` where it is missing.
 */
export function useExactText(
  set: number,
  reading: number,
  element: readonly number[],
  scaled: boolean,
): string | null | undefined {
  const wanted = JSON.stringify({ reading, fixed: element, scaled });
  const [rested, setRested] = useState(wanted);
  useDelayed(wanted, REST_MS, setRested);
  const point = JSON.parse(rested) as { readonly reading: number; readonly fixed: number[]; readonly scaled: boolean };
  const spec = { ...point, rowDimension: undefined, columnDimension: undefined, rows: ONE, columns: ONE };
  const { data, stale } = useEngine("chunk.cells", { set, spec });
  return stale || rested !== wanted ? undefined : data?.texts[0]?.[0];
}
