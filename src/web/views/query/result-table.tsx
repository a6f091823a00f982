import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { isJsonObject, type JsonValue } from "../../../domain/json.js";
import { formatCount, formatDuration, formatMoment } from "../../format.js";
import { zone } from "../../settings.js";
import { cellText, columnsOf, cut, type Section } from "./result.js";

/** Rows that are shown at first, and more with each press. */
const ROWS = 1000;
/** Characters of a cell; beyond them there is the JSON. */
const MOST_SHOWN = 300;

interface Grid {
  readonly columns: readonly { readonly label: string; readonly isNumeric?: boolean }[];
  readonly count: number;
  readonly row: (at: number) => readonly ComponentChildren[];
}

/** A part of a result as a table. */
export function ResultTable({ section }: { readonly section: Section }): JSX.Element {
  const [shown, setShown] = useState(ROWS);
  const { columns, count, row } = gridOf(section);
  if (count === 0) return <p class="quiet">Nothing: an empty list.</p>;
  const rows = Array.from({ length: Math.min(count, shown) }, (_, at) => row(at));
  const caption = section.path === "" ? "Rows" : `Rows of ${cut(section.path, 100)}`;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard */}
      <section class="scroll" aria-label={caption} tabIndex={0}>
        <table class="result-table">
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              {columns.map(({ label, isNumeric }, at) => (
                <th key={at} scope="col" class={isNumeric ? "number" : undefined}>
                  {cut(label, 60)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, at) => (
              <tr key={at}>
                {cells.map((cell, column) => (
                  <td key={column} class={columns[column]?.isNumeric ? "number" : undefined}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="result-count">
        {count > shown
          ? `${formatCount(shown)} of ${formatCount(count)} rows`
          : `${formatCount(count)} ${count === 1 ? "row" : "rows"}`}
        {count > shown && (
          <button type="button" onClick={() => setShown(shown + ROWS)}>
            Show {formatCount(Math.min(ROWS, count - shown))} more
          </button>
        )}
      </p>
    </>
  );
}

function gridOf(section: Section): Grid {
  switch (section.kind) {
    case "events": {
      const { events } = section;
      const keys = columnsOf(events.map(({ data }) => data));
      return {
        columns: [{ label: "Time" }, { label: "Duration", isNumeric: true }, ...keys.map((label) => ({ label }))],
        count: events.length,
        row(at) {
          const { timestamp = "", duration = 0, data } = events[at] ?? {};
          const time = <time dateTime={timestamp}>{formatMoment(timestamp, zone.value)}</time>;
          const length = <span title={`${duration} seconds`}>{formatDuration(duration)}</span>;
          return [time, length, ...keys.map((key) => <Cell key={key} value={ownMember(data, key)} />)];
        },
      };
    }
    case "list": {
      const { items } = section;
      const objects = items.filter(isJsonObject);
      if (objects.length < items.length || objects.length === 0) {
        return {
          columns: [{ label: "#", isNumeric: true }, { label: "Value" }],
          count: items.length,
          row: (at) => [formatCount(at + 1), <Cell key="value" value={items[at]} />],
        };
      }
      const keys = columnsOf(objects);
      return {
        columns: keys.map((label) => ({ label })),
        count: items.length,
        row: (at) => keys.map((key) => <Cell key={key} value={ownMember(objects[at], key)} />),
      };
    }
    case "values": {
      const { entries } = section;
      return {
        columns: [{ label: "Name" }, { label: "Value" }],
        count: entries.length,
        row(at) {
          const [name = "", value] = entries[at] ?? [];
          return [<Cell key="name" value={name} />, <Cell key="value" value={value} />];
        },
      };
    }
  }
}

function ownMember(object: object | undefined | null, key: string): JsonValue | undefined {
  if (!isJsonObject(object) || !Object.hasOwn(object, key)) return undefined;
  return object[key];
}

function Cell({ value }: { readonly value: JsonValue | undefined }): JSX.Element {
  const text = cellText(value);
  const shown = cut(text, MOST_SHOWN);
  return (
    <span class="cell" title={text.length > 40 ? cut(text, 2000) : undefined}>
      {shown}
    </span>
  );
}
