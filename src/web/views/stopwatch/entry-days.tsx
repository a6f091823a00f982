import type { JSX } from "preact";
import { datesOf, wholeSeconds } from "../../csv.js";
import { formatDate, formatRough, formatTime, shorten } from "../../format.js";
import { CsvButton } from "../../parts/csv-button.js";
import type { Entry, EntryDay } from "../../stopwatch/entries.js";
import { secondsOf } from "../../stopwatch/entries.js";
import { t as shell } from "../../texts/shell.js";
import { t } from "../../texts/stopwatch.js";
import { EntryActions } from "./entry-actions.js";
import type { Intent } from "./entry-dialogs.js";

export interface EntryDaysProps {
  /** Newest first. */
  readonly days: readonly EntryDay[];
  /** Number of days to show; the CSV file has all. */
  readonly most: number;
  readonly zone: string;
  readonly onAgain: (label: string) => Promise<void>;
  readonly onIntent: (intent: Intent) => void;
}

/** Entries by day. */
export function EntryDays({ days, most, zone, onAgain, onIntent }: EntryDaysProps): JSX.Element | null {
  if (days.length === 0) return null;
  return (
    <section class="card" aria-label={shell("stopwatch")}>
      {days.slice(0, most).map(({ date, entries, seconds }) => (
        <div key={date} class="stopwatch-day">
          <h2 class="row spread">
            {/* Noon, so that the date is the same in every zone. */}
            <span>{formatDate(`${date}T12:00:00Z`, "UTC")}</span>
            <span class="number">{formatRough(seconds)}</span>
          </h2>
          <ul>
            {entries.map((entry) => (
              <EntryRow key={entry.id} {...{ entry, zone, onAgain, onIntent }} />
            ))}
          </ul>
        </div>
      ))}
      <p class="actions">
        <CsvButton name={shell("stopwatch")} dates={datesOf(firstAndLastDay(days))} rows={() => rowsOf(days)} />
      </p>
    </section>
  );
}

interface EntryRowProps extends Pick<EntryDaysProps, "zone" | "onAgain" | "onIntent"> {
  readonly entry: Entry;
}

function EntryRow({ entry, zone, onAgain, onIntent }: EntryRowProps): JSX.Element {
  const name = entry.label || t("nameless");
  return (
    <li class="stopwatch-entry">
      <span class="stopwatch-label" title={name.length > 200 ? name.slice(0, 2000) : undefined}>
        {shorten(name, 200)}
      </span>
      <span class="quiet">
        {formatTime(entry.start, zone)} – {formatTime(entry.end, zone)}
      </span>
      <span class="number">{formatRough(secondsOf(entry, 0))}</span>
      <EntryActions action="again" onAction={() => onAgain(entry.label)} {...{ entry, onIntent }} />
    </li>
  );
}

/** @param days newest first */
function firstAndLastDay(days: readonly EntryDay[]): { readonly first: string; readonly last: string } {
  return { first: days.at(-1)?.date ?? "", last: days[0]?.date ?? "" };
}

function rowsOf(days: readonly EntryDay[]): (readonly (string | number)[])[] {
  const head = ["day", "label", "start", "end", "seconds"];
  const iso = (instant: number): string => new Date(instant).toISOString();
  const rows = days.flatMap(({ date, entries }) =>
    entries.map((entry) => [date, entry.label, iso(entry.start), iso(entry.end), wholeSeconds(secondsOf(entry, 0))]),
  );
  return [head, ...rows];
}
