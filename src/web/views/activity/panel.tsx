import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { linkOf } from "../../filter/state.js";
import { formatShare, shorten } from "../../format.js";
import { Failure } from "../../parts/failure.js";
import { Duration } from "./duration.js";

/** A line of a panel. */
export interface Line {
  readonly key: string;
  readonly label: string;
  /** Said in front of the label to those who do not see where the line stands. */
  readonly within?: string | undefined;
  readonly note?: string | undefined;
  readonly seconds: number;
  readonly color: string;
  /** How far it is moved in. @default 0 */
  readonly depth?: number;
  /** The condition of a filter that finds it: the label sets it. */
  readonly handle?: string | undefined;
}

export interface PanelProps {
  readonly title: string;
  /** What a line is: the head of the first column. */
  readonly column: string;
  /** What stands for a label that there is not. */
  readonly nameless: string;
  /** `undefined` when they could not be read. */
  readonly lines: readonly Line[] | undefined;
  /** What shares are shares of, in seconds. */
  readonly whole: number;
  readonly failure?: { readonly error: unknown; readonly retry: () => void } | undefined;
  /** How many columns it takes where there are several: one, two or all. @default "narrow" */
  readonly width?: "narrow" | "wide" | "whole" | undefined;
}

const FEW = 10;
/** Of labels, in characters: what a line shows, and what a tooltip does. */
const MOST_SHOWN = 200;
const MOST_TOLD = 1000;

/** A list of what took how long, the first ones of it, more on demand. */
export function Panel(props: PanelProps): JSX.Element {
  const { title, column, nameless, lines, whole, failure, width = "narrow" } = props;
  const [isOpen, setOpen] = useState(false);
  const longest = Math.max(0, ...(lines ?? []).map(({ seconds }) => seconds));
  const shown = isOpen ? lines : lines?.slice(0, FEW);
  return (
    <section class={`card activity-panel activity-${width}`}>
      <h2>{title}</h2>
      {failure !== undefined && <Failure {...failure} />}
      {lines?.length === 0 && <p class="quiet">Nothing in this period.</p>}
      {shown !== undefined && shown.length > 0 && (
        <table class="activity-lines">
          <caption class="unseen">{title}</caption>
          <colgroup>
            <col />
            <col class="activity-time" />
            <col class="activity-share" />
          </colgroup>
          <thead class="unseen">
            <tr>
              <th scope="col">{column}</th>
              <th scope="col">Time</th>
              <th scope="col">Share</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((line) => (
              <tr key={line.key}>
                <Name line={line} nameless={nameless} share={longest > 0 ? line.seconds / longest : 0} />
                <td class="number">
                  <Duration seconds={line.seconds} />
                </td>
                <td class="number quiet">{formatShare(line.seconds, whole)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {lines !== undefined && lines.length > FEW && (
        <button type="button" class="activity-more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show fewer" : `Show all ${lines.length}`}
          <span class="unseen">: {title}</span>
        </button>
      )}
    </section>
  );
}

interface NameProps {
  readonly line: Line;
  readonly nameless: string;
  /** Length of the bar, from 0 to 1. */
  readonly share: number;
}

function Name({ line: { label, within, note, color, depth = 0, handle }, nameless, share }: NameProps): JSX.Element {
  const told = note ? `${label} · ${note}` : label;
  const name = label === "" ? <em class="quiet">({nameless})</em> : shorten(label, MOST_SHOWN);
  return (
    <th scope="row" style={{ paddingLeft: `${depth * 16}px` }}>
      <span class="activity-name" title={shorten(told, MOST_TOLD)}>
        {within !== undefined && <span class="unseen">{within} </span>}
        {handle === undefined ? (
          name
        ) : (
          <a class="handle" href={linkOf(handle)}>
            {name}
          </a>
        )}
        {note ? <span class="quiet"> · {shorten(note, MOST_SHOWN)}</span> : null}
      </span>
      <span class="activity-track" aria-hidden="true">
        <span class="activity-bar" style={{ width: `${(share * 100).toFixed(2)}%`, background: color }} />
      </span>
    </th>
  );
}
