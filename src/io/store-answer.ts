/** Answer of a store about a key. */
export type StoreAnswer =
  /** `size` in bytes, where it could be learnt. */
  | { readonly kind: "present"; readonly size?: number }
  /** 404 or 410 by HTTP, or the 401 or 403 of a store that denies what it does not have; no `status` without a server. */
  | {
      readonly kind: "absent";
      readonly status?: number;
      /** A page could not read the answer for it, though others of this server: it is probably a 404 without CORS header. */
      readonly unreadable?: true;
    }
  /** 401 or 403: some servers also answer so for what does not exist. */
  | ({ readonly kind: "denied"; readonly status: number } & Said);

/** Code and message of the server, where it sent some. */
interface Said {
  readonly said?: { readonly code: string; readonly message: string } | undefined;
}

/** Facts of a refusal, for findings. */
export const refusal = ({ status, said }: { readonly status: number } & Said) => ({ status, ...(said && { said }) });

export function negativeAnswer(
  status: number | undefined,
  { said }: Said = {},
): Exclude<StoreAnswer, { kind: "present" }> | undefined {
  if (status === 404 || status === 410) return { kind: "absent", status };
  if (status === 401 || status === 403) return { kind: "denied", ...refusal({ status, said }) };
  return undefined;
}
