import type { ComponentChildren, JSX } from "preact";
import { HorizontalScroll } from "./horizontal-scroll.js";

/** A column of a table. */
export interface Column<Row> {
  readonly label: string;
  /** Whether to right-align numbers. */
  readonly isNumeric?: boolean;
  readonly cell: (row: Row, index: number) => ComponentChildren;
}

export interface TableProps<Row> {
  /** Description for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf?: (row: Row, index: number) => string | number;
  /** Content without rows. */
  readonly empty?: ComponentChildren;
}

/** A table that scrolls horizontally if it is too wide. */
export function Table<Row>({ caption, columns, rows, keyOf, empty }: TableProps<Row>): JSX.Element {
  return (
    <HorizontalScroll label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ label, isNumeric }) => (
              <th key={label} scope="col" class={isNumeric ? "number" : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.length === 0 && empty !== undefined && (
            <tr>
              <td colSpan={columns.length} class="quiet">
                {empty}
              </td>
            </tr>
          )}
          {rows.map((row, index) => (
            <tr key={keyOf?.(row, index) ?? index}>
              {columns.map(({ label, isNumeric, cell }) => (
                <td key={label} class={isNumeric ? "number" : undefined}>
                  {cell(row, index)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </HorizontalScroll>
  );
}
