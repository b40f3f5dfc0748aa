/** Leads from the code of a finding or an error to what the page of codes says of it. */
export function CodeButton({ code }: { readonly code: string }) {
  return (
    <button
      type="button"
      data-kind="quiet"
      title={`What ${code} means, what to do and what readers do`}
      onClick={() => window.dispatchEvent(new CustomEvent("refscope:codes", { detail: code }))}
    >
      About this code
    </button>
  );
}
