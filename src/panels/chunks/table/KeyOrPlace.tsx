/** Filter by key, or jump to a chunk by its key or coordinates. */
import { loadCatalogue, messageOf } from "../../../widgets/use-explain.ts";
import { notAChunk } from "./not-a-chunk.ts";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { isAbort } from "../../../core/errors.ts";
import { findingOfError } from "../../../core/findings/failure.ts";
import type { CommandOf } from "../../../store/command-bus.ts";
import { useActions, useApp, useCommand } from "../../../store/react.tsx";
import { chunkWish, isPlace, keyExtent, whyNoRow } from "./go-to-chunk.ts";
import type { Manifest } from "./use-manifest.ts";
import styles from "./FilterBar.module.css";

interface KeyOrPlaceProps {
  readonly manifest: Manifest;
  /** Given the row's position in the view. */
  readonly onFound: (row: number) => void;
  readonly onSay: (text: string) => void;
}

/** A part of a key filters; a whole key, or chunk coordinates, is a place to go to with Enter. */
export function KeyOrPlace({ manifest, onFound, onSay }: KeyOrPlaceProps) {
  const { draft, setDraft, node, set } = manifest;
  const [typed, setTyped] = useState({ text: "", keyText: "" });
  // The filter may be cleared or typed elsewhere.
  const text = typed.keyText === draft.keyText ? typed.text : draft.keyText;
  const go = useGoTo({ manifest, onFound, onSay });
  useSoughtRow(manifest, go);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void go(text);
  };
  const type = (next: string) => {
    const keyText = isPlace(next, { nodes: set.nodes, scope: node.path }) ? "" : next;
    setTyped({ text: next, keyText });
    if (keyText !== draft.keyText) setDraft({ ...draft, keyText });
  };
  return (
    <form onSubmit={onSubmit} className={styles.goTo}>
      <input
        className={styles.text}
        aria-label="Key or place"
        placeholder="Key or place"
        title="Part of a key filters; a chunk key or coordinates such as 2.0.1, then Enter, goes to the chunk"
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => type(event.target.value)}
      />
    </form>
  );
}

/** Other panels ask for the row of a key of the selected node so; it is gone to as soon as there are rows. */
function useSoughtRow({ set, node, rows }: Manifest, go: (key: string) => Promise<void>): void {
  const [sought, setSought] = useState<CommandOf<"find-row">>();
  const goTo = useRef(go);
  const done = useRef(sought);
  useCommand("find-row", setSought);
  useEffect(() => {
    goTo.current = go;
  });
  const { shown, stale } = rows;
  const ready = !stale && shown?.question.set === set.id && shown.question.spec.scope === node.path;
  useEffect(() => {
    if (sought === undefined || sought === done.current) return;
    const isElsewhere = sought.node !== node.path;
    if (!ready && !isElsewhere) return;
    done.current = sought;
    if (!isElsewhere) void goTo.current(sought.key);
  }, [sought, node.path, ready]);
}

function useGoTo({ manifest, onFound, onSay }: KeyOrPlaceProps) {
  const { engine } = useApp();
  const actions = useActions();
  const { set, node, array, rows, isArray, listsMissing } = manifest;
  return async (text: string) => {
    const wish = chunkWish(text, { nodes: set.nodes, scope: node.path, separator: array?.separator });
    if (wish.kind === "none") onSay(wish.reason);
    if (wish.kind === "elsewhere") actions.selectChunk(wish.array, wish.coordinates);
    if (wish.kind !== "key" || rows.shown === undefined) return;
    try {
      const { index, row } = await engine.call("table.find", {
        set: set.id,
        view: rows.shown.info.view,
        key: wish.key,
      });
      if (index === undefined) {
        const extent = array === undefined ? undefined : keyExtent(node, array.separator);
        onSay(`There is no chunk ${wish.key}${extent === undefined ? "." : `: ${extent}.`}`);
        return;
      }
      if (index >= 0) onFound(index);
      else onSay(whyNoRow(wish.key, row?.state, { isArray, listsMissing }));
      if (row?.array !== undefined && row.coordinates !== undefined) actions.selectChunk(row.array, row.coordinates);
      else if (row !== undefined) onSay(notAChunk(row, await loadCatalogue()));
    } catch (error) {
      if (!isAbort(error)) onSay(messageOf([findingOfError(error, `Looking for ${wish.key}`)], await loadCatalogue()));
    }
  };
}
