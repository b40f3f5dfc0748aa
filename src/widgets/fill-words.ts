/** Words for the value of missing chunks, by the array's fill value as JSON text. */
export function fillWords(fill: string | undefined): string {
  return fill === undefined || fill === "null" ? "no fill value" : `fill value ${fill}`;
}
