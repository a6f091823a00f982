import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { type Reloadable, shownValue } from "../../load.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { t } from "../../texts/access.js";
import { Absent } from "./absent.js";

export interface ListedProps<Item> {
  readonly title: string;
  readonly hint: string;
  readonly loaded: Reloadable<readonly Item[]>;
  readonly children: (items: readonly Item[]) => ComponentChildren;
}

/** A list that only the owner may see, or its placeholder. */
export function Listed<Item>({ title, hint, loaded, children }: ListedProps<Item>): JSX.Element {
  // Hides the previous list after a failure, since the permission may be gone.
  const items = loaded.state === "failed" ? undefined : shownValue(loaded);
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <p class="quiet">{hint}</p>
      {items === undefined ? <Absent loaded={loaded} /> : children(items)}
    </section>
  );
}

export interface RemovalProps {
  /** Verb of the button. */
  readonly action: string;
  /** Object of the action. */
  readonly name: string;
  /** Labels for the button and the question, if action and name do not suffice. */
  readonly labels?: readonly [label: string, question: string];
  /** Description of the effect. */
  readonly effect: string;
  readonly onRemove: () => Promise<void>;
}

/** A button that removes an entry after confirmation. */
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
