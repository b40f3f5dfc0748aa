/**
 * Sentences by what they tell of, each made of its own facts: one table where a union and a switch over it would be
 * two.
 */
export type Sentences = Readonly<Record<string, string | ((facts: never, ...more: never[]) => string)>>;

/** The facts of which a table tells: `K` says of which of its sentences, the rest is what that sentence is made of. */
export type ToldBy<S extends Sentences, K extends string = "problem"> = {
  [P in keyof S]: { readonly [key in K]: P } & (S[P] extends (facts: infer F, ...more: never[]) => string
    ? Readonly<F>
    : object);
}[keyof S];

/** `key`: the fact that says which sentence it is. `more`: what else the sentences of the table are given. */
export function sentenceOf<S extends Sentences, K extends string>(sentences: S, key: K) {
  return (facts: ToldBy<S, K>, ...more: readonly unknown[]): string => {
    const sentence: Sentences[string] = sentences[facts[key]] ?? "";
    return typeof sentence === "function" ? sentence(facts as never, ...(more as readonly never[])) : sentence;
  };
}
