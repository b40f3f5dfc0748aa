import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore, type RefObject } from "react";
import type { SetSummary } from "../../core/open-set.ts";
import { useApp, useAppState } from "../../store/react.tsx";
import { cardReader, type CardReader } from "./card-reader.ts";
import type { CardItem, VariableLook } from "./variable-look.ts";

/** Reads while the card is on the screen. Begins anew where what it would find has changed. */
export function useCardReader({ id, pages }: Pick<SetSummary, "id" | "pages">): CardReader {
  const { engine, store, tasks } = useApp();
  const revision = useAppState((state) => state.revision);
  const isComplete = pages === undefined || pages.loaded === pages.count;
  const reader = useMemo(
    () => cardReader({ engine, store, tasks }, id),
    // oxlint-disable-next-line react/exhaustive-deps -- what was found before may be wrong after the last two have changed
    [engine, store, tasks, id, revision, isComplete],
  );
  useEffect(() => reader.start(), [reader]);
  return reader;
}

/** What is known of an array that somebody else wants. */
export function useLookOf(reader: CardReader, path: string): VariableLook {
  return useSyncExternalStore(
    reader.subscribe,
    useCallback(() => reader.look(path), [reader, path]),
  );
}

interface Looked {
  readonly ref: RefObject<HTMLLIElement | null>;
  readonly look: VariableLook;
  readonly read: () => void;
}

/** What is known of an item; it is wanted once the element of `ref` is on the screen, after the items that it needs. */
export function useLook(reader: CardReader, item: CardItem, needs: readonly CardItem[]): Looked {
  const ref = useRef<HTMLLIElement>(null);
  const look = useLookOf(reader, item.path);
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
    return () => {
      observer.disconnect();
    };
  }, [reader, item, needs]);
  return { ref, look, read: () => reader.ask(item) };
}
