import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { STATES, STATES_IN_ORDER } from "#core/table/reference.ts";
import { StateMark } from "./marks.tsx";

describe("StateMark", () => {
  it("has another shape for each state, and names it", () => {
    const marks = STATES.map((state) => renderToStaticMarkup(<StateMark state={state} />));
    expect(new Set(marks.map((mark) => /<path d="([^"]+)"/.exec(mark)?.[1])).size).toBe(STATES.length);
    for (const [at, state] of STATES.entries()) {
      expect(marks[at]).toContain(`aria-label="${state}"`);
      expect(marks[at]).toContain(`data-state="${state}"`);
    }
  });

  it("is shown for every state once, in their order", () => {
    expect(STATES_IN_ORDER.toSorted()).toEqual(STATES.toSorted());
  });
});
