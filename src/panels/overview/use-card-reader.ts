import { createContext, use, useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import type { SetSummary } from "#core/open-set.ts";
import { useApp, useAppState } from "#store/react.tsx";
import { cardReader, type CardReader } from "./card-reader.ts";
import type { CardItem, VariableLook } from "./variable-look.ts";

/** Reads while the card is on the screen. Begins anew where what it would find has changed. */
export function useCardReader({ id, pages }: Pick<SetSummary, "id" | "pages">): CardReader {
  const { engine, store, tasks } = useApp();
  const revision = useAppState((state) => state.revision);
  const isComplete = pages === undefined || pages.loaded === pages.count;
  const reader = useMemo(
    () => cardReader({ engine, store, tasks }, id),
    // oxlint-disable-next-line react/exhaustive-deps -- what was found before may be wrong after the last has changed
    [engine, store, tasks, id, revision],
  );
  useEffect(() => {
    if (isComplete) reader.renew();
  }, [reader, isComplete]);
  useEffect(() => reader.start(), [reader]);
  return reader;
}

export const ShownCard = createContext<CardReader | undefined>(undefined);

function useReader(): CardReader {
  const reader = use(ShownCard);
  if (reader === undefined) throw new Error("useReader outside ShownCard");
  return reader;
}

/** Look of an array that another part wants. */
export function useLookOf(path: string): VariableLook {
  const reader = useReader();
  return useSyncExternalStore(
    reader.subscribe,
    useCallback(() => reader.look(path), [reader, path]),
  );
}

/** Look of an item; it is read once the element of `ref` is on the screen, after the items that it needs. */
export function useLook(item: CardItem, needs: readonly CardItem[]) {
  const reader = useReader();
  const ref = useRef<HTMLLIElement>(null);
  const look = useLookOf(item.path);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        for (const one of [...needs, item]) reader.want(one);
      },
      { rootMargin: "120px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [reader, item, needs]);
  return { ref, look, read: () => reader.ask(item) };
}
