import type { Readable, Writable } from "node:stream";
import { inspect } from "node:util";
import { createConsola } from "consola/core";
import { ActivityError } from "../errors.js";
import type { Logger } from "../logger.js";
import { visibleJson, visibleText } from "../util/visible.js";

export interface OutputOptions {
  readonly json: boolean;
  readonly verbose: boolean;
}

/** A stream that may be a terminal. */
export type Terminal<Stream> = Stream & { readonly isTTY?: boolean };

/** The input and output of the CLI. */
export interface Streams {
  readonly stdin: Terminal<Readable>;
  readonly stdout: Terminal<Writable>;
  readonly stderr: Terminal<Writable>;
}

/** Facts of an event, for programs. */
export type Fields = Readonly<Record<string, unknown>>;

/** Prints text for people or JSON lines for programs. Warnings and errors go to stderr. */
export interface Output extends Logger {
  /** Prints an event: `fields` as a JSON line, or `text`. */
  event(name: string, fields: Fields, text: string): void;
  /** The same, only with `--verbose`. */
  detail(name: string, fields: Fields, text: string): void;
  /** Prints a prominent warning. */
  alarm(lines: readonly string[]): void;
  /** Colors text of an event, if the terminal supports it. */
  paint(code: number, text: string): string;
}

/** Prepares consola, independent of NODE_ENV, CI, TEST and DEBUG. */
export function createOutput({ json, verbose }: OutputOptions, { stdout, stderr }: Streams): Output {
  const consola = createConsola({
    level: verbose ? 4 : 3,
    throttle: 0,
    reporters: [
      { log: ({ level, args }) => void (level <= 1 ? stderr : stdout).write(`${visibleText(String(args[0]))}\n`) },
    ],
  });
  const line = (event: string, fields: Fields) => visibleJson({ event, ...fields });
  const mark = (word: string, code: number) => paint(stderr, code, `${word}:`);

  return {
    event: (name, fields, text) => consola.info(json ? line(name, fields) : text),
    detail: (name, fields, text) => consola.debug(json ? line(name, fields) : text),
    info: (message) => consola.info(json ? line("log", { level: "info", message }) : message),
    warn: (message) =>
      consola.warn(json ? line("log", { level: "warn", message }) : `${mark("warning", 33)} ${message}`),
    error(error) {
      const message = verbose && error instanceof Error ? inspectError(error) : oneLine(error);
      consola.error(json ? line("log", { level: "error", message }) : `${mark("error", 31)} ${message}`);
    },
    alarm: (lines) =>
      consola.warn(json ? line("log", { level: "warn", message: lines.join(" ") }) : drawBox(lines, stderr)),
    paint: (code, text) => paint(stdout, code, text),
  };
}

/** Prints why the process cannot run: one line on stderr. */
export function printFailure(
  error: unknown,
  exitCode: number,
  { json, verbose }: OutputOptions,
  stderr: Streams["stderr"],
): void {
  const stack = verbose ? inspectError(error) : undefined;
  // The message of an ActivityError is complete; its causes only appear in the stack trace.
  const known = ActivityError.is(error) ? error : undefined;
  const message = oneLine(known?.message ?? error);
  const text = json
    ? visibleJson({ event: "error", message, code: known?.code, exitCode, stack })
    : `${paint(stderr, 31, "activity-server:")} ${message}${stack === undefined ? "" : `\n${stack}`}`;
  stderr.write(`${visibleText(text)}\n`);
}

/** An error and its causes on one line. */
export function oneLine(error: unknown): string {
  const parts: string[] = [];
  for (let at: unknown = error, depth = 0; at !== undefined && depth < 4; depth++) {
    const text = (at instanceof Error ? at.message || at.name : String(at)).replace(/\s*\n\s*/g, " ");
    if (!parts.some((part) => part.includes(text))) parts.push(text);
    at = at instanceof Error ? at.cause : undefined;
  }
  return parts.join(": ");
}

function paint(stream: Terminal<Writable>, code: number, text: string): string {
  const wanted = stream.isTTY && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
  return wanted ? `\u001b[${code}m${text}\u001b[0m` : text;
}

function drawBox(lines: readonly string[], stderr: Streams["stderr"]): string {
  const width = Math.max(...lines.map((text) => text.length));
  const edge = `+${"-".repeat(width + 2)}+`;
  const framed = [edge, ...lines.map((text) => `| ${text.padEnd(width)} |`), edge];
  return framed.map((text) => paint(stderr, 31, text)).join("\n");
}

/** With causes and stack traces. The build shortens names of classes, which Node shows beside those of errors. */
function inspectError(error: unknown): string {
  return inspect(error).replace(/\b[\w$]+ \[(\w*Error)\](?=:)/g, "$1");
}
