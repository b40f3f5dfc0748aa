/** Four significant digits, with a true minus sign: `−5.452`, `1.2e9`. */
export function shownNumber(value: number): string {
  const whole = Number.isInteger(value) && Math.abs(value) < 1e7;
  return String(whole ? value : Number(value.toPrecision(4)))
    .replaceAll("-", "−")
    .replace("e+", "e");
}
