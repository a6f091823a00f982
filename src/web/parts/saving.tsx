import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { describeFailure } from "../api.js";
import { common } from "../texts/common.js";

type State = "saving" | "saved" | { readonly error: unknown } | undefined;

/** A save in progress and its result, in the page's language. */
export interface Saving {
  readonly note: string;
  readonly error: string | undefined;
  /** Never rejects. @returns whether it was stored */
  save(store: () => Promise<unknown>): Promise<boolean>;
}

export function useSaving(): Saving {
  const [state, setState] = useState<State>();
  const failure = typeof state === "object" ? state : undefined;
  return {
    note: typeof state === "string" ? common(state) : "",
    error: failure && common("notSaved", { reason: describeFailure(failure.error) }),
    async save(store) {
      setState("saving");
      try {
        await store();
        setState("saved");
        return true;
      } catch (error) {
        setState({ error });
        return false;
      }
    },
  };
}

/** Shows that a save is in progress or done. */
export function SavingNote({ text }: { readonly text: string }): JSX.Element {
  return (
    <span class="setting-note" role="status">
      {text}
    </span>
  );
}
