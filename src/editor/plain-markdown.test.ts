import { expect, test } from "vitest";
import { markdownOf } from "./plain-markdown.ts";

test("text is escaped, addresses and tags too", () => {
  expect(markdownOf(["<b>*x*</b> http://a_b.c", "", "y"])).toBe(
    String.raw`\<b\>\*x\*\<\/b\> http\:\/\/a\_b\.c` + "\n\ny",
  );
});

test("lines after a tab are code, whose fence is longer than any run of backticks in it", () => {
  expect(markdownOf(["a", "\tb", "\tc ```` d", "e"])).toBe("a\n\n`````text\nb\nc ```` d\n`````\n\ne");
});
