import { expect, it } from "vitest";
import { refusalOf } from "./ComparePanel.tsx";

const at = (url: string) => ({ source: { kind: "url", url }, linked: true }) as const;
const PAGE = "https://page.example/";

it("asks before a link to a comparison leads into a private network", () => {
  const set = { url: "https://h.example/a.json" };
  const near = at("http://192.168.1.1:8080/b.json");
  expect(refusalOf(near, set, false, PAGE)).toMatchObject({ code: "link-private-address" });
  expect(refusalOf({ source: near.source }, set, false, PAGE)).toBeUndefined();
  expect(refusalOf(near, set, true, PAGE)).toBeUndefined();
  expect(refusalOf(near, { url: "http://192.168.1.1:8080/a.json" }, false, PAGE)).toBeUndefined();
  expect(refusalOf(near, set, false, "http://localhost:5173/")).toBeUndefined();
  expect(refusalOf(at("https://other.example/b.json"), set, false, PAGE)).toBeUndefined();
});
