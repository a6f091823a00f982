import type { JSX } from "preact";
import { isHidden } from "../../embedding.js";
import { href } from "../../router.js";
import { t } from "../../texts/shell.js";

type Tab = "buckets" | "devices" | "privacy" | "retention" | "trash" | "storage";

/** Views about stored data, by the first segment of their address. */
const TABS: readonly Tab[] = ["buckets", "privacy", "retention", "trash", "storage", "devices"];

/** Visible tabs. */
export const SHOWN_TABS: readonly Tab[] = TABS.filter((tab) => !isHidden(tab));

/** The tab that a view belongs to; `undefined` for views about something else. */
export function dataTabOf(view: string | undefined): Tab | undefined {
  return view === "bucket" ? "buckets" : TABS.find((tab) => tab === view);
}

/** The label of a tab. */
export function tabLabel(tab: Tab): string {
  return t(tab);
}

/** Links between the views about stored data. */
export function DataTabs({ current }: { readonly current: Tab }): JSX.Element {
  return (
    <nav class="tabs" aria-label={t("data")}>
      {SHOWN_TABS.map((tab) => (
        <a key={tab} href={href([tab])} aria-current={tab === current ? "page" : undefined}>
          {t(tab)}
        </a>
      ))}
    </nav>
  );
}
