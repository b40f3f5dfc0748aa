import { describe, expect, it } from "vitest";
import { detectParquetMetadata, parseRecordKey, recordKey, readParquetMetadata } from "./index.ts";
import { hasParquetMagic } from "./footer.ts";
import { keyAt } from "#core/findings/fact.ts";

const NODES = '".zgroup":{"zarr_format":2},"g/x/.zarray":"{\\"shape\\":[3]}","g/x/.zattrs":{"a":NaN}';

describe(".zmetadata", () => {
  it("gives the documents of all nodes, written as objects or as text", () => {
    const { documents, recordSize, findings } = readParquetMetadata(`{"metadata":{${NODES}},"record_size":100}`);
    expect(documents).toEqual([
      { key: ".zgroup", text: '{"zarr_format":2}' },
      { key: "g/x/.zarray", text: '{"shape":[3]}' },
      { key: "g/x/.zattrs", text: '{"a":NaN}' },
    ]);
    expect(recordSize).toBe(100);
    expect(findings).toMatchObject([{ code: "json-not-finite", place: keyAt(".zmetadata") }]);
  });

  it("keeps numbers as they are written", () => {
    const { documents } = readParquetMetadata(
      '{"metadata":{"x/.zattrs":{"scale_factor": 10.0, "n": 10}},"record_size":1}',
    );
    expect(documents[0]?.text).toBe('{"scale_factor":10.0,"n":10}');
  });

  it.each(["0", "-1", "1.5", '"100"', "123456789012345678901", "null", "NaN"])(
    "says that %s is not a record size",
    (text) => {
      const { recordSize, findings } = readParquetMetadata(`{"metadata":{},"record_size":${text}}`);
      expect(recordSize).toBeUndefined();
      expect(findings.map(({ code }) => code)).toContain("parquet-record-size-invalid");
    },
  );

  it("says that the record size is missing", () => {
    const { recordSize, findings } = readParquetMetadata(`{"metadata":{}}`);
    expect(recordSize).toBeUndefined();
    expect(findings.map(({ code }) => code)).toEqual(["parquet-record-size-missing"]);
  });

  it("refuses what is none", () => {
    expect(() => readParquetMetadata("{")).toThrow("json-invalid");
    const broken = (member: string | undefined) =>
      expect.objectContaining({
        finding: expect.objectContaining({ code: "parquet-metadata-broken", facts: { member, found: "an array" } }),
      });
    expect(() => readParquetMetadata('{"metadata":[]}')).toThrow(broken("metadata"));
    expect(() => readParquetMetadata("[]")).toThrow(broken(undefined));
  });
});

describe("detection", () => {
  it.each([
    [`{"metadata":{${NODES}},"record_size":3}`, "parquet"],
    [`{"metadata":{},"record_size":3}`, "parquet"],
    [`{"metadata":{},"record_size":"3"}`, "parquet"],
    [`{"metadata":{${NODES}},"zarr_consolidated_format":1}`, "zarr"],
    [`{"metadata":{${NODES}}}`, "unclear"],
    [`{"metadata":{"a":1}}`, "other"],
    [`{"refs":{}}`, "other"],
    ["[]", "other"],
    ["{", "other"],
  ])("takes %s as %s", (text, kind) => {
    expect(detectParquetMetadata(text).kind).toBe(kind);
  });

  it("knows Parquet files by both their ends", () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    expect(hasParquetMagic(bytes("PAR1…"), bytes("…PAR1"))).toBe(true);
    expect(hasParquetMagic(bytes("PAR1…"), bytes("…PAR2"))).toBe(false);
    expect(hasParquetMagic(bytes("PAR"), bytes("PAR1"))).toBe(false);
  });

  it("knows the keys of records", () => {
    expect(parseRecordKey("g/sst/refs.12.parq")).toEqual({ array: "g/sst", record: 12 });
    expect(parseRecordKey("refs.0.parq")).toEqual({ array: "", record: 0 });
    for (const key of ["sst/refs.01.parq", "sst/refs.parq", "sst/refs.0.parq.csv", "sst/xrefs.0.parq"]) {
      expect(parseRecordKey(key)).toBeUndefined();
    }
    expect([recordKey("g/sst", 12), recordKey("", 0)]).toEqual(["g/sst/refs.12.parq", "refs.0.parq"]);
  });
});
