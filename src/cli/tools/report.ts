import { visibleJson, visibleText } from "../../util/visible.js";
import { printable } from "../launch-error.js";
import type { Fields, Streams } from "../output.js";

/** Prints the results of a command: text for people, or JSON lines for programs. */
export interface Report {
  /** Prints an event: `fields` as a JSON line, or `text` for people. */
  event(name: string, fields: Fields, text: string): void;
  /** Prints each item on its own line. @param none if there are no items: a text for people, or an event with one */
  each<Item extends object>(
    name: string,
    items: readonly Item[],
    describe: (item: Item) => string,
    none?: string | { readonly event: string; readonly text: string },
  ): void;
  /** Shows progress: a line that overwrites itself on a terminal, or occasional JSON lines, otherwise nothing. */
  progress(step: string, done: number, total: number | undefined, show: (amount: number) => string): void;
  end(): void;
}

export interface ReportOptions {
  readonly json: boolean;
  readonly streams: Streams;
  /** Whether stdout carries data, so that reports go to stderr. */
  readonly stdoutHasData?: boolean;
}

export function joinFacts(facts: readonly (string | false | undefined)[]): string {
  return facts.filter(Boolean).join(", ");
}

/** `1 bucket`, `2 buckets`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** `45 s`, `12 min`, `1.5 hours`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  return seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} hours`;
}

const JSON_MILLIS = 1000;
const TERMINAL_MILLIS = 100;

export function createReport({ json, streams, stdoutHasData = false }: ReportOptions): Report {
  const { stdout, stderr } = streams;
  const out = stdoutHasData ? stderr : stdout;
  const interval = json ? JSON_MILLIS : TERMINAL_MILLIS;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let reportedStep = "";
  let isLineOpen = false;

  function end(): void {
    if (isLineOpen) stderr.write("\r\u001b[K");
    isLineOpen = false;
  }

  function event(name: string, fields: Fields, text: string): void {
    end();
    if (json) out.write(`${visibleJson({ event: name, ...fields })}\n`);
    else if (text !== "") out.write(`${visibleText(text)}\n`);
  }

  return {
    event,
    each(name, items, describe, none = "") {
      if (items.length === 0 && typeof none !== "string") event(none.event, {}, none.text);
      if (items.length === 0 && typeof none === "string" && !json) event(name, {}, none);
      for (const item of items) event(name, { ...(item as Fields) }, printable(describe(item), 1000));
    },
    progress(step, done, total, show) {
      const now = performance.now();
      if (!json && !stderr.isTTY) return;
      if (step === reportedStep && now - reportedAt < interval) return;
      reportedAt = now;
      reportedStep = step;
      if (json) {
        out.write(`${visibleJson({ event: "progress", step, done, ...(total === undefined ? {} : { total }) })}\n`);
        return;
      }
      const amount =
        total === undefined ? show(done) : `${formatPercent(done, total)}  ${show(done)} of ${show(total)}`;
      stderr.write(`\r${step}: ${amount}\u001b[K`);
      isLineOpen = true;
    },
    end,
  };
}

function formatPercent(done: number, total: number): string {
  return `${Math.floor(total === 0 ? 100 : Math.min(100, (100 * done) / total))} %`.padStart(5);
}
