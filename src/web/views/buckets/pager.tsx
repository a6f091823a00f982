import type { JSX } from "preact";
import { formatCount } from "../../format.js";
import { t } from "../../texts/bucket.js";
import { PAGE_SIZE } from "./event-page.js";

export interface PagerProps {
  /** From 0. */
  readonly page: number;
  readonly pages: number;
  /** Events on all pages. */
  readonly total: number;
  /** Text for the position. */
  readonly of: "placeOfEvents" | "placeOfMatches";
  readonly linkTo: (page: number) => string;
  /** Accessible name. */
  readonly label: string;
}

/** Shows the current page, with links to others. */
export function Pager({ page, pages, total, of, linkTo, label: name }: PagerProps): JSX.Element {
  const first = page * PAGE_SIZE + 1;
  const last = Math.min(total, first + PAGE_SIZE - 1);
  const step = (label: string, target: number, isThere: boolean): JSX.Element =>
    isThere ? (
      <a class="button" href={linkTo(target)}>
        {label}
      </a>
    ) : (
      <span class="button off" aria-hidden="true">
        {label}
      </span>
    );
  return (
    <nav class="pager" aria-label={name}>
      {step(t("newest"), 0, page > 0)}
      {step(t("newer"), page - 1, page > 0)}
      <span class="pager-place">{t(of, { from: formatCount(first), to: formatCount(last), count: total })}</span>
      {step(t("older"), page + 1, page < pages - 1)}
      {step(t("oldest"), pages - 1, page < pages - 1)}
    </nav>
  );
}
