import { expect, it } from "vitest";
import { contentOf, refusalIn } from "./target-content.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

it.each([
  ["", { kind: "empty" }],
  ["<!DOCTYPE html><html><title>Sign in</title>", { kind: "web-page", words: "Sign in" }],
  [
    '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchBucket</Code><Message>It does\n not exist</Message>',
    { kind: "error-document", code: "NoSuchBucket", message: "It does not exist" },
  ],
  ["<Error><Code>AccessDenied</Code></Error>", { kind: "error-document", code: "AccessDenied", message: "" }],
  ["version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 123456\n", { kind: "lfs-pointer", size: 123456 }],
  ["version of something", { kind: "data", format: undefined }],
  ["<?xml version='1.0'?><VOTABLE>", { kind: "data", format: undefined }],
  ["CDF\u0001\0\0", { kind: "data", format: "netCDF-3" }],
  ["SIMPLE  =  T", { kind: "data", format: "FITS" }],
  ["\u001f", { kind: "data", format: undefined }],
])("tells what %j is", (text, content) => {
  expect(contentOf(bytes(text))).toEqual(content);
});

it("tells gzip and HDF5", () => {
  expect(contentOf(Uint8Array.of(0x1f, 0x8b, 8, 0))).toEqual({ kind: "gzip" });
  expect(contentOf(Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a))).toMatchObject({ format: "HDF5" });
});

it.each([
  [
    "\ufeff<?xml version='1.0'?><Error><Code>PublicAccessNotPermitted</Code><Message>Public access is not permitted on this storage account.\nRequestId:af5a\nTime:2026-01-01T00:00:00Z</Message></Error>",
    { code: "PublicAccessNotPermitted", message: "Public access is not permitted on this storage account." },
  ],
  [
    "<Error><Code>PermanentRedirect</Code><Message>Elsewhere</Message><Endpoint>ocean.s3.us-west-2.amazonaws.com</Endpoint></Error>",
    { code: "PermanentRedirect", message: "Elsewhere", region: "us-west-2" },
  ],
  [
    "<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-central-1</Region></Error>",
    { code: "AuthorizationHeaderMalformed", message: "", region: "eu-central-1" },
  ],
  [
    '{"error":{"code":403,"message":"No access","errors":[{"reason":"forbidden"}]}}',
    { code: "forbidden", message: "No access" },
  ],
  ['{"detail":"Token has expired"}', { code: "", message: "Token has expired" }],
  ['{"error":"unauthorized"}', { code: "unauthorized", message: "" }],
  ['{"error":{"errors":[null]}}', undefined],
  ["[1]", undefined],
  ['{"cut', undefined],
  ["<html>", undefined],
])("reads what a server that refuses says: %s", (text, said) => {
  expect(refusalIn(bytes(text))).toEqual(said);
});
