import { describe, expect, it } from "vitest";
import { isPrivateUrl } from "./private-address.ts";

describe("isPrivateUrl", () => {
  it.each([
    "http://localhost/",
    "http://LOCALHOST.:8080/",
    "http://data.localhost/",
    "http://printer/",
    "http://nas.local/x",
    "http://vault.internal/",
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "http://0/",
    "http://10.1.2.3/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.1.1:9000/",
    "http://169.254.169.254/latest/meta-data",
    "http://100.64.0.1/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::10.0.0.1]/",
    "http://[64:ff9b:1::10.0.0.1]/",
    "http://[64:ff9b:1:7f00:0:100::]/",
    "http://[2001::1]/",
    "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
    "http://[2002:7f00:1::]/",
    "http://[fe80::1]/",
    "http://[fd00::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "https://１２７.0.0.1/",
  ])("%s is private", (url) => {
    expect(isPrivateUrl(url)).toBe(true);
  });

  it.each([
    "https://bucket.s3.amazonaws.com/",
    "http://172.32.0.1/",
    "http://172.15.0.1/",
    "http://11.0.0.1/",
    "http://192.167.0.1/",
    "http://8.8.8.8/",
    "http://[2001:db8::1]/",
    "http://[::ffff:8.8.8.8]/",
    "http://[2606:4700::1111]/",
    "http://[64:ff9b::8.8.8.8]/",
    "http://[64:ff9b:2::1]/",
    "http://[2001:1::1]/",
    "https://localhost.example.org/",
    "https://local.example/",
    "https://internal.org/",
    "not a url",
  ])("%s is not", (url) => {
    expect(isPrivateUrl(url)).toBe(false);
  });
});
