import type { JSX } from "preact";
import { DropDown } from "../parts/drop-down.js";
import { lazy } from "../parts/lazy.js";
import { t } from "../texts/shell.js";
import { styled } from "../views-style.js";

const SavedViewsList = lazy(async () => (await styled(import("./list.js"))).SavedViewsList);

/** The menu of saved views, which can add the current one. */
export function SavedViews(): JSX.Element {
  return (
    <DropDown class="saved-views" label={`${t("views")} ▾`}>
      <SavedViewsList />
    </DropDown>
  );
}
