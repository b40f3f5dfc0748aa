import { describe, expect, it } from "vitest";
import { zarrUrl } from "./zarr-url.ts";

const plain = { choice: undefined, ref: undefined, array: "" };

describe("an address of ZEP 8", () => {
  it("is a place, what of it, which version, and which array", () => {
    const read = (text: string) => zarrUrl(text);
    expect(read("s3://b/repo|icechunk:@branch.main/a/sst/")).toEqual({
      ...plain,
      url: "s3://b/repo/",
      ref: "branch:main",
      array: "a/sst",
    });
    expect(read("https://h/r/|icechunk:@tag.v1.0%2Frc")).toMatchObject({ url: "https://h/r/", ref: "tag:v1.0/rc" });
    expect(read("gs://b/r|icechunk:@ABCDEFGHJKMNPQRSTVWX/sst")).toMatchObject({ ref: "snapshot:ABCDEFGHJKMNPQRSTVWX" });
    expect(read("gs://b/r|icechunk:sst")).toEqual({ ...plain, url: "gs://b/r/", array: "sst" });
    expect(read("gs://b/r|icechunk:@branch.dev/|zarr3:g/sst")).toMatchObject({ ref: "branch:dev", array: "g/sst" });
    expect(read("https://h/s.zarr|zarr2:sst")).toEqual({ ...plain, url: "https://h/s.zarr/", array: "sst" });
    expect(read("https://h/s.zarr?x=1|zarr:")).toEqual({ ...plain, url: "https://h/s.zarr?x=1" });
    expect(read("https://h/a.zip|zip:s.zarr|zarr3:sst")).toEqual({
      ...plain,
      url: "https://h/a.zip",
      choice: "s.zarr/",
      array: "sst",
    });
    expect(read("a.zip|zip:b.zip|zip:refs.json")).toMatchObject({ url: "a.zip", choice: "b.zip!/refs.json" });
    expect(read("a.zip|zip:|zarr3:sst")).toMatchObject({ choice: "", array: "sst" });
    expect(read("refs.json.zst|zstd:")).toEqual({ ...plain, url: "refs.json.zst" });
  });

  it("is none without an adapter, and refused where one is not known", () => {
    expect(zarrUrl("https://h/a|b.json")).toBeUndefined();
    expect(zarrUrl("https://h/r%7Cicechunk:sst")).toMatchObject({ url: "https://h/r/", array: "sst" });
    expect(zarrUrl("https://h/a%zz.zip|zip:%zz")).toMatchObject({ choice: "%zz" });
    expect(() => zarrUrl("https://h/a|n5:x")).toThrow();
  });
});
