/** Lines of Python that get at the targets of a set, and what they cannot know. */
import { accessRecipe, type AccessFacts } from "../core/access/access-recipe.ts";
import { accessGaps } from "../core/access/access-words.ts";
import { CopyButton } from "./controls/Button.tsx";
import styles from "./PythonRecipe.module.css";

interface PythonRecipeProps {
  readonly facts: AccessFacts;
  /** Targets that were asked. */
  readonly asked: number;
}

export function PythonRecipe({ facts, asked }: PythonRecipeProps) {
  const text = accessRecipe(facts);
  return (
    <div className={`grid gap-6 narrow ${styles.recipe}`}>
      <div className="row spread gap-12 quiet">
        <p>Storage options for these sources. References cannot carry them.</p>
        <CopyButton text={text} what="Python" label />
      </div>
      <pre tabIndex={0} aria-label="Python that reads the sources">
        {text}
      </pre>
      {accessGaps(facts, asked).map((sentence) => (
        <p key={sentence} className="quiet">
          {sentence}
        </p>
      ))}
    </div>
  );
}
