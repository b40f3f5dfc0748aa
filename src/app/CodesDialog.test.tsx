import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { CATALOGUE } from "../core/findings/catalogue/index.ts";
import { describeCode } from "../core/findings/code-list.ts";
import { CodeList } from "./CodesDialog.tsx";

describe("the page of codes", () => {
  const markup = renderToStaticMarkup(<CodeList code="range-past-end" />);

  it("has every code once", () => {
    const shown = [...markup.matchAll(/data-code="([^"]+)"/g)].map(([, code]) => code ?? "");
    expect(shown.toSorted()).toEqual(Object.keys(CATALOGUE).toSorted());
  });

  it("opens the one that is asked about, and only that", () => {
    const opened = [...markup.matchAll(/<details[^>]* open=""[^>]*>/g)].map(([tag]) => tag);
    expect(opened).toHaveLength(1);
    expect(opened[0]).toContain('data-code="range-past-end"');
  });

  it("says what it is, what to do and what readers do", () => {
    const { title, remedy = "", readers } = describeCode("range-past-end") ?? expect.fail("no such code");
    for (const text of [title, remedy, readers]) expect(markup).toContain(text.replaceAll("'", "&#x27;"));
  });
});
