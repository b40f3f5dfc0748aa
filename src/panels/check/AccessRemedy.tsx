/** Where a target refuses who does not say who they are: what Python needs to say. */
import { useState } from "react";
import { ACCESS_TITLE, isRefused } from "../../core/access/finding-remedies.ts";
import type { Finding } from "../../core/findings/fact.ts";
import { useAppState, useEngine } from "../../store/react.tsx";
import { PythonRecipe } from "../../widgets/PythonRecipe.tsx";
import { Unanswered } from "../../widgets/Unanswered.tsx";

export function AccessRemedy({ finding }: { readonly finding: Finding }) {
  const [isOpen, setOpen] = useState(false);
  if (!isRefused(finding)) return null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{ACCESS_TITLE}</summary>
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
