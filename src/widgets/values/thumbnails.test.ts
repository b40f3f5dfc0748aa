import { expect, it } from "vitest";
import { newThumbnails } from "./thumbnails.ts";

const picture = (name: string) => ({ name }) as unknown as ImageData;

it("keeps the last pictures of each set's arrays, and says when there is another", () => {
  const thumbnails = newThumbnails(2);
  let changes = 0;
  const stop = thumbnails.listen(() => (changes += 1));
  thumbnails.keep(1, "a", picture("a"));
  thumbnails.keep(2, "a", picture("another"));
  thumbnails.keep(1, "a", picture("new"));
  thumbnails.keep(1, "b", picture("b"));
  expect(changes).toBe(4);
  stop();
  expect(thumbnails.get(2, "a")).toBeUndefined();
  expect(thumbnails.get(1, "a")).toEqual({ name: "new" });
  expect(thumbnails.get(1, "b")).toEqual({ name: "b" });
  thumbnails.keep(1, "c", picture("c"));
  expect(changes).toBe(4);
});
