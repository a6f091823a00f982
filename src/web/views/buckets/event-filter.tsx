import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Micros, parseTimestamp, serializeTimestamp } from "../../../domain/time.js";
import { Field } from "../../parts/field.js";
import { zone } from "../../settings.js";
import { t } from "../../texts/bucket.js";
import { common } from "../../texts/common.js";
import { parseLocal, printLocal } from "./local-time.js";

/** Address parameters that select events. */
export type FilterName = "q" | "start" | "end" | "at";

const TYPING_MILLIS = 250;

export interface EventFilterProps {
  readonly params: URLSearchParams;
  /** Changes address parameters; `undefined` removes one. */
  readonly onChange: (changes: { readonly [Name in FilterName]?: string | undefined }) => void;
}

/** Filters events by time and text. */
export function EventFilter({ params, onChange }: EventFilterProps): JSX.Element {
  const isFiltered = (["q", "start", "end", "at"] as const).some((name) => params.has(name));
  return (
    <search class="event-filter" aria-label={t("filterEvents")}>
      <Instant label={t("from")} text={params.get("start")} onChange={(start) => onChange({ start })} />
      <Instant label={t("to")} text={params.get("end")} onChange={(end) => onChange({ end })} />
      <Instant label={t("goTo")} text={params.get("at")} onChange={(at) => onChange({ at })} />
      <TextFilter text={params.get("q") ?? ""} onChange={(q) => onChange({ q: q === "" ? undefined : q })} />
      {isFiltered && (
        <button
          type="button"
          onClick={() => onChange({ q: undefined, start: undefined, end: undefined, at: undefined })}
        >
          {common("showAll")}
        </button>
      )}
    </search>
  );
}

/** Parses a timestamp in an address: with a zone, or as local time. */
export function instantIn(text: string | null): Micros | undefined {
  if (text === null) return undefined;
  return /[Zz]$|T.*[+-]/.test(text) ? parseTimestamp(text) : parseLocal(text, zone.value);
}

interface InstantProps {
  readonly label: string;
  readonly text: string | null;
  readonly onChange: (text: string | undefined) => void;
}

function Instant({ label, text, onChange }: InstantProps): JSX.Element {
  const instant = instantIn(text);
  const isWrong = text !== null && instant === undefined;
  function change({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void {
    const picked = parseLocal(currentTarget.value, zone.value);
    if (picked !== undefined) onChange(serializeTimestamp(picked).replace("+00:00", "Z"));
    else if (!currentTarget.validity.badInput) onChange(undefined);
  }
  return (
    <Field label={label} error={isWrong ? t("noTime") : undefined}>
      <input
        type="datetime-local"
        step={1}
        value={instant === undefined ? "" : printLocal(instant, zone.value).slice(0, 19).replace(" ", "T")}
        onChange={change}
      />
    </Field>
  );
}

interface TextFilterProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** Applies the input after a short delay. */
function TextFilter({ text, onChange }: TextFilterProps): JSX.Element {
  const [typed, setTyped] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setTyped(text), [text]);
  useEffect(() => () => clearTimeout(timer.current), []);
  function type(value: string): void {
    setTyped(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(value), TYPING_MILLIS);
  }
  return (
    <Field label={t("text")}>
      <input
        type="search"
        value={typed}
        placeholder={t("textExample")}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
    </Field>
  );
}
