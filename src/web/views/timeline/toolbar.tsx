import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { formatEnd, formatMoment } from "../../format.js";
import { DateField } from "../../parts/date-field.js";
import { dayAt } from "../../period.js";
import { currentCalendar } from "../../settings.js";
import { common } from "../../texts/common.js";
import { t as periods } from "../../texts/period.js";
import { t } from "../../texts/timeline.js";
import type { TimelineModel } from "./model.js";
import type { TimeWindow } from "./scale.js";
import { LENGTHS, lengthOf, stepWindow } from "./steps.js";

/** Below this length in milliseconds, the ends include milliseconds. */
const WITH_MILLIS = 10_000;

export interface ToolbarProps {
  readonly model: TimelineModel;
  /** Goes to the initial window. */
  readonly goToday: () => void;
}

/** Moves the window without gestures, and selects lanes and colors. */
export function Toolbar({ model, goToday }: ToolbarProps): JSX.Element {
  const move = (moved: (window: TimeWindow) => TimeWindow) => (): void => model.move(moved(model.window.peek()));
  const zoom = (factor: number): void => {
    const { start, end } = model.window.peek();
    model.resize((end - start) * factor);
  };
  return (
    <div class="tl-toolbar">
      <div class="row">
        <div class="row" dir="ltr">
          <button
            type="button"
            aria-label={t("earlier")}
            onClick={move((window) => stepWindow(window, -1, currentCalendar.value))}
          >
            ‹
          </button>
          <button
            type="button"
            aria-label={t("later")}
            onClick={move((window) => stepWindow(window, 1, currentCalendar.value))}
          >
            ›
          </button>
          <button type="button" aria-label={t("zoomOut")} onClick={() => zoom(2)}>
            −
          </button>
          <button type="button" aria-label={t("zoomIn")} onClick={() => zoom(0.5)}>
            +
          </button>
        </div>
        <button type="button" onClick={goToday}>
          {periods("now_day")}
        </button>
        <DateField
          label={periods("date")}
          value={dayAt(model.window.value.start, currentCalendar.value)}
          onPick={model.goToDate}
        />
        <Lengths model={model} />
        <label class="tl-color">
          {t("colorBy")}{" "}
          <select
            value={model.coloring.value}
            onChange={(event) => {
              model.coloring.value = event.currentTarget.value === "kind" ? "kind" : "category";
            }}
          >
            <option value="category">{t("byCategory")}</option>
            <option value="kind">{t("byKind")}</option>
          </select>
        </label>
        <LanePicker model={model} />
        {model.host.value !== undefined && (
          <button type="button" onClick={() => (model.host.value = undefined)}>
            {t("allHosts")}
          </button>
        )}
      </div>
      <Range model={model} />
    </div>
  );
}

function Lengths({ model }: { readonly model: TimelineModel }): JSX.Element {
  const shown = lengthOf(model.window.value, currentCalendar.value);
  return (
    <fieldset class="tl-lengths">
      <legend class="unseen">{common("duration")}</legend>
      {LENGTHS.map(([label, millis]) => (
        <button key={label} type="button" aria-pressed={label === shown} onClick={() => model.resize(millis)}>
          {t(label)}
        </button>
      ))}
    </fieldset>
  );
}

function Range({ model }: { readonly model: TimelineModel }): JSX.Element {
  const { start, end } = model.window.value;
  const zone = model.zone.value;
  const withMillis = end - start < WITH_MILLIS;
  return (
    <p class="tl-range">
      <time dateTime={new Date(start).toISOString()}>{formatMoment(start, zone, withMillis)}</time>
      {" – "}
      <time dateTime={new Date(end).toISOString()}>
        {withMillis ? formatMoment(end, zone, true) : formatEnd(start, end, zone)}
      </time>
    </p>
  );
}

/** Selects the visible lanes. */
function LanePicker({ model }: { readonly model: TimelineModel }): JSX.Element {
  const all = model.allLanes.value;
  const hidden = model.hidden.value;
  // Rendered lazily, since there may be hundreds.
  const [isOpen, setIsOpen] = useState(false);
  const show = (bucketId: string, isShown: boolean): void => {
    const next = new Set(hidden);
    if (isShown) next.delete(bucketId);
    else next.add(bucketId);
    model.hidden.value = next;
  };
  return (
    <details class="tl-picker" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary class="button">{t("lanes", { shown: model.lanes.value.length, all: all.length })}</summary>
      {isOpen && (
        <div class="tl-picker-list">
          <div class="row">
            <button type="button" onClick={() => (model.hidden.value = new Set())}>
              {common("showAll")}
            </button>
            <button type="button" onClick={() => (model.hidden.value = new Set(all.map(({ bucketId }) => bucketId)))}>
              {t("hideAll")}
            </button>
          </div>
          <ul>
            {all.map(({ bucketId, name, host }) => (
              <li key={bucketId}>
                <label title={bucketId}>
                  <input
                    type="checkbox"
                    checked={!hidden.has(bucketId)}
                    onChange={(event) => show(bucketId, event.currentTarget.checked)}
                  />
                  {name} <span class="quiet">{host}</span>
                </label>
              </li>
            ))}
          </ul>
        </div>
      )}
    </details>
  );
}
