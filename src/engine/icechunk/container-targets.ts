/** Targets of virtual chunks: a container may say at which endpoint and in which region its buckets are. */
import type { Locations, Resolution } from "../../core/location.ts";
import { isJsonObject } from "../../core/json.ts";
import type { Configuration, VirtualContainer } from "../../formats/icechunk/index.ts";
import { resolveTarget, type BaseLocation } from "../../io/resolve.ts";
import type { TargetReader } from "../target-reader.ts";

/** An address that the user gave for the prefix comes before what the container says. */
export function containerTargets(reader: TargetReader, base: BaseLocation, all: Configuration): TargetReader {
  const special = all.containers.filter(
    (container) => container.ignored === undefined && placeOf(container) !== undefined,
  );
  if (special.length === 0) return reader;
  const placeFor = (target: string | null): BucketPlace | undefined => {
    if (target === null || isRewritten(target, reader.locations)) return undefined;
    const container = special.find(({ prefix }) => target.startsWith(prefix));
    return container === undefined ? undefined : placeOf(container);
  };
  const resolve = (target: string | null): Resolution => {
    const place = placeFor(target);
    if (target === null || place === undefined) return reader.resolve(target);
    return inPlace(target, place, base, reader);
  };
  return {
    get locations() {
      return reader.locations;
    },
    get files() {
      return reader.files;
    },
    resolve,
    read: (resolution, range, context) => reader.read(resolution, range, context),
    hostOf(target) {
      const resolution = placeFor(target) === undefined ? undefined : resolve(target);
      return resolution?.kind === "url" ? new URL(resolution.url).origin : reader.hostOf(target);
    },
    relocate: (locations, files) => {
      reader.relocate(locations, files);
    },
  };
}

interface BucketPlace {
  /** Of a store that speaks S3; absent = Amazon's. */
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  readonly pathStyle: boolean;
}

const isRewritten = (target: string, { rewrites }: Locations): boolean =>
  rewrites.some(({ from }) => from !== "" && target.startsWith(from));

function placeOf({ store, options }: VirtualContainer): BucketPlace | undefined {
  if (!isJsonObject(options) || !/^(?:s3|s3_compatible|tigris)$/.test(store)) return undefined;
  const text = (name: string): string | undefined => {
    const value = options.get(name);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const [endpoint, region] = [text("endpoint_url"), text("region")];
  if (endpoint === undefined && (region === undefined || store !== "s3")) return undefined;
  return { endpoint, region, pathStyle: options.get("force_path_style") === true };
}

function inPlace(target: string, place: BucketPlace, base: BaseLocation, reader: TargetReader): Resolution {
  const { locations, files } = reader;
  const { endpoint } = place;
  const address = endpoint === undefined ? undefined : endpointUrl(target, endpoint, place.pathStyle);
  if (address === undefined) {
    return resolveTarget(target, base, { ...locations, region: locations.region ?? place.region }, files);
  }
  const found = resolveTarget(address, base, { ...locations, rewrites: [] }, files);
  return { ...found, steps: [`the container's endpoint: ${target} is ${address}`, ...found.steps] };
}

/** `undefined` where the endpoint or target is no address. */
function endpointUrl(target: string, endpoint: string, pathStyle: boolean): string | undefined {
  const [, bucket, key = ""] = /^[a-z\d]+:\/\/([^/]+)\/(.*)$/is.exec(target) ?? [];
  if (bucket === undefined || !/^[\w.-]+$/.test(bucket) || !URL.canParse(endpoint)) return undefined;
  const url = new URL(endpoint);
  const path = key.split("/").map(encodeURIComponent).join("/");
  const folder = url.pathname.replace(/\/+$/, "");
  const isAddress = /^(?:[\d.]+|\[.*\]|localhost)$/.test(url.hostname);
  if (pathStyle || isAddress) return `${url.origin}${folder}/${bucket}/${path}`;
  return `${url.protocol}//${bucket}.${url.host}${folder}/${path}`;
}
