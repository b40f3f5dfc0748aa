type Env = Readonly<Record<string, string | undefined>>;
export interface Issue {
  readonly title?: string;
  readonly body?: string;
  readonly state?: string;
}
type Ask = (method: string, path: string, body?: Issue) => Promise<unknown>;
interface Verdict {
  readonly set: string;
  readonly date: string;
  readonly verdict: Readonly<Record<string, string>>;
  readonly problems: number;
  readonly firstTarget?: string;
}
interface Around {
  readonly run?: (args: readonly string[]) => { readonly status: number; readonly stdout: string };
  readonly ask?: Ask;
  readonly now?: Date;
  readonly say?: (line: string) => void;
}
export function setsOf(env: Env, root?: string): readonly string[];
export function packageOf(env: Env): string;
export function commandOf(env: Env, set: string, folder: string): readonly string[];
export function withVerdict(
  verdicts: readonly Verdict[],
  of: { readonly set: string; readonly report: object; readonly date: string },
): readonly Verdict[];
export function main(env: Env, around?: Around): Promise<number>;
