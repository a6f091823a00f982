import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { common } from "../texts/common.js";

/** A command with a copy button. */
export function Command({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const [outcome, setOutcome] = useState<"copied" | "copyByHand">();
  const note = outcome && common(outcome);
  async function copy(): Promise<void> {
    // Insecure pages from other hosts have no clipboard access.
    const done = await Promise.resolve(navigator.clipboard?.writeText(text).then(() => true)).catch(() => false);
    setOutcome(done === true ? "copied" : "copyByHand");
    setTimeout(() => setOutcome(undefined), 2000);
  }
  return (
    <div class="command">
      <pre>
        <code>{text}</code>
      </pre>
      <button type="button" onClick={copy} aria-label={common("copyLabel", { what: label })}>
        {note ?? common("copy")}
      </button>
      <span class="unseen" role="status">
        {note}
      </span>
    </div>
  );
}
