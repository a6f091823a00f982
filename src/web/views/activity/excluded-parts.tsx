import type { JSX } from "preact";
import { labelOf } from "../../categories.js";
import { shorten } from "../../format.js";
import { href } from "../../router.js";
import { t } from "../../texts/activity.js";
import type { RejectedPart } from "./rejected.js";

const MOST_NAMED = 5;
/** Maximum length of names and reasons, in characters. */
const MOST_SHOWN = 200;

/** Lists rules that were left out, with links to fix them. */
export function ExcludedParts({ refused }: { readonly refused: readonly RejectedPart[] }): JSX.Element | null {
  if (refused.length === 0) return null;
  return (
    <div class="notice" role="status">
      {refused.slice(0, MOST_NAMED).map(({ key, category, reason }) => (
        <p key={key}>
          {category === undefined
            ? t.rich("patternLeftOut", {
                link: <a href={href(["settings"])}>{t("alwaysActive")}</a>,
                reason: shorten(reason(), MOST_SHOWN),
              })
            : t.rich("ruleLeftOut", {
                category: <a href={href(["categories"])}>{shorten(labelOf(category), MOST_SHOWN)}</a>,
                reason: shorten(reason(), MOST_SHOWN),
              })}
        </p>
      ))}
      {refused.length > MOST_NAMED && <p>{t("moreLeftOut", { count: refused.length - MOST_NAMED })}</p>}
    </div>
  );
}
