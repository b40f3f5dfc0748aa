/** For tests: the error that a promise is expected to be rejected with. */
import { RefscopeError } from "../findings/finding.ts";

export async function rejectionOf(promise: Promise<unknown>): Promise<RefscopeError> {
  const error = await promise.then(
    (value) => new Error("expected an error", { cause: value }),
    (reason: unknown) => reason,
  );
  if (error instanceof RefscopeError) return error;
  throw error;
}
