/** What a Shannon entropy means, in bits a byte (0 to 8). */

/** Two digits; 8.00 and 0.00 only of exactly that. */
export function entropyText(entropy: number): string {
  const text = entropy.toFixed(2);
  if (text === "8.00" && entropy < 8) return "7.99";
  return text === "0.00" && entropy > 0 ? "0.01" : text;
}

export function entropyWords(entropy: number): string {
  if (entropy === 0) return "the same byte again and again.";
  if (entropy < 3) return "much repeats, as in a mask or in fill values.";
  if (entropy < 6.5) return "ordered bytes, such as plain numbers or text.";
  if (entropy < 7.5) return "little repeats, as in noisy numbers or weakly compressed bytes.";
  return "nearly noise: compressed or encrypted bytes look like this.";
}
