import type { JSX } from "preact";
import type { Entry } from "../../stopwatch/entries.js";
import { t } from "../../texts/stopwatch.js";
import type { Intent } from "./entry-dialogs.js";

export interface EntryActionsProps {
  readonly entry: Entry;
  /** The primary action. */
  readonly action: "stop" | "again";
  readonly onAction: () => Promise<void>;
  readonly onIntent: (intent: Intent) => void;
}

/** Actions of an entry. */
export function EntryActions({ entry, action, onAction, onIntent }: EntryActionsProps): JSX.Element {
  const button = (name: "stop" | "again" | "edit" | "delete", look: string | undefined, act: () => void) => (
    <button
      type="button"
      class={look}
      aria-label={t("actionOf", { action: t(name), label: entry.label || t("nameless") })}
      onClick={act}
    >
      {t(name)}
    </button>
  );
  return (
    <span class="row stopwatch-actions">
      {action === "stop" && button("stop", "primary", () => void onAction())}
      {button("edit", undefined, () => onIntent({ kind: "edit", entry }))}
      {button("delete", "danger", () => onIntent({ kind: "delete", entry }))}
      {/* At the other end, since a second click on "Stop" would start another entry. */}
      {action === "again" && button("again", undefined, () => void onAction())}
    </span>
  );
}
