/** ` · 3.0×` where a stage changed the number of bytes; three digits at most. */
export function ratioText(bytesIn: number, bytesOut: number): string {
  if (bytesIn === 0 || bytesIn === bytesOut) return "";
  const ratio = bytesOut / bytesIn;
  const digits = ratio >= 100 ? 0 : ratio >= 0.995 && ratio < 1.05 ? 3 : ratio >= 1 ? 1 : 2;
  return ` · ${ratio.toFixed(digits)}×`;
}
