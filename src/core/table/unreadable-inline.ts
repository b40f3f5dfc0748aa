import { finding, type Finding, WHOLE_SET } from "../findings/finding.ts";

/** Why an inline value has no bytes: its base64 is damaged, or its text cannot be encoded as UTF-8. */
export function unreadableInline(oddity: "bad-base64" | "lone-surrogate"): Finding {
  if (oddity === "bad-base64") return finding("inline-bad-base64", WHOLE_SET, { raises: "binascii.Error" });
  const expected = "a text that can be encoded as UTF-8";
  return finding("reference-malformed", WHOLE_SET, { expected, found: "a text with half a surrogate pair" });
}
