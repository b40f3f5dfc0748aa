/** The finding on a virtual chunk container that the official reader leaves out. */
import { finding, type Finding } from "../../core/findings/finding.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";
import type { VirtualContainer } from "../../formats/icechunk/index.ts";

export function ignoredContainer({ ignored, prefix, name, store }: VirtualContainer): Finding | undefined {
  if (ignored === undefined) return undefined;
  return finding("icechunk-container-ignored", WHOLE_SET, { problem: ignored, prefix, name, store });
}
