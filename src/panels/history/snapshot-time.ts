/** Times of snapshots: short for the table, exact for the tooltip. */

const two = (value: number) => String(value).padStart(2, "0");

/** `2024-05-06 07:08` in the time zone of this computer; the text itself where it is not a time. */
export function shortTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
