import { describe, expect, it } from "vitest";
import { requestFacts } from "./RequestTab.tsx";

const request = {
  url: "https://data.example.org/a.nc",
  range: { offset: 0, length: 6851 },
  attempts: 1,
  status: 206,
  rangeHonoured: true,
  bytesExpected: 6851,
  bytesReceived: 6851,
  milliseconds: 38,
};
const fact = (report: Parameters<typeof requestFacts>[0], id: string) =>
  requestFacts(report).find((one) => one.id === id);

describe("requestFacts", () => {
  it("recognises a range that was honoured", () => {
    expect(requestFacts({ ...request, targetSize: 1_970_464 }).map((one) => one.text)).toEqual([
      "bytes 0 to 6,850",
      "✓ 206, range honoured",
      "6,851 of 6,851 bytes",
      "38 ms",
      "1.97 MB",
    ]);
  });
  it("says what was asked for, and for how many reads", () => {
    const { range, ...whole } = request;
    expect(fact(whole, "asked")?.text).toBe("the whole file");
    expect(fact({ ...whole, range, readsServed: 3 }, "asked")?.text).toBe("bytes 0 to 6,850, for 3 reads at once");
  });
  it("recognises a range that was ignored, and too few bytes", () => {
    const ignored = { ...request, status: 200, rangeHonoured: false, bytesReceived: 12 };
    expect(fact(ignored, "status")).toMatchObject({ text: "✕ 200, range not honoured", tone: "bad" });
    expect(fact(ignored, "bytes")).toMatchObject({ text: "12 of 6,851 bytes", tone: "bad" });
  });
  it("distinguishes errors, silence and local files", () => {
    const { status: _, rangeHonoured: __, ...silent } = request;
    expect(fact({ ...silent, status: 403 }, "status")?.text).toBe("✕ 403");
    expect(fact(silent, "status")?.text).toBe("✕ no answer");
    expect(fact({ ...silent, url: "ocean-a.nc" }, "status")?.text).toBe("✓ local file");
    const texts = (target: "data" | "member") => requestFacts({ ...silent, targetSize: 10 }, target);
    expect(texts("data").map(({ text }) => text)).toContain("✓ in the URL itself");
    expect(
      texts("member")
        .slice(0, 2)
        .map(({ text }) => text),
    ).toEqual(["bytes 0 to 6,850 of the archive", "✓ from the archive"]);
    expect(texts("member").at(-1)).toMatchObject({ term: "Archive" });
  });
  it("names the host that a redirect led to", () => {
    expect(fact(request, "redirect")).toBeUndefined();
    const moved = { ...request, redirectedTo: "https://mirror.example:8443/b.nc" };
    expect(fact(moved, "redirect")).toMatchObject({ text: "mirror.example:8443, after a redirect", tone: "warn" });
    expect(fact(moved, "redirect")?.title).toContain("https://mirror.example:8443/b.nc");
  });
  it("counts attempts only where there were several, and shows the day of Last-Modified", () => {
    expect(fact(request, "attempts")).toBeUndefined();
    expect(fact({ ...request, attempts: 3 }, "attempts")?.text).toBe("3");
    const dated = { ...request, lastModified: "Sat, 01 Feb 2025 10:00:00 GMT" };
    expect(fact(dated, "modified")?.text).toBe("2025-02-01");
    expect(fact({ ...request, lastModified: "soon" }, "modified")?.text).toBe("soon");
  });
});
