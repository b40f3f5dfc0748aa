import type { RepositoryHistory } from "../../core/repository.ts";
import { useAppState } from "../../store/react.tsx";

interface Compared {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** The two snapshots to compare: those chosen, or what is shown (else the newest of the chain) and its parent. */
export function useCompared({ shown }: RepositoryHistory): Compared {
  const { from, to, chain } = useAppState((state) => state.history);
  const entries = chain?.entries ?? [];
  const newest = entries.find(({ id }) => id === shown.snapshot) ?? entries[0];
  const later = to ?? newest?.id;
  return { from: from ?? entries.find(({ id }) => id === later)?.parent, to: later };
}
