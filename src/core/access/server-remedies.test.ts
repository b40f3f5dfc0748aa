import { expect, it } from "vitest";
import { allCorsRemedies, bucketOf, corsRemedies, curlLine, serverKind } from "./server-remedies.ts";

it.each([
  ["https://ocean.s3.amazonaws.com/a.nc", "s3", "ocean"],
  ["https://ocean.s3.eu-west-1.amazonaws.com/a.nc", "s3", "ocean"],
  ["https://s3.amazonaws.com/o.c.e/a.nc", "s3", "o.c.e"],
  ["https://s3.us-west-2.amazonaws.com/ocean/a.nc", "s3", "ocean"],
  ["https://storage.googleapis.com/ocean/a.nc", "gcs", "ocean"],
  ["https://ocean.storage.googleapis.com/a.nc", "gcs", "ocean"],
  ["https://acc.blob.core.windows.net/c/a.nc", "azure", "acc"],
  ["https://data.example/a.nc", "web", undefined],
])("knows what serves %s", (url, kind, bucket) => {
  expect(serverKind(url)).toBe(kind);
  expect(bucketOf(url)).toBe(bucket);
});

it("gives what to configure on the server of an address, and for all kinds", () => {
  const [s3] = corsRemedies("https://ocean.s3.amazonaws.com/a.nc");
  expect(s3?.text).toContain("aws s3api put-bucket-cors --bucket ocean --cors-configuration file://cors.json");
  const rules = /\{[\s\S]*\}/.exec(s3?.text ?? "")?.[0] ?? "";
  expect(JSON.parse(rules)).toMatchObject({ CORSRules: [{ AllowedOrigins: ["*"], AllowedMethods: ["GET", "HEAD"] }] });
  expect(corsRemedies("https://data.example/x/a.nc").map(({ id }) => id)).toEqual(["nginx", "apache", "s3"]);
  expect(corsRemedies("https://data.example/x/a.nc")[0]?.text).toContain('location "/x/" {');
  expect(allCorsRemedies().map(({ id }) => id)).toEqual(["s3", "gcs", "azure", "nginx", "apache"]);
  for (const { text } of allCorsRemedies("https://p.example")) expect(text).toContain("https://p.example");
});

it("gives a request to try, with nothing in it that a shell would run", () => {
  expect(curlLine("https://x.example/a'b?c=$(d)", "https://p.example")).toBe(
    "curl -sS -D - -o /dev/null -r 0-15 -H 'Origin: https://p.example' 'https://x.example/a'\\''b?c=$(d)'",
  );
});
