import type { JSX } from "preact";
import { common } from "../texts/common.js";

export interface BarProps {
  readonly label: string;
  /** Text after the label, such as a duration. */
  readonly value: string;
  /** Length of the bar, from 0 to 1. */
  readonly share: number;
  readonly color?: string | undefined;
  /** Link target of the label; optional. */
  readonly link?: string | undefined;
}

/** A row of a bar list; place it in `<ul class="bars">`. */
export function Bar({ label, value, share, color, link }: BarProps): JSX.Element {
  const width = `${(Math.min(1, Math.max(0, share)) * 100).toFixed(2)}%`;
  const text = label === "" ? <em>{common("empty")}</em> : label;
  return (
    <li class="bar">
      <span class="bar-label" dir="auto" title={label.slice(0, 500)}>
        {link === undefined ? text : <a href={link}>{text}</a>}
      </span>
      <span class="bar-value">{value}</span>
      <span class="bar-track" aria-hidden="true">
        <span class="bar-fill" style={color === undefined ? { width } : { width, background: color }} />
      </span>
    </li>
  );
}
