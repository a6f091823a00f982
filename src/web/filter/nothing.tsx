import type { JSX } from "preact";
import type { Period } from "../period.js";
import { href, type Params, route } from "../router.js";

const texts = {
  title: "Nothing matches the filter here",
  body: "No active time of this period meets all conditions.",
  without: "Without the filter",
  year: (year: string) => `The whole of ${year}`,
} as const;

/** Says that the filter keeps nothing of a period, and where there may be more. */
export function Nothing({ period, params }: { readonly period: Period; readonly params: Params }): JSX.Element {
  const year = period.first.slice(0, 4);
  return (
    <section class="card activity-empty">
      <h2>{texts.title}</h2>
      <p>{texts.body}</p>
      <p class="row">
        <a class="button" href={href(route.value.path, params, [])}>
          {texts.without}
        </a>
        {period.kind !== "year" && (
          <a class="button" href={href(["year", year], params)}>
            {texts.year(year)}
          </a>
        )}
      </p>
    </section>
  );
}
