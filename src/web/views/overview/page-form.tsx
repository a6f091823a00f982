import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { saveSetting } from "../../settings.js";
import { common } from "../../texts/common.js";
import { t } from "../../texts/overview.js";
import { t as shell } from "../../texts/shell.js";
import {
  addPage,
  LONGEST_PAGE_NAME,
  OVERVIEW_PAGES,
  type OverviewPage,
  type PagesChange,
  removePage,
  renamePage,
} from "./pages.js";

export interface PageFormProps {
  readonly pages: readonly OverviewPage[];
  readonly page: OverviewPage;
  /** Resolves to whether the change is saved. */
  readonly change: (make: PagesChange) => Promise<boolean>;
  /** Opens a page. */
  readonly onGo: (name: string) => void;
}

/** Names, adds and deletes pages. */
export function PageForm({ pages, page, change, onGo }: PageFormProps): JSX.Element {
  const [typed, setTyped] = useState(page.name);
  const [isAsking, setIsAsking] = useState(false);
  const name = typed.trim();
  const isTaken = name !== page.name && pages.some((one) => one.name === name);

  async function rename(event: Event): Promise<void> {
    event.preventDefault();
    if (isTaken || name === page.name) return;
    if (await change(renamePage(page.name, name))) onGo(name);
  }
  async function add(): Promise<void> {
    const added = unusedName(pages);
    if (await change(addPage(added))) onGo(added);
  }
  return (
    <>
      <form class="row overview-form" onSubmit={rename}>
        <label class="row">
          {t("pageName")}
          <input
            value={typed}
            maxLength={LONGEST_PAGE_NAME}
            placeholder={shell("overview")}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={isTaken || name === page.name}>
          {common("save")}
        </button>
        <button type="button" onClick={add}>
          {t("addPage")}
        </button>
        <button type="button" class="danger" onClick={() => setIsAsking(true)}>
          {t("askDeletePage")}
        </button>
        {isTaken && <span class="bad">{t("nameTaken")}</span>}
      </form>
      {isAsking && (
        <ConfirmDialog
          title={t("deletePage", { name: page.name || shell("overview") })}
          action={common("delete")}
          onConfirm={async () => {
            await saveSetting(OVERVIEW_PAGES, removePage(page.name));
            onGo(pages.find((one) => one !== page)?.name ?? "");
          }}
          onClose={() => setIsAsking(false)}
        >
          <p>{t("deletePageHint")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** A name for a new page. */
function unusedName(pages: readonly OverviewPage[]): string {
  for (let number = 2; ; number++) {
    const name = t("newPage", { number });
    if (pages.every((page) => page.name !== name)) return name;
  }
}
