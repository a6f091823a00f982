import type { JSX } from "preact";
import { isHidden } from "../embedding.js";
import { href } from "../router.js";
import { t } from "../texts/shell.js";

/** Views that share an entry of the menus, which opens the first visible one; by the first segment of their address. */
const GROUPS = {
  reportViews: ["timesheet", "overview"],
  data: ["buckets", "privacy", "retention", "trash", "storage", "devices"],
} as const;

export type TabGroup = keyof typeof GROUPS;
export type Tab = (typeof GROUPS)[TabGroup][number];

/** The visible tabs of a group. */
export function shownTabs(group: TabGroup): readonly Tab[] {
  return GROUPS[group].filter((tab: Tab) => !isHidden(tab));
}

/** The tab that a view belongs to, and its group; `undefined` for views without tabs. */
export function tabOf(view: string | undefined): { readonly tab: Tab; readonly group: TabGroup } | undefined {
  const named = view === "bucket" ? "buckets" : view;
  for (const group of ["reportViews", "data"] as const) {
    const tab = GROUPS[group].find((one: Tab) => one === named);
    if (tab !== undefined) return { tab, group };
  }
  return undefined;
}

export interface TabsProps {
  readonly group: TabGroup;
  readonly current: Tab;
}

/** Links between the views of a group. */
export function Tabs({ group, current }: TabsProps): JSX.Element {
  return (
    <nav class="tabs" aria-label={t(group)}>
      {shownTabs(group).map((tab) => (
        <a key={tab} href={href([tab])} aria-current={tab === current ? "page" : undefined}>
          {t(tab)}
        </a>
      ))}
    </nav>
  );
}
