import type { ComponentChildren, JSX } from "preact";
import { formatMoment } from "../../format.js";
import { Fact } from "../../parts/fact.js";
import { zone } from "../../settings.js";
import { t } from "../../texts/access.js";

export interface EntryProps {
  readonly title: ComponentChildren;
  readonly facts: readonly (readonly [label: string, value: ComponentChildren])[];
  /** Actions. */
  readonly children?: ComponentChildren;
}

/** An entry with its details; place it in `<ul class="entries">`. */
export function Entry({ title, facts, children }: EntryProps): JSX.Element {
  return (
    <li>
      <div class="row spread">
        <h3>{title}</h3>
        {children}
      </div>
      <dl class="fact-list">
        {facts.map(([label, value]) => (
          <Fact key={label} label={label}>
            {value}
          </Fact>
        ))}
      </dl>
    </li>
  );
}

/** Formats an API timestamp. @param otherwise text for `null` */
export function moment(timestamp: string | null, otherwise: string): string {
  return timestamp === null ? otherwise : formatMoment(timestamp, zone.value);
}

/** Formats the last use, with its origin. */
export function lastUse(at: string | null, from: string | null): string {
  const when = moment(at, t("never"));
  return from === null ? when : t("usedFrom", { when, address: from });
}
