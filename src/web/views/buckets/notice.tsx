import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "../../parts/failure.js";
import { t } from "../../texts/buckets.js";

/** Something that has been done, and how to take it back. */
export interface Done {
  readonly text: string;
  readonly undo: (() => Promise<void>) | undefined;
}

/** Tells what has been done. Give it a `key` for each. */
export function Notice({ done, onClose }: { readonly done: Done; readonly onClose: () => void }): JSX.Element {
  const [error, setError] = useState<unknown>();
  const [isUndoing, setIsUndoing] = useState(false);
  const { text, undo } = done;
  async function takeBack(): Promise<void> {
    if (undo === undefined) return;
    setIsUndoing(true);
    setError(undefined);
    try {
      await undo();
    } catch (thrown) {
      setError(thrown);
      setIsUndoing(false);
    }
  }
  return (
    <div class="notice row" role="status">
      <span>{text}</span>
      {undo !== undefined && (
        <button type="button" disabled={isUndoing} onClick={takeBack}>
          {t("undo")}
        </button>
      )}
      <button type="button" onClick={onClose}>
        {t("close")}
      </button>
      {error !== undefined && <Failure title={t("notUndone")} error={error} />}
    </div>
  );
}
