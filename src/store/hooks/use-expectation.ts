/** Expectations of the open set: compared on opening Check if that is cheap, else on request. */
import { useEffect, useRef } from "react";
import type { NamedText } from "../state.ts";
import { useApp, useAppState, useEngine } from "../react.tsx";
import { useTask } from "./use-task.ts";

export type ExpectationRun = ReturnType<typeof useExpectation>;

export function useExpectation(set: number) {
  const { engine, actions } = useApp();
  const expectation = useAppState((state) => state.owner.expectation);
  const text = expectation?.text;
  const { last, error } = useEngine("check.expectationCost", text === undefined ? { set } : { set, text });
  const cost = last?.request.text === text ? last?.data : undefined;
  const comparison = useTask<void>("check-expectation", "Comparing with the expectations", String(set));
  const writing = useTask<string>("write-expectation", "Reading coordinates", String(set));
  const { begin } = comparison;
  const compare = (expected: NamedText | undefined, isAsked: boolean) => {
    begin(async (options) => {
      try {
        await engine.call("check.expect", { set, expected, isAsked }, options);
      } finally {
        actions.noteCheck();
      }
    });
  };
  const isBegun = useRef(false);
  /** Its cost was seen, and agreed to. */
  const paid = useRef<NamedText>(undefined);
  useEffect(() => {
    if (expectation === undefined && !isBegun.current) return;
    isBegun.current = true;
    compare(expectation, expectation !== undefined && expectation === paid.current);
    // oxlint-disable-next-line react/exhaustive-deps -- what compares is made anew with every drawing
  }, [set, expectation]);
  return {
    expectation,
    /** Cost of reading its coordinates; those of the set, if nothing is expected yet. */
    cost,
    /** Why it cannot be read. */
    invalid: expectation === undefined ? undefined : error,
    /** The comparison: `undefined` where none was begun. */
    begun: comparison.begun,
    /** From now on with this one, whatever that costs. */
    compare: (expected: NamedText) => {
      paid.current = expected;
      if (expected === expectation) compare(expected, true);
      else actions.expect(expected);
    },
    /** The set as it is, in words of an expectation. */
    writing: writing.begun,
    write: (then: (text: string) => void) =>
      writing.begin(async (options) => {
        const written = await engine.call("check.writeExpectation", { set }, options);
        then(written);
        return written;
      }),
    stop: () => {
      comparison.cancel();
      writing.cancel();
    },
  };
}
