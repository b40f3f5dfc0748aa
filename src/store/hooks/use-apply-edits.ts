/** Applying a fix from anywhere on the page, as one edit of the document. */
import { useState } from "react";
import { findingOfError } from "../../core/findings/failure.ts";
import type { Finding } from "../../core/findings/finding.ts";
import type { TableEdit } from "../../core/studio.ts";
import type { ApplyActions } from "../apply-edits.ts";
import { useActions } from "../react.tsx";

type About = Parameters<ApplyActions["applyEdits"]>[1];

export interface ApplyingEdits {
  readonly applying: boolean;
  /** Why the last one could not be applied. */
  readonly error: Finding | undefined;
  readonly forgetError: () => void;
  /** Nothing while another is applied. `edits`: or what makes them; `onDone`: they are applied. */
  readonly apply: (
    edits: readonly TableEdit[] | (() => Promise<readonly TableEdit[]>),
    about: About,
    onDone?: () => void,
  ) => void;
}

export function useApplyEdits(): ApplyingEdits {
  const actions = useActions();
  const [applying, setApplying] = useState(false);
  const [error, setError] = useState<Finding>();
  const run: (...args: Parameters<ApplyingEdits["apply"]>) => Promise<void> = async (edits, about, onDone) => {
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
    error,
    forgetError: () => setError(undefined),
    apply: (...args) => void (applying ? undefined : run(...args)),
  };
}
