import { expect, it } from "vitest";
import { timeAgo } from "./StartPanel.tsx";

it("says how long ago in the largest unit that fits", () => {
  const now = 1_000 * 86_400_000;
  expect(timeAgo(now - 20_000, now)).toBe("just now");
  expect(timeAgo(now - 10 * 60_000, now)).toBe("10 minutes ago");
  expect(timeAgo(now - 30 * 3_600_000, now)).toBe("yesterday");
  expect(timeAgo(now - 3 * 86_400_000, now)).toBe("3 days ago");
  expect(timeAgo(now + 60_000, now)).toBe("just now");
});
