/** `docs/decisions/budget.md`: a table of figures with the most that each may be; raising one needs a decision. */

const ROW = /^\| ([^|]+?) \| ([\d,]+) \| ([\d,]+) \|([^|]*)\|$/gm;
const number = (text) => Number(text.replaceAll(",", ""));

/** Title → what was recorded first, the limit of now, and the decision that raised it (empty if none did). */
export function limitsOf(budget) {
  return new Map(
    [...budget.matchAll(ROW)].map(([, title, first, limit, decision]) => [
      title,
      { first: number(first), limit: number(limit), decision: decision.trim() },
    ]),
  );
}

/** A line for each figure that is above its limit or has none, and each limit that was raised without a decision. */
export function overBudget(limits, figures) {
  const lines = [];
  for (const [title, figure] of figures) {
    const allowed = limits.get(title);
    if (allowed === undefined) lines.push(`docs/decisions/budget.md has no row "${title}" (now ${figure}).`);
    else if (figure > allowed.limit)
      lines.push(
        `${title}: ${figure}, at most ${allowed.limit} allowed. Bring it down, or raise it in docs/decisions/budget.md with a decision.`,
      );
  }
  for (const [title, { first, limit, decision }] of limits) {
    if (limit > first && !/\]\(.+\.md/.test(decision))
      lines.push(`${title}: raised from ${first} to ${limit} without a link to a decision.`);
    if (!figures.has(title)) lines.push(`docs/decisions/budget.md has a row "${title}", which nobody measures.`);
  }
  return lines;
}

/** The document with each limit lowered to its figure, where that is lower. */
export function withLowerLimits(budget, figures) {
  return budget.replace(ROW, (row, title, first, limit, decision) => {
    const figure = figures.get(title);
    return figure === undefined || figure >= number(limit)
      ? row
      : `| ${title} | ${first} | ${figure.toLocaleString("en")} |${decision}|`;
  });
}
