/** Targets that nothing can be asked for: a file that is not among those given is missing, all else is said as it is. */
import type { EngineSet } from "../../engine-set.ts";
import { cause, causeOfFinding, type Cause } from "./cause.ts";
import type { NamesThere } from "./names-there.ts";
import type { AskedTarget } from "./probe-targets.ts";

export function unresolvedCause({ targets }: EngineSet, asked: AskedTarget, names: NamesThere): Cause | undefined {
  const { resolution, target } = asked;
  if (resolution.kind !== "unresolved") return undefined;
  const { code } = resolution.finding;
  // Files of other folders, where those of this one were deleted.
  if (code === "target-ambiguous" && target !== null && names.isNameOfAnother(target))
    return cause("target-missing", { near: undefined, where: "root" });
  if (code !== "target-relative" || targets.files === undefined || target === null)
    return causeOfFinding(resolution.finding, asked.target ?? "");
  // Beside a document nothing is listed but the document.
  const where = (targets.files.all ?? targets.files.list).length > 1 ? "root" : "beside";
  const near = names.nearFile(target);
  return cause("target-missing", { near, where }, near ?? "");
}
