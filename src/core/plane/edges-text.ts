/** The lengths of unequal chunks as text: `31, 28, 31, 4 × 30`. */
import { type ChunkEdges, writtenEdges } from "../metadata/chunk-grid.ts";

/** More runs are left out. */
const MAX_RUNS = 40;

export function edgesText(edges: ChunkEdges): string {
  const written = writtenEdges(edges);
  if (typeof written === "number") return String(written);
  const texts = written
    .slice(0, MAX_RUNS)
    .map((one) => (typeof one === "number" ? String(one) : `${one[1]} × ${one[0]}`));
  return [...texts, ...(written.length > MAX_RUNS ? ["…"] : [])].join(", ");
}
