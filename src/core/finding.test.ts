import { expect, it } from "vitest";
import type { Finding } from "./finding.ts";
import { FindingLog } from "./findings/finding-log.ts";

const finding = (code: string, severity: Finding["severity"]): Finding => ({ code, severity, message: code });

it("keeps a list short and its counts true", () => {
  const log = new FindingLog();
  for (let i = 0; i < 1000; i += 1) log.add(finding("many", "info"));
  log.add({ ...finding("worse", "error"), count: 5 });
  const list = log.list();
  expect(list[0]?.code).toBe("worse");
  expect(list.filter((one) => one.code === "many")).toHaveLength(20);
  expect(list.reduce((sum, one) => sum + (one.count ?? 1), 0)).toBe(1005);
});
