/** The anatomy of every recorded history that is here, against the truth that was kept while it was made. */
import { describe, it } from "vitest";
import { historiesHere } from "../testing/histories.ts";
import { expectAnatomy } from "./testing/expect-anatomy.ts";

const histories = historiesHere();
if (histories.length === 0) console.log("No recorded histories are here: their anatomy is not tested.");

describe.skipIf(histories.length === 0)("the anatomy of a recorded history", () => {
  it.each(histories)("%s is the sum of its files", (_, read) => expectAnatomy(read()));
});
