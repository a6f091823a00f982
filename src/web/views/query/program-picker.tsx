import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { buckets, hosts, knownBuckets } from "../../buckets.js";
import { shorten } from "../../format.js";
import { Field } from "../../parts/field.js";
import { settings } from "../../settings.js";
import { t as periods } from "../../texts/period.js";
import { t } from "../../texts/query.js";
import { type Example, examplesOf } from "./examples.js";
import { readSaved, SAVED_QUERIES, type SavedQuery } from "./saved.js";

/** The programs for a host, by default the most recently active one. */
function examplesFor(host: string | undefined): readonly Example[] {
  const name = host ?? hosts.value[0];
  return name === undefined ? [] : examplesOf(name, knownBuckets.value);
}

function useExamples(host: string | undefined): readonly Example[] {
  return useMemo(() => examplesFor(host), [host, hosts.value, knownBuckets.value]);
}

/** The initial program of an empty editor; `undefined` until the buckets are loaded. */
export function useFirstProgram(host: string | undefined): string | undefined {
  const [first] = useExamples(host);
  return first?.text ?? (buckets.value.state === "loading" ? undefined : "RETURN = query_bucket_names();");
}

export interface ProgramPickerProps {
  readonly host: string | undefined;
  readonly text: string;
  readonly onHost: (host: string) => void;
  /** @param saved the query that contains it, if it is saved */
  readonly onProgram: (text: string, saved?: SavedQuery) => void;
}

/** Selects a host, and an example program for it or a saved program. */
export function ProgramPicker({ host, text, onHost, onProgram }: ProgramPickerProps): JSX.Element {
  const canned = useExamples(host);
  const saved = readSaved(settings.value[SAVED_QUERIES]);
  const chosenSaved = saved.find(({ query_code }) => query_code === text);
  const chosenCanned = canned.find((program) => program.text === text);

  function choose(value: string): void {
    const program = canned.find(({ id }) => `canned ${id}` === value)?.text;
    const kept = saved.find(({ id }) => `saved ${id}` === value);
    const next = program ?? kept?.query_code;
    if (next !== undefined) onProgram(next, program === undefined ? kept : undefined);
  }
  function move(next: string): void {
    // Switches an unchanged example to the other host's buckets; edited programs stay.
    const same = examplesFor(next).find(({ id }) => id === chosenCanned?.id);
    if (same !== undefined) onProgram(same.text);
    onHost(next);
  }
  return (
    <>
      {hosts.value.length > 1 && (
        <Field label={periods("host")}>
          <select value={host ?? hosts.value[0] ?? ""} onChange={({ currentTarget }) => move(currentTarget.value)}>
            {hosts.value.map((option) => (
              <option key={option} value={option}>
                {shorten(option, 60)}
              </option>
            ))}
          </select>
        </Field>
      )}
      <Field label={t("program")}>
        <select
          value={chosenSaved ? `saved ${chosenSaved.id}` : chosenCanned ? `canned ${chosenCanned.id}` : ""}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          <option value="" disabled>
            {t("own")}
          </option>
          <optgroup label={t("readyMade")}>
            {canned.map(({ id }) => (
              <option key={id} value={`canned ${id}`}>
                {t(`canned_${id}`)}
              </option>
            ))}
          </optgroup>
          {saved.length > 0 && (
            <optgroup label={t("savedOnes")}>
              {saved.map(({ id, name }) => (
                <option key={id} value={`saved ${id}`}>
                  {shorten(name, 60)}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      </Field>
    </>
  );
}
