import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JsonValue } from "../../domain/json.js";
import { createLinkedController } from "../abort.js";
import { client } from "../api.js";
import { type Loadable, useLoad } from "../load.js";
import { Busy } from "../parts/busy.js";
import { dayAt, rangeOf } from "../period.js";
import { navigate, route } from "../router.js";
import { currentCalendar, stored } from "../settings.js";
import { t } from "../texts/query.js";
import { t as shell } from "../texts/shell.js";
import { Editor } from "./query/editor.js";
import { errorPlaceOf } from "./query/error-place.js";
import { type ChosenPeriod, printPeriod, readPeriod, timeperiodOf } from "./query/period-choice.js";
import { PeriodPicker } from "./query/period-picker.js";
import { ProgramErrorView } from "./query/program-error-view.js";
import { ProgramPicker, useFirstProgram } from "./query/program-picker.js";
import { FORMS, type Form, ResultView } from "./query/result-view.js";
import { type SavedQuery, savedDays } from "./query/saved.js";
import { Saver } from "./query/saver.js";
import { withRules } from "./query/with-rules.js";

/** The result of a program, and its duration. */
interface Answer {
  readonly program: string;
  readonly value: JsonValue;
  readonly millis: number;
}

export default function QueryView(): JSX.Element {
  const { params } = route.value;
  const calendar = currentCalendar.value;
  const asked = params.get("q") ?? undefined;
  const host = params.get("host") ?? undefined;
  const form = FORMS.find((name) => name === params.get("as")) ?? "table";
  const inPlace = readPeriod(params, calendar, Date.now());

  const [typed, setTyped] = useState(asked);
  const [chosen, setChosen] = useState<ChosenPeriod | undefined>();
  const [attempt, setAttempt] = useState(0);
  const first = useFirstProgram(host);
  const text = typed ?? first ?? "";
  const period = chosen ?? inPlace;
  // Back and forward change program and period. Synchronous, since input in between would be lost.
  useLayoutEffect(() => {
    if (asked !== undefined) setTyped(asked);
    setChosen(undefined);
  }, [asked, params.get("period"), params.get("from"), params.get("to")]);

  const stop = useRef<() => void>(() => undefined);
  // Without the settings, days and rules would be wrong.
  const isReady = stored.value.state !== "loading" || stored.value.before !== undefined;
  const key = asked === undefined || !isReady ? "" : JSON.stringify([asked, timeperiodOf(inPlace.period), attempt]);
  const answer = useLoad<Answer | undefined>(key, async (signal) => {
    if (asked === undefined || !isReady) return undefined;
    const stopper = createLinkedController(signal);
    stop.current = () => stopper.abort();
    const begin = performance.now();
    const [value = null] = await client.query(
      { timeperiods: [timeperiodOf(inPlace.period)], query: withRules(asked) },
      { signal: stopper.signal },
    );
    return { program: asked, value, millis: performance.now() - begin };
  });
  const found = answer.state === "failed" && text === asked ? errorPlaceOf(answer.error) : undefined;
  // Identical while the error is, since the editor moves the cursor only for a new one.
  const place = useMemo(() => found, [found?.line, found?.column]);

  function go(changes: { readonly text?: string; readonly period?: ChosenPeriod; readonly form?: Form }): void {
    const next = {
      q: changes.text ?? asked,
      ...printPeriod(changes.period ?? inPlace),
      host,
      as: (changes.form ?? form) === "table" ? undefined : (changes.form ?? form),
    };
    navigate(["query"], next, { replace: changes.form !== undefined });
  }
  function open(program: string, saved?: SavedQuery): void {
    setTyped(program);
    const days = saved && savedDays(saved, dayAt(Date.now(), calendar));
    if (days !== undefined) setChosen({ choice: "custom", period: rangeOf(days.first, days.last, calendar) });
  }
  function run(): void {
    if (text.trim() === "") return;
    go({ text, period });
    setAttempt((count) => count + 1);
  }

  return (
    <div class="query">
      <h1>{shell("query")}</h1>
      <section class="card" aria-label={t("choices")}>
        <div class="query-choices">
          <ProgramPicker
            host={host}
            text={text}
            onHost={(next) => navigate(["query"], { ...Object.fromEntries(params), host: next }, { replace: true })}
            onProgram={open}
          />
          <PeriodPicker chosen={period} calendar={calendar} onChoose={setChosen} />
        </div>
        <Editor text={text} onText={setTyped} onRun={run} error={place} />
        <div class="query-run">
          <button type="button" class="primary" onClick={run} disabled={text.trim() === ""}>
            {t("run")}
          </button>
          {answer.state === "loading" && asked !== undefined && (
            <button type="button" onClick={() => stop.current()}>
              {t("stop")}
            </button>
          )}
          <span role="status" class="quiet">
            {statusOf(answer, isReady && asked !== undefined)}
          </span>
          <Saver text={text} period={period.period} />
        </div>
        {answer.state === "failed" && <ProgramErrorView error={answer.error} retry={run} />}
      </section>
      <Result answer={answer} form={form} onForm={(next) => go({ form: next })} />
    </div>
  );
}

function Result({
  answer,
  form,
  onForm,
}: {
  readonly answer: Loadable<Answer | undefined>;
  readonly form: Form;
  readonly onForm: (form: Form) => void;
}): JSX.Element | null {
  // After a failure, the previous result would be misleading.
  if (answer.state === "failed") return null;
  const shown = answer.state === "ready" ? answer.value : answer.before;
  if (shown === undefined) return answer.state === "loading" ? <Busy label="" /> : null;
  return (
    <section class="card" aria-label={t("result")} aria-busy={answer.state === "loading"}>
      <h2 class="unseen">{t("result")}</h2>
      <ResultView value={shown.value} program={shown.program} form={form} onForm={onForm} />
    </section>
  );
}

function statusOf(answer: Loadable<Answer | undefined>, isAsked: boolean): string {
  if (!isAsked) return "";
  if (answer.state === "loading") return t("running");
  return answer.state === "ready" && answer.value !== undefined ? tookOf(answer.value.millis) : "";
}

function tookOf(millis: number): string {
  if (millis < 1000) return t("tookMillis", { millis: Math.max(1, Math.round(millis)) });
  return t("tookSeconds", { seconds: Math.round(millis / 10) / 100 });
}
