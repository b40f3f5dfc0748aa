import { expect, it } from "vitest";
import { meantUrls } from "./meant-url.ts";

it.each([
  ["S3n://ocean/a//b.nc", "s3://ocean/a//b.nc"],
  ["htps://data.example/a.nc?x=/y", "https://data.example/a.nc?x=/y"],
  ["s3:/ocean/a.nc", "s3://ocean/a.nc"],
  ["s3//ocean/a.nc", "s3://ocean/a.nc"],
  ["https://https://data.example/a.nc", "https://data.example/a.nc"],
  ["https://ocean.s3.us-wets-2.amazonaws.com/a.nc", "https://ocean.s3.us-west-2.amazonaws.com/a.nc"],
  ["https://data.example/a%2520b.nc", "https://data.example/a%20b.nc"],
  ["https://data.example/run#2.nc", "https://data.example/run%232.nc"],
  ["https://data.example/a//b.nc", "https://data.example/a/b.nc"],
  ["data/./a.nc", "data/a.nc"],
  ["s3://ocean/a.nc ", "s3://ocean/a.nc"],
])("%s was probably meant to be %s", (written, meant) => {
  expect(meantUrls(written)[0]).toBe(meant);
});

it.each(["https://data.example/a.nc", "s3://ocean/a.nc", "a.nc", "data/a.nc", "quux://x/a.nc", ""])(
  "%s is as good as any",
  (target) => {
    expect(meantUrls(target)).toEqual([]);
  },
);
