/** What was noticed about the open set and the chunks read so far, with its words. */
import { useMemo } from "react";
import type { Finding } from "../../core/findings/finding.ts";
import type { Diagnostic } from "../../core/studio.ts";
import { useCheckState } from "../../store/use-check-state.ts";
import { useAppState, useEngine } from "../../store/react.tsx";
import { useExplain } from "../../widgets/use-explain.ts";
import { nodesByPath, type NodesByPath } from "./chunk-of-key.ts";
import { listedFindings, type ListedFinding } from "./findings.ts";

const NO_READINGS: readonly (readonly [string, readonly Finding[]])[] = [];
const NO_DIAGNOSTICS: readonly Diagnostic[] = [];

export interface EditedText {
  /** While the document is edited: findings at places in its text. */
  readonly diagnostics?: readonly Diagnostic[] | undefined;
  /** The document cannot be read at the moment: what was noticed about the set before is about another text. */
  readonly unreadable?: boolean;
}

export interface Findings {
  /** `undefined` until there are words for them. */
  readonly findings: readonly ListedFinding[] | undefined;
  readonly nodes: NodesByPath;
}

export function useFindings({ diagnostics = NO_DIAGNOSTICS, unreadable = false }: EditedText = {}): Findings {
  const set = useAppState((state) => state.set);
  // While the text is edited, what is noticed of it stands at its places.
  const isEdited = diagnostics !== NO_DIAGNOSTICS;
  const known = useCheckState();
  const state = isEdited ? undefined : known;
  // Until all is put together, and while the text is another than that of the set: what readings found.
  const asks = set !== undefined && (unreadable || state === undefined);
  const readings = useEngine("chunk.findings", asks ? { set: set.id } : undefined).data ?? NO_READINGS;
  const address = useAppState((state) => state.addressFindings);
  const explain = useExplain();
  const findings = useMemo(() => {
    const ofWhole = unreadable ? [] : (state?.findings ?? set?.findings ?? []);
    const ofSet = [...address, ...ofWhole];
    return explain && listedFindings({ ofSet, ofReadings: readings, diagnostics }, explain);
  }, [address, set, state, readings, diagnostics, unreadable, explain]);
  const nodes = useMemo(() => nodesByPath(set?.nodes ?? []), [set]);
  return { findings, nodes };
}
