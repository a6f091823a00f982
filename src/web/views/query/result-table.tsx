import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { isJsonObject, type JsonValue } from "../../../domain/json.js";
import type { CsvCell } from "../../csv.js";
import { formatCount, formatDuration, formatMoment } from "../../format.js";
import { CsvButton } from "../../parts/csv-button.js";
import { HorizontalScroll } from "../../parts/horizontal-scroll.js";
import { zone } from "../../settings.js";
import { common } from "../../texts/common.js";
import { t } from "../../texts/query.js";
import { cellText, columnsOf, cut, type ResultEvent, type Section } from "./result.js";

/** Rows to show at first, and to add with each click. */
const ROWS = 1000;
/** Maximum length of a cell; the JSON has the rest. */
const MAX_SHOWN = 300;

interface Grid {
  readonly columns: readonly { readonly label: string; readonly isNumeric?: boolean }[];
  readonly count: number;
  readonly row: (at: number) => readonly ComponentChildren[];
  /** The row for CSV: not shortened, with durations in seconds. */
  readonly csvRow: (at: number) => readonly CsvCell[];
}

export interface ResultTableProps {
  readonly section: Section;
  /** Group keys of its events. */
  readonly grouped?: readonly string[] | undefined;
}

/** A part of a result as a table. */
export function ResultTable({ section, grouped }: ResultTableProps): JSX.Element {
  const [shown, setShown] = useState(ROWS);
  const { columns, count, row, csvRow } = gridOf(section, grouped);
  if (count === 0) return <p class="quiet">{t("emptyList")}</p>;
  const rows = Array.from({ length: Math.min(count, shown) }, (_, at) => row(at));
  const caption = section.path === "" ? t("rowsAre") : t("rowsOf", { part: cut(section.path, 100) });
  const number = count > shown ? t("someRows", { shown, count }) : t("rows", { count });
  return (
    <>
      <HorizontalScroll label={caption}>
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
      </HorizontalScroll>
      <p class="result-count">
        {section.kind === "events" && grouped !== undefined
          ? t("grouped", { rows: number, keys: grouped.join(", ") })
          : number}
        {count > shown && (
          <button type="button" onClick={() => setShown(shown + ROWS)}>
            {common("countMore", { count: Math.min(ROWS, count - shown) })}
          </button>
        )}
        <CsvButton
          name={section.path === "" ? "query-result" : section.path}
          rows={() => [columns.map(({ label }) => label), ...Array.from({ length: count }, (_, at) => csvRow(at))]}
        />
      </p>
    </>
  );
}

function gridOf(section: Section, grouped: readonly string[] | undefined): Grid {
  switch (section.kind) {
    case "events": {
      const { events } = section;
      if (grouped !== undefined) return groupGrid(events, grouped);
      const keys = columnsOf(events.map(({ data }) => data));
      return {
        columns: [
          { label: common("time") },
          { label: common("duration"), isNumeric: true },
          ...keys.map((label) => ({ label })),
        ],
        count: events.length,
        row(at) {
          const { timestamp = "", duration = 0, data } = events[at] ?? {};
          const time = <time dateTime={timestamp}>{formatMoment(timestamp, zone.value)}</time>;
          const length = (
            <span title={common("exactSeconds", { seconds: `${duration}` })}>{formatDuration(duration)}</span>
          );
          return [time, length, ...keys.map((key) => <Cell key={key} value={ownMember(data, key)} />)];
        },
        csvRow(at) {
          const { timestamp = "", duration = 0, data } = events[at] ?? {};
          return [timestamp, duration, ...keys.map((key) => csvCell(ownMember(data, key)))];
        },
      };
    }
    case "list": {
      const { items } = section;
      const objects = items.filter(isJsonObject);
      if (objects.length < items.length || objects.length === 0) {
        return {
          columns: [{ label: "#", isNumeric: true }, { label: common("value") }],
          count: items.length,
          row: (at) => [formatCount(at + 1), <Cell key="value" value={items[at]} />],
          csvRow: (at) => [at + 1, csvCell(items[at])],
        };
      }
      const keys = columnsOf(objects);
      return {
        columns: keys.map((label) => ({ label })),
        count: items.length,
        row: (at) => keys.map((key) => <Cell key={key} value={ownMember(objects[at], key)} />),
        csvRow: (at) => keys.map((key) => csvCell(ownMember(objects[at], key))),
      };
    }
    case "values": {
      const { entries } = section;
      return {
        columns: [{ label: common("name") }, { label: common("value") }],
        count: entries.length,
        row(at) {
          const [name = "", value] = entries[at] ?? [];
          return [<Cell key="name" value={name} />, <Cell key="value" value={value} />];
        },
        csvRow: (at) => [entries[at]?.[0] ?? "", csvCell(entries[at]?.[1])],
      };
    }
  }
}

/** Groups: omits start and other members, which come from an arbitrary event. */
function groupGrid(events: readonly ResultEvent[], keys: readonly string[]): Grid {
  return {
    columns: [...keys.map((label) => ({ label })), { label: common("duration"), isNumeric: true }],
    count: events.length,
    row(at) {
      const { duration = 0, data } = events[at] ?? {};
      const length = <span title={common("exactSeconds", { seconds: `${duration}` })}>{formatDuration(duration)}</span>;
      return [...keys.map((key) => <Cell key={key} value={ownMember(data, key)} />), length];
    },
    csvRow(at) {
      const { duration = 0, data } = events[at] ?? {};
      return [...keys.map((key) => csvCell(ownMember(data, key))), duration];
    },
  };
}

function csvCell(value: JsonValue | undefined): CsvCell {
  return typeof value === "number" ? value : cellText(value);
}

function ownMember(object: object | undefined | null, key: string): JsonValue | undefined {
  if (!isJsonObject(object) || !Object.hasOwn(object, key)) return undefined;
  return object[key];
}

function Cell({ value }: { readonly value: JsonValue | undefined }): JSX.Element {
  const text = cellText(value);
  const shown = cut(text, MAX_SHOWN);
  return (
    <bdi class="cell" title={text.length > 40 ? cut(text, 2000) : undefined}>
      {shown}
    </bdi>
  );
}
