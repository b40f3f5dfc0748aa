/** Version 1 rendered: the URLs of `refs`, then the entries of `gen`, both into the columns of the set. */
import type { CallContext } from "../../core/byte-source.ts";
import type { Finding } from "../../core/findings/finding.ts";
import type { Version1Renderer } from "../../core/version1.ts";
import { generateRows } from "./generate.ts";
import type { GenRows } from "./origins.ts";
import type { MetadataEntry, ReferenceSet } from "./reference-set.ts";
import { renderTargets, type RenderedTargets } from "./render-targets.ts";
import { applyTemplateRules } from "./version1-rules.ts";

export interface RenderedSet {
  readonly renderer: Version1Renderer;
  readonly targets: RenderedTargets;
  readonly gen: GenRows;
  /** What fsspec raises on the values of `refs`; severity error. */
  readonly findings: readonly Finding[];
}

/** The scanner must have come to the end of `refs`. */
export async function renderSet(
  set: ReferenceSet,
  renderer: Version1Renderer,
  context: CallContext,
): Promise<RenderedSet> {
  // Plain sets, which most are, are not gone over again.
  if (!renderer.hasTemplates && renderer.size === 0) return { renderer, ...nothingRendered(set), findings: [] };
  const findings = applyTemplateRules(set, renderer);
  const targets = await renderTargets(set, renderer, context);
  for (const [key, entry] of set.metadata) set.metadata.set(key, renderMetadata(entry, renderer));
  const gen = await generateRows(set, renderer, targets.slash, context);
  return { renderer, targets, gen, findings };
}

const nothingRendered = ({ scanner }: ReferenceSet): Pick<RenderedSet, "targets" | "gen"> => ({
  targets: { texts: new Map(), before: 0, after: 0, slash: "/" },
  gen: { firstRow: scanner.rows, rows: [], ordinals: [] },
});

function renderMetadata(entry: MetadataEntry, renderer: Version1Renderer): MetadataEntry {
  const { value } = entry;
  if ((value.kind !== "whole" && value.kind !== "range") || value.target === null) return entry;
  const rendered = renderer.url(value.target);
  if (rendered.kind === "url") {
    if (rendered.url === value.target) return entry;
    return { ...entry, value: { ...value, target: rendered.url }, written: value.target };
  }
  const list = value.kind === "whole" ? [value.target] : [value.target, value.offset, value.length];
  const bad = { kind: "bad", reason: rendered.reason, written: JSON.stringify(list) } as const;
  return { ...entry, value: bad, written: value.target };
}
