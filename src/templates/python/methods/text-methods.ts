/** All of `str`'s methods but `format` and `format_map`, which reach into other objects. */
import type { Method } from "./method.ts";
import { CASE_METHODS } from "./text-case.ts";
import { SEARCH_METHODS } from "./text-search.ts";
import { SHAPE_METHODS } from "./text-shape.ts";
import { SPLIT_METHODS } from "./text-split.ts";
import { TEXT_TESTS } from "./text-tests.ts";

export function findTextMethod(name: string): Method<string> | undefined {
  return (
    SPLIT_METHODS.get(name) ??
    SHAPE_METHODS.get(name) ??
    SEARCH_METHODS.get(name) ??
    CASE_METHODS.get(name) ??
    TEXT_TESTS.get(name)
  );
}
