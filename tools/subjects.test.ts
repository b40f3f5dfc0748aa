import { expect, test } from "vitest";
import { faultOf } from "./subjects.mjs";

test("a message has a short imperative subject and a reason", () => {
  expect(faultOf("Add a table of files\n\nAuthors could not sort them.\n")).toBeUndefined();
  expect(faultOf("Process embedded files\n\nThey were skipped.\n# a comment of git\n")).toBeUndefined();
  expect(faultOf(`Add ${"x".repeat(69)}\n\nWhy.`)).toMatch(/has 73 letters/);
  for (const subject of ["Adds a table", "Added a table", "The table is there", "Adding a table"])
    expect(faultOf(`${subject}\n\nWhy.`), subject).toMatch(/imperative/);
  expect(faultOf("Add a table")).toMatch(/does not say why/);
  expect(faultOf("Add a table\nof files\nthat are open")).toMatch(/no empty line/);
});
