import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "../parts/failure.js";
import { t } from "../texts/filtered.js";

/** Something that was done, and what takes it back. */
export interface Deed {
  readonly text: string;
  readonly undo?: (() => Promise<void>) | undefined;
}

/** What was done last; it stays until it is closed, whatever is shown meanwhile. */
export const deed: Signal<Deed | undefined> = signal(undefined);

/** Says what was done, with a button that takes it back. */
export function Notice(): JSX.Element | null {
  const done = deed.value;
  return (
    <div role="status" class="filter-notice">
      {done !== undefined && <Told key={done.text} done={done} />}
    </div>
  );
}

function Told({ done: { text, undo } }: { readonly done: Deed }): JSX.Element {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  async function takeBack(): Promise<void> {
    setBusy(true);
    setError(undefined);
    try {
      await undo?.();
      deed.value = { text: t("undone") };
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  }
  return (
    <div class="notice row">
      <span>{text}</span>
      {undo !== undefined && (
        <button type="button" disabled={isBusy} onClick={() => void takeBack()}>
          {t("undo")}
        </button>
      )}
      <button type="button" class="plain" onClick={() => (deed.value = undefined)}>
        {t("close")}
      </button>
      {error !== undefined && <Failure title={t("notUndone")} error={error} />}
    </div>
  );
}
