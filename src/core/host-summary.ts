/** What the targets of one host amount to. */
export interface HostSummary {
  readonly host: string;
  readonly targets: number;
  readonly references: number;
  readonly bytes: number;
}
