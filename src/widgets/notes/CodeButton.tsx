import { createContext, use } from "react";
import { QuietButton } from "../controls/Button.tsx";

/** The page says what it does to explain a code. */
export const ExplainCode = createContext<(code: string) => void>(() => undefined);

/** Leads from the code of a finding or an error to what the page of codes says of it. */
export function CodeButton({ code }: { readonly code: string }) {
  const explain = use(ExplainCode);
  return (
    <QuietButton title={`What ${code} means, what to do and what readers do`} onClick={() => explain(code)}>
      About this code
    </QuietButton>
  );
}
