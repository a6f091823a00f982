import type { JSX } from "preact";
import { formatCount } from "../../format.js";
import { PAGE_SIZE } from "./event-page.js";

export interface PagerProps {
  /** Beginning with 0. */
  readonly page: number;
  readonly pages: number;
  /** Events on all pages. */
  readonly total: number;
  /** What the events are called: `events`, `matches`. */
  readonly noun: string;
  readonly linkTo: (page: number) => string;
  /** For those who do not see where it stands. */
  readonly label: string;
}

/** Where one is among many events, with links to what is around. */
export function Pager({ page, pages, total, noun, linkTo, label: name }: PagerProps): JSX.Element {
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
      {step("Newest", 0, page > 0)}
      {step("Newer", page - 1, page > 0)}
      <span class="pager-place">
        {total === 0 ? `no ${noun}` : `${formatCount(first)}–${formatCount(last)} of ${formatCount(total)} ${noun}`}
      </span>
      {step("Older", page + 1, page < pages - 1)}
      {step("Oldest", pages - 1, page < pages - 1)}
    </nav>
  );
}
