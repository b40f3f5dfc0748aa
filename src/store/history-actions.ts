/** Reading snapshots of the open repository, and comparing two of them. */
import { type Finding, findingOfError, isAbort } from "../core/findings/finding.ts";
import type { Ancestry, SnapshotEntry } from "../core/repository.ts";
import type { AskedComparison, Chain, HistoryState } from "./state.ts";
import type { TaskOptions, Tools } from "./tasks.ts";

/** Labels of the tasks, by which the view finds them. */
export const FOLLOWING = "Reading snapshots";
export const COMPARING = "Comparing two snapshots";

/** Entries of a chain at a time. */
const CHAIN_STEP = 100;
/** Each is a file in format 1: they are shown as they come, and kept if the rest is cancelled. */
const FILES_AT_ONCE = 10;
/** Quicker work is not shown. */
const SHOW_AFTER_MS = 300;

export function historyActions(tools: Tools) {
  const { engine, store } = tools;
  const change = (part: Partial<HistoryState>) => store.setState({ history: { ...store.getState().history, ...part } });
  return {
    chooseHistory: (part: Partial<Pick<HistoryState, "chainOf" | "from" | "to" | "refocus">>) => change(part),
    ...chainActions(tools, change),
    /** Message and time of snapshots, where asking costs no request. */
    async learnSnapshots(ids: readonly string[]) {
      const { set } = store.getState();
      if (set === undefined) return;
      const answers = await Promise.all(
        // The list matters more than a snapshot's name.
        ids.map((from) => engine.call("repository.ancestry", { set: set.id, from, limit: 1 }).catch(() => undefined)),
      );
      if (store.getState().set?.id !== set.id) return;
      const entries = answers.flatMap((answer) => answer?.entries ?? []);
      change({ entries: withEntries(store.getState().history.entries, entries) });
    },
    ...comparisonActions(tools, change),
  };
}

type Change = (part: Partial<HistoryState>) => void;

function chainActions({ engine, store, tasks }: Tools, change: Change) {
  const follow = async (before: Chain, from: string) => {
    const { set } = store.getState();
    if (set === undefined) return;
    const { of } = before;
    let chain = before;
    const show = (part: Pick<Chain, "following" | "error" | "cancelled">) => {
      const { of, entries, end } = chain;
      change({ chain: { of, entries, end, ...part }, entries: withEntries(store.getState().history.entries, entries) });
    };
    const isCurrent = () => store.getState().set?.id === set.id && store.getState().history.chain?.of === of;
    const limit = set.repository?.format === "1" ? FILES_AT_ONCE : CHAIN_STEP;
    const ask = async (options: TaskOptions) => {
      const most = before.entries.length + CHAIN_STEP;
      for (let next: string | undefined = from; next !== undefined && chain.entries.length < most;) {
        const answer = await engine.call("repository.ancestry", { set: set.id, from: next, limit }, options);
        if (!isCurrent()) return;
        chain = longer(chain, answer);
        next = limit < CHAIN_STEP && chain.end === "limit" ? chain.entries.at(-1)?.parent : undefined;
        show({ following: true });
      }
    };
    show({ following: true });
    try {
      await tasks.run("history-chain", FOLLOWING, ask, SHOW_AFTER_MS);
      if (isCurrent()) show({ following: false });
    } catch (error) {
      if (isCurrent()) show({ following: false, ...stopOf(error) });
    }
  };
  return {
    /** The chain behind a snapshot, from its beginning; nothing where that one is shown. */
    async followChain(of: string) {
      const { chain } = store.getState().history;
      const isBegun = chain?.following === true || (chain?.entries.length ?? 0) > 0;
      // A cancelled or failed request is taken up again when asked for.
      if (chain?.of === of && (isBegun || chain.cancelled === true || chain.error !== undefined)) return;
      await follow({ of, entries: [], end: "limit", following: true }, of);
    },
    /** The next entries of the chain. */
    async followFurther() {
      const { chain } = store.getState().history;
      if (chain === undefined || chain.following || chain.end !== "limit") return;
      const next = chain.entries.length === 0 ? chain.of : chain.entries.at(-1)?.parent;
      if (next !== undefined) await follow(chain, next);
    },
  };
}

const stopOf = (error: unknown): { readonly cancelled: true } | { readonly error: Finding } =>
  isAbort(error) ? { cancelled: true } : { error: findingOfError(error, FOLLOWING) };

/** A parent that came before, in an answer of its own, ends the chain too. */
function longer({ of, entries }: Chain, answer: Ancestry): Chain {
  const known = new Set(entries.map(({ id }) => id));
  const repeated = answer.entries.findIndex(({ id }) => known.has(id));
  const fresh = repeated < 0 ? answer.entries : answer.entries.slice(0, repeated);
  const end = repeated < 0 ? answer.end : "circle";
  return { of, entries: [...entries, ...fresh], end, following: true };
}

function withEntries(known: HistoryState["entries"], entries: readonly SnapshotEntry[]): HistoryState["entries"] {
  return new Map([...known, ...entries.map((entry) => [entry.id, entry] as const)]);
}

function comparisonActions({ engine, store, tasks }: Tools, change: Change) {
  return {
    /** Compares two snapshots; the result goes to `comparison`. */
    async compareSnapshots(asked: AskedComparison) {
      const { set } = store.getState();
      if (set === undefined) return;
      store.setState({ comparison: undefined });
      change({ asked, failed: undefined });
      const isCurrent = () => store.getState().set?.id === set.id && store.getState().history.asked === asked;
      try {
        const request = { set: set.id, ...asked };
        const changes = await tasks.run("history-compare", COMPARING, (options) =>
          engine.call("repository.compare", request, options),
        );
        if (isCurrent()) store.setState({ comparison: changes });
      } catch (error) {
        if (!isCurrent()) return;
        if (isAbort(error)) change({ asked: undefined });
        else change({ failed: findingOfError(error, COMPARING) });
      }
    },
    closeComparison() {
      const { set } = store.getState();
      store.setState({ comparison: undefined });
      change({ asked: undefined, failed: undefined });
      // A set that was closed meanwhile has forgotten it.
      if (set !== undefined) engine.call("repository.forgetComparison", { set: set.id }).catch(() => undefined);
    },
  };
}
