import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { client } from "../../api.js";
import { shownValue, useLoad } from "../../load.js";
import { Skeleton } from "../../parts/skeleton.js";
import { isCurrent } from "../../period.js";
import { settings } from "../../settings.js";
import { t } from "../../texts/overview.js";
import { useRefresh } from "../activity/displayed.js";
import { timeperiodOf } from "../query/period-choice.js";
import { ProgramErrorView } from "../query/program-error-view.js";
import { type Form, ResultView } from "../query/result-view.js";
import { readSaved, SAVED_QUERIES } from "../query/saved.js";
import { withRules } from "../query/with-rules.js";
import type { TileSource } from "./source.js";

export interface QueryTileProps {
  readonly name: string;
  readonly source: TileSource;
  readonly now: number;
}

/** The result of a saved query. */
export function QueryTile({ name, ...props }: QueryTileProps): JSX.Element {
  const saved = readSaved(settings.value[SAVED_QUERIES]).find((query) => query.name === name);
  if (saved === undefined) return <p class="quiet">{t("noQuery", { name })}</p>;
  return <QueryResult {...props} program={withRules(saved.query_code)} />;
}

interface QueryResultProps extends Omit<QueryTileProps, "name"> {
  readonly program: string;
}

function QueryResult({ program, source: { period }, now }: QueryResultProps): JSX.Element {
  const [form, setForm] = useState<Form>("table");
  const timeperiods = [timeperiodOf(period)];
  const answer = useLoad(JSON.stringify([program, timeperiods]), async (signal) => {
    const [value = null] = await client.query({ timeperiods, query: program }, { signal });
    return { value };
  });
  useRefresh(period, isCurrent(period, now), now, answer.retry);
  if (answer.state === "failed") return <ProgramErrorView error={answer.error} retry={answer.retry} />;
  const shown = shownValue(answer);
  if (shown === undefined) return <Skeleton lines={6} />;
  return <ResultView value={shown.value} program={program} form={form} onForm={setForm} />;
}
