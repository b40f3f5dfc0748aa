/** Words for the conditions of reading from a virtual chunk container. */
import type { ContainerSummary } from "../repository.ts";

const PUBLIC_BUCKET =
  "Read over HTTPS without a signature: the bucket must be public and allow other origins (CORS), or an address for the prefix is given in Locations.";

/** One sentence, or two. */
export function containerNeeds(container: ContainerSummary): string {
  switch (container.store) {
    case "http":
      return container.sendsHeaders
        ? "The official reader sends the headers that are stored here; give them for the prefix in Locations. The server must allow other origins (CORS)."
        : "Nothing but a server that allows other origins (CORS).";
    case "s3":
    case "s3_compatible":
    case "tigris":
      return s3Needs(container);
    case "gcs":
      return PUBLIC_BUCKET;
    case "azure":
      return "Read over HTTPS without a signature where the prefix names the storage account and the container is public (and allows other origins); else give an address for the prefix in Locations.";
    case "local_file_system":
      return "Files of the machine that wrote the repository: drop the same files or folder here, or give an address for the prefix in Locations.";
    case "in_memory":
      return "Was in the memory of the process that wrote it: nothing else can read it, unless an address of the same files is given for the prefix in Locations.";
    default:
      return "An unknown kind of store: give an address of the same files for the prefix in Locations.";
  }
}

function s3Needs({ store, endpoint }: ContainerSummary): string {
  if (endpoint !== undefined) {
    return `Read from ${endpoint} without a signature: the bucket must be public there and allow other origins (CORS), or an address for the prefix is given in Locations.`;
  }
  if (store === "s3") return PUBLIC_BUCKET;
  return "No endpoint is stored for this store, which is not Amazon's: give an address for the prefix in Locations.";
}
