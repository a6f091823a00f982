import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { isGone } from "../api.js";
import { common } from "../texts/common.js";
import type { LazyText } from "../texts/text.js";
import { Failure } from "./failure.js";

/** A completed action, and how to undo it. */
export interface Done {
  readonly say: LazyText;
  readonly undo?: (() => Promise<void>) | undefined;
  /** Trash entries that undoing requires. */
  readonly entries?: readonly string[] | undefined;
}

export interface NoticeProps {
  readonly done: Done | undefined;
  readonly onClose: () => void;
}

/** Shows a completed action, with an undo button. */
export function Notice({ done, onClose }: NoticeProps): JSX.Element {
  return (
    <div class="notices" role="status">
      {done !== undefined && <NoticeRow key={done} {...{ done, onClose }} />}
    </div>
  );
}

function NoticeRow({
  done: { say, undo },
  onClose,
}: {
  readonly done: Done;
  readonly onClose: () => void;
}): JSX.Element {
  const [error, setError] = useState<unknown>();
  const [isUndoing, setIsUndoing] = useState(false);
  async function runUndo(): Promise<void> {
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
    <div class="notice row">
      <span>{say()}</span>
      {undo !== undefined && !isGone(error) && (
        <button type="button" disabled={isUndoing} onClick={runUndo}>
          {common("undo")}
        </button>
      )}
      <button type="button" onClick={onClose}>
        {common("close")}
      </button>
      {error !== undefined && <Failure title={common("couldNotDo")} error={error} />}
    </div>
  );
}
