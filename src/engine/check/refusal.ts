/** Whether fsspec opens a Version 1 document at all: it makes all references before it gives any. */
import type { Finding } from "../../core/finding.ts";

/** Codes of what fsspec raises on, in the order in which it comes upon it. */
const RAISED = [
  "version-unknown",
  "template-fails",
  "refs-not-object",
  "inline-bad-base64",
  "reference-refused",
  "url-fails",
  "gen-fails",
];

/** What is raised, where the finding does not say it. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ["version-unknown", "ValueError"],
  ["refs-not-object", "AttributeError"],
  ["inline-bad-base64", "binascii.Error"],
]);

/** Refscope's own limits and gaps are no refusal of fsspec: the renderer's messages end with what follows. */
const OURS = /Refscope does not(?: guess)?\.$/;

/** Absent where fsspec reads the document. */
export function refusal(findings: readonly Finding[]): Finding | undefined {
  for (const code of RAISED) {
    const cause = findings.find((finding) => finding.code === code && finding.severity === "error" && !isOurs(finding));
    if (cause !== undefined) return refused(cause);
  }
  return undefined;
}

const isOurs = ({ message }: Finding): boolean => OURS.test(message);

function refused({ code, message, array, key, target }: Finding): Finding {
  const raised = EXCEPTIONS.get(code);
  const cause = `${raised === undefined ? "" : `${raised}: `}${message}`.replace(
    / fsspec refuses the whole set\.$/,
    "",
  );
  return {
    code: "set-refused",
    severity: "error",
    ...(array === undefined ? {} : { array }),
    ...(key === undefined ? {} : { key }),
    ...(target === undefined ? {} : { target }),
    message: `Python's reader (fsspec) refuses the whole set and opens nothing of it. ${cause}`,
    advice: "Correct the document; until then what could be rendered is shown here, which no other reader shows.",
  };
}

/** Whether some of what `gen` should make is not there, whoever stopped it. */
export function isIncomplete(findings: readonly Finding[]): boolean {
  const codes = new Set(["template-fails", "gen-fails", "gen-too-large", "gen-too-much-text"]);
  return findings.some(({ code, severity }) => severity === "error" && codes.has(code));
}
