/** Seeing what a replaced prefix would do, and doing it. */
import { useState } from "react";
import { findingOfError } from "../../core/findings/failure.ts";
import type { Finding } from "../../core/findings/finding.ts";
import type { SetSummary } from "../../core/open-set.ts";
import type { PrefixPreview } from "../../core/studio.ts";
import { useActions, useApp } from "../../store/react.tsx";
import { useTask } from "../../store/use-task.ts";

export interface PrefixDraft {
  readonly from: string;
  readonly to: string;
}

export interface PrefixPreviewTask {
  readonly isRunning: boolean;
  /** Of the draft as it is now. */
  readonly found: PrefixPreview | undefined;
  readonly error: Finding | undefined;
  readonly begin: () => void;
  readonly cancel: () => void;
  readonly apply: () => void;
}

export function usePrefixPreview(set: SetSummary, { from, to }: PrefixDraft): PrefixPreviewTask {
  const { engine, store } = useApp();
  const actions = useActions();
  const [failed, setFailed] = useState<Finding>();
  const task = useTask<PrefixPreview>(
    "prefix-preview",
    "Rendering with another prefix",
    JSON.stringify([set.id, from, to]),
  );
  const { begun } = task;
  const begin = () => {
    setFailed(undefined);
    task.begin(async (options) => {
      const { edit, maxGenerated: most } = store.getState();
      const base = edit?.base.id ?? set.id;
      const text = edit?.text ?? (await engine.call("edit.source", { set: base }, options)).text;
      const request = { set: base, shown: set.id, text, edits: edit?.edits ?? [], most, from, to };
      return engine.call("edit.previewPrefix", request, options);
    });
  };
  const apply = () => {
    const label = `Replace the prefix ${from} with ${to === "" ? "nothing" : to}`;
    actions
      .applyEdits([{ kind: "replace-prefix", from, to }], { label, array: "", chunks: [] })
      .catch((error: unknown) => {
        setFailed(findingOfError(error, label));
      });
  };
  return {
    isRunning: begun?.running === true,
    found: begun?.running === false ? begun.found : undefined,
    error: failed ?? begun?.error,
    begin,
    cancel: task.cancel,
    apply,
  };
}
