import type { JSX } from "preact";
import type { JsonValue } from "../../../domain/json.js";
import { formatDuration, formatEnd, formatMoment, shorten } from "../../format.js";
import { Fact } from "../../parts/fact.js";
import { t } from "../../texts/timeline.js";
import type { Hit } from "./hits.js";
import type { Look } from "./looks.js";

/** Maximum number of displayed fields and characters. */
const MAX_FIELDS = 40;

export interface EventFactsProps {
  readonly hit: Hit;
  readonly look: Look;
  readonly zone: string;
  /** Maximum characters of each value. */
  readonly most: number;
  /** Whether its duration is known; a part could be mistaken for all. */
  readonly isWhole: boolean;
}

/** Details of an event, or of a bin with many, as text. */
export function EventFacts({ hit, look, zone, most, isWhole }: EventFactsProps): JSX.Element {
  const fields = Object.entries(hit.data).slice(0, MAX_FIELDS);
  return (
    <>
      <p class="tl-facts-head">
        <span class="tl-swatch" style={{ background: look.color }} aria-hidden="true" />
        <strong>{hit.lane.name}</strong> {look.category !== undefined && <span class="quiet">{look.category}</span>}
      </p>
      <p class="tl-facts-time">
        {isWhole ? `${formatMoment(hit.start, zone)} – ${formatEnd(hit.start, hit.end, zone)}` : "…"}
      </p>
      <p class="tl-facts-time">{isWhole ? lengthText(hit) : "…"}</p>
      <dl class="tl-data">
        {fields.map(([name, value]) => (
          <Fact key={name} label={shorten(name, 60)}>
            {shorten(factText(value), most)}
          </Fact>
        ))}
      </dl>
      {fields.length === 0 && <p class="quiet">{t("noData")}</p>}
    </>
  );
}

function lengthText({ id, count, seconds, start, end }: Hit): string {
  if (id !== undefined) return formatDuration(seconds);
  const [covered, length] = [formatDuration(seconds), formatDuration((end - start) / 1000)];
  return t("bin", { count, covered, length });
}

function factText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
