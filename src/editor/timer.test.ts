import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Timer } from "./timer.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("waits for quiet, but not for ever", () => {
  const at: number[] = [];
  const start = performance.now();
  const timer = new Timer(() => at.push(performance.now() - start));
  for (let time = 0; time < 1000; time += 50) {
    timer.restart(80, 400);
    vi.advanceTimersByTime(50);
  }
  vi.advanceTimersByTime(1000);
  expect(at).toEqual([400, 800, 1030]);
});

test("stops", () => {
  const task = vi.fn();
  const timer = new Timer(task);
  timer.restart(10);
  timer.stop();
  vi.advanceTimersByTime(100);
  expect(task).not.toHaveBeenCalled();
});
