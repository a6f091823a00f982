import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { type Reloadable, shownOf } from "../../load.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { t } from "../../texts/access.js";
import { Absent } from "./absent.js";

export interface ListedProps<Item> {
  readonly title: string;
  readonly hint: string;
  readonly loaded: Reloadable<readonly Item[]>;
  readonly children: (items: readonly Item[]) => ComponentChildren;
}

/** A list that only the owner may see, or what stands in its place. */
export function Listed<Item>({ title, hint, loaded, children }: ListedProps<Item>): JSX.Element {
  // What somebody was allowed to see before is not shown any more.
  const items = loaded.state === "failed" ? undefined : shownOf(loaded);
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <p class="quiet">{hint}</p>
      {items === undefined ? <Absent loaded={loaded} /> : children(items)}
    </section>
  );
}

export interface RemovalProps {
  /** What the button does. */
  readonly action: string;
  /** To what. */
  readonly name: string;
  /** The same in one, where name and action do not say it: for the button, and asked. */
  readonly labels?: readonly [label: string, question: string];
  /** What then is. */
  readonly effect: string;
  readonly onRemove: () => Promise<void>;
}

/** A button that takes something away, once that is confirmed. */
export function Removal({ action, name, effect, onRemove, labels }: RemovalProps): JSX.Element {
  const [isAsking, setIsAsking] = useState(false);
  const [label, question] = labels ?? [t("removalOf", { action, name }), t("removalOfWhich", { action, name })];
  async function remove(): Promise<void> {
    await onRemove();
    setIsAsking(false);
  }
  return (
    <>
      <button type="button" class="danger" aria-label={label} onClick={() => setIsAsking(true)}>
        {action}
      </button>
      {isAsking && (
        <ConfirmDialog title={question} action={action} onConfirm={remove} onClose={() => setIsAsking(false)}>
          <p>{effect}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
