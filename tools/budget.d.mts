interface Limit {
  readonly first: number;
  readonly limit: number;
  readonly decision: string;
}
export function limitsOf(budget: string): ReadonlyMap<string, Limit>;
export function overBudget(limits: ReadonlyMap<string, Limit>, figures: ReadonlyMap<string, number>): readonly string[];
export function withLowerLimits(budget: string, figures: ReadonlyMap<string, number>): string;
