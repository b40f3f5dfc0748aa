import { expect, it } from "vitest";
import { explained } from "../core/findings/explain.ts";
import { drawingFailed } from "./CrashBoundary.tsx";

it("says which part of the page failed, and that the data are not at fault", () => {
  const { code } = drawingFailed(new RangeError("Invalid array length"), "the view Grid");
  expect(code).toBe("drawing-failed");
  const { message, remedy } = explained(drawingFailed(new RangeError("Invalid array length"), "the view Grid"));
  expect(message).toBe("Drawing the view Grid failed: Invalid array length.");
  expect(remedy).toContain("not a problem with your data");
});
