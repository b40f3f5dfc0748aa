/** Applying a fix from anywhere on the page, as one edit of the document. */
import { useState } from "react";
import { type Finding, findingOfError } from "#core/findings/finding.ts";
import type { TableEdit } from "#core/studio.ts";
import type { ApplyActions } from "../apply-edits.ts";
import { useActions } from "../react.tsx";

/** Nothing while another is applied. `edits`: or what makes them; `onDone`: they are applied. */
type Apply = (
  edits: readonly TableEdit[] | (() => Promise<readonly TableEdit[]>),
  about: Parameters<ApplyActions["applyEdits"]>[1],
  onDone?: () => void,
) => void;

export function useApplyEdits() {
  const actions = useActions();
  const [applying, setApplying] = useState(false);
  const [error, setError] = useState<Finding>();
  const run: (...args: Parameters<Apply>) => Promise<void> = async (edits, about, onDone) => {
    setApplying(true);
    setError(undefined);
    try {
      await actions.applyEdits(typeof edits === "function" ? await edits() : edits, about);
      onDone?.();
    } catch (thrown) {
      setError(findingOfError(thrown, "Applying the fix"));
    } finally {
      setApplying(false);
    }
  };
  return {
    applying,
    /** Why the last one could not be applied. */
    error,
    forgetError: () => setError(undefined),
    apply: ((...args) => void (applying ? undefined : run(...args))) satisfies Apply as Apply,
  };
}
