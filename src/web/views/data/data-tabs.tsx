import type { JSX } from "preact";
import { href } from "../../router.js";
import { t } from "../../texts/shell.js";

type Tab = "buckets" | "privacy" | "retention" | "trash" | "storage";

/** Views about what is stored, by the beginning of their addresses. */
const TABS: readonly Tab[] = ["buckets", "privacy", "retention", "trash", "storage"];

/** The tab that a view belongs to; `undefined` for views about something else. */
export function dataTabOf(view: string | undefined): Tab | undefined {
  return view === "bucket" ? "buckets" : TABS.find((tab) => tab === view);
}

/** The name of a tab. */
export function tabLabel(tab: Tab): string {
  return t(tab);
}

/** Leads from one view about what is stored to the others. */
export function DataTabs({ current }: { readonly current: Tab }): JSX.Element {
  return (
    <nav class="tabs" aria-label={t("data")}>
      {TABS.map((tab) => (
        <a key={tab} href={href([tab])} aria-current={tab === current ? "page" : undefined}>
          {t(tab)}
        </a>
      ))}
    </nav>
  );
}
