/** An engine with its studio at hand, for tests. */
import { createEngine } from "../engine.ts";

export async function studioEngine(...network: Parameters<typeof createEngine>) {
  const engine = createEngine(...network);
  return { ...engine, ...(await engine.studio()) };
}
