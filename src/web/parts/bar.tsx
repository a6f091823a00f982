import type { JSX } from "preact";
import { common } from "../texts/common.js";

export interface BarProps {
  readonly label: string;
  /** What stands behind the label, such as a duration. */
  readonly value: string;
  /** Length of the bar, from 0 to 1. */
  readonly share: number;
  readonly color?: string | undefined;
  /** Where the label leads; without it there is no link. */
  readonly link?: string | undefined;
}

/** A row of a list of bars; put it into `<ul class="bars">`. */
export function Bar({ label, value, share, color, link }: BarProps): JSX.Element {
  const width = `${(Math.min(1, Math.max(0, share)) * 100).toFixed(2)}%`;
  const text = label === "" ? <em>{common("empty")}</em> : label;
  return (
    <li class="bar">
      <span class="bar-label" title={label.slice(0, 500)}>
        {link === undefined ? text : <a href={link}>{text}</a>}
      </span>
      <span class="bar-value">{value}</span>
      <span class="bar-track" aria-hidden="true">
        <span class="bar-fill" style={color === undefined ? { width } : { width, background: color }} />
      </span>
    </li>
  );
}
