export interface CommandOptions {
  readonly json: boolean;
  readonly chunks: boolean;
  readonly offline: boolean;
  readonly root: string | undefined;
  readonly target: string | undefined;
  readonly choice: string | undefined;
}
