import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ClientEvent } from "../../../client/client-types.js";
import { formatDuration, formatMoment } from "../../format.js";
import { Fact } from "../../parts/fact.js";
import { Menu } from "../../parts/menu.js";
import { href } from "../../router.js";
import { zone } from "../../settings.js";
import { t } from "../../texts/bucket.js";
import { t as buckets } from "../../texts/buckets.js";
import { common } from "../../texts/common.js";
import { cellText, columnsOf, fieldOf, otherFields } from "./columns.js";
import { CutText } from "./cut-text.js";
import { microsOf } from "./event-page.js";
import { printLocal } from "./local-time.js";

const CELL_CHARACTERS = 120;
const DETAIL_CHARACTERS = 5000;

/** Actions of an event. */
export type EventAction = "edit-event" | "delete-event" | "split-event" | "move-event";

export interface EventTableProps {
  /** Type of the bucket, which determines the usual fields. */
  readonly type: string;
  readonly events: readonly ClientEvent[];
  /** ID of the event that was requested by time. */
  readonly marked: number | undefined;
  readonly onAct: (action: EventAction, event: ClientEvent) => void;
}

/** Events with their usual fields as columns, the rest on demand; cards on narrow screens. */
export function EventTable({ type, events, marked, onAct }: EventTableProps): JSX.Element {
  const columns = columnsOf(type, events);
  return (
    <table class="event-table">
      <caption class="unseen">{common("events")}</caption>
      <thead>
        <tr>
          <th scope="col">{common("time")}</th>
          <th scope="col" class="number">
            {common("duration")}
          </th>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
          <th scope="col">{buckets("actions")}</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <EventRow key={event.id} event={event} columns={columns} isMarked={event.id === marked} onAct={onAct} />
        ))}
      </tbody>
    </table>
  );
}

interface EventRowProps extends Pick<EventTableProps, "onAct"> {
  readonly event: ClientEvent;
  readonly columns: readonly string[];
  readonly isMarked: boolean;
}

function EventRow({ event, columns, isMarked, onAct }: EventRowProps): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isMarked) row.current?.scrollIntoView({ block: "center" });
  }, [isMarked]);
  const others = otherFields(event.data, columns).length;
  const time = momentText(event.timestamp);
  const details = others > 0 ? t("detailsMore", { others }) : t("details");
  return (
    <>
      <tr ref={row} class={isMarked ? "marked" : undefined} aria-current={isMarked ? "true" : undefined}>
        <th scope="row">
          <time dateTime={event.timestamp}>{time}</time>
        </th>
        <td data-label={common("duration")} class="number">
          {formatDuration(event.duration)}
        </td>
        {columns.map((column) => (
          <td key={column} data-label={column} class="event-field">
            <bdi>
              <CutText text={cellText(fieldOf(event.data, column))} most={CELL_CHARACTERS} />
            </bdi>
          </td>
        ))}
        <td class="row-actions">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={t("detailsOf", { details, time })}
            onClick={() => setIsOpen(!isOpen)}
          >
            {details}
          </button>
          <button type="button" aria-label={t("editOf", { time })} onClick={() => onAct("edit-event", event)}>
            {t("edit")}
          </button>
          <Menu label={buckets("actionsOf", { name: time })}>
            {event.duration > 0 && (
              <button type="button" onClick={() => onAct("split-event", event)}>
                {t("split")}
              </button>
            )}
            <button type="button" onClick={() => onAct("move-event", event)}>
              {t("move")}
            </button>
          </Menu>
          <button
            type="button"
            class="danger"
            aria-label={t("deleteOf", { time })}
            onClick={() => onAct("delete-event", event)}
          >
            {common("delete")}
          </button>
        </td>
      </tr>
      {isOpen && (
        <tr class="event-details">
          <td colSpan={columns.length + 3}>
            <Details event={event} />
          </td>
        </tr>
      )}
    </>
  );
}

function Details({ event: { id, timestamp, duration, data } }: { readonly event: ClientEvent }): JSX.Element {
  const start = microsOf(timestamp);
  const end = start + Math.round(duration * 1_000_000);
  return (
    <>
      <dl class="fact-list">
        <Fact label={t("id")}>{id}</Fact>
        <Fact label={common("start")}>{printLocal(start, zone.value)}</Fact>
        <Fact label={t("end")}>{printLocal(end, zone.value)}</Fact>
        <Fact label={common("duration")}>{common("exactSeconds", { seconds: `${duration}` })}</Fact>
        <Fact label={t("inUtc")}>{timestamp}</Fact>
        <Fact label={t("around")}>
          <a href={timelineAround(start, Math.max(start, end))}>{t("onTimeline")}</a>
        </Fact>
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which has to be possible by keyboard */}
      <pre class="event-data" tabIndex={0}>
        <CutText text={JSON.stringify(data, undefined, 2)} most={DETAIL_CHARACTERS} />
      </pre>
    </>
  );
}

const MARGIN_MILLIS = 60_000;

/** A link to the timeline around an event; start and end in microseconds. */
function timelineAround(from: number, to: number): string {
  const [start, end] = [Math.floor(from / 1000), Math.ceil(to / 1000)];
  const margin = Math.max(MARGIN_MILLIS, end - start);
  const text = (millis: number): string => new Date(millis).toISOString();
  return href(["timeline"], { start: text(start - margin), end: text(end + margin) });
}

/** Date and time of an event, to the second. */
export function momentText(timestamp: string): string {
  return formatMoment(timestamp, zone.value);
}
