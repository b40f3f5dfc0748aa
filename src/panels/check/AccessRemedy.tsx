/** Where a target refuses who does not say who they are: what Python needs to say. */
import { useState } from "react";
import type { Finding } from "../../core/findings/fact.ts";
import { useAppState, useEngine } from "../../store/react.tsx";
import { PythonRecipe } from "../../widgets/PythonRecipe.tsx";
import { Unanswered } from "../../widgets/Unanswered.tsx";

/** Statuses that an account, a token or a payer may change. */
const REFUSED: ReadonlySet<unknown> = new Set([401, 403]);

export function AccessRemedy({ finding: { code, facts } }: { readonly finding: Finding }) {
  const [isOpen, setOpen] = useState(false);
  if (code !== "http-status" || !REFUSED.has(facts["status"])) return null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>In Python, with the access it asks for</summary>
      {isOpen ? <Recipe /> : null}
    </details>
  );
}

function Recipe() {
  const set = useAppState((state) => state.set?.id);
  const answer = useEngine("sources.access", set === undefined ? undefined : { set });
  if (answer.data === undefined) return <Unanswered answer={answer} label="Looking where targets are" />;
  return <PythonRecipe facts={answer.data} asked={1} />;
}
