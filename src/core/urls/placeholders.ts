/** Texts that stand where an address belongs and are none: whoever wrote the references never filled them in. */

export type PlaceholderKind = "dmrpp" | "dmrpp-missing" | "template" | "name" | "nothing" | "memory" | "object";

/** The first that fits is told: an object of Python may hold a path, and a path a name to fill in. */
const PLACEHOLDERS: readonly (readonly [PlaceholderKind, RegExp])[] = [
  ["dmrpp-missing", /OPeNDAP_DMRpp_(?:MISSING|SC)\w*/],
  ["dmrpp", /OPeNDAP_DMRpp_\w+/],
  ["object", /^<[\w.]+ object at 0x[\da-f]+>|^<(?:File-like object|_io\.)[^>]*>/i],
  ["template", /\{\{.*?\}\}|\{%.*?%\}/s],
  ["name", /<[a-z][\w .-]*>|\$\{\w+\}|^\$[A-Z]\w*(?=\/)|\{[a-z_]\w*(?::[^{}]*)?\}|(?:^|\/)path\/to(?=\/)/i],
  [
    "name",
    /(?<=:\/\/)(?:(?:YOUR|MY)[-_]?)?(?:BUCKET|CONTAINER)(?:[-_]?NAME)?(?=\/|$)|(?<=:\/\/)your[-_]\w[\w-]*(?=\/)/,
  ],
  ["nothing", /^(?:[a-z\d]+:\/\/)?(?:None|undefined)(?=\/|$)|^(?:null|nan|NaN|TODO|)$/],
  ["memory", /^memory:\/\/.*/s],
];

export type Placeholder = {
  readonly problem: PlaceholderKind;
  /** The part that is none of an address. */
  readonly text: string;
};

export function placeholderIn(target: string): Placeholder | undefined {
  // A query may hold braces of its own.
  const path = target.replace(/\?(?!.*\}\}).*$/s, "");
  for (const [problem, pattern] of PLACEHOLDERS) {
    const text = pattern.exec(path)?.[0];
    if (text !== undefined) return { problem, text };
  }
  return undefined;
}

/** True for names that no folder tells anything of: cheap, since every source's is asked. */
export const isPlaceholderName = (name: string): boolean =>
  name === "" || /^(?:OPeNDAP_|None$|null$|undefined$|nan$|NaN$|TODO$)/.test(name);
