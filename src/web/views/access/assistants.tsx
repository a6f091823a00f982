import type { JSX } from "preact";
import type { HandedOut } from "../../../domain/key-scope.js";
import { ask } from "../../api.js";
import { useLoad } from "../../load.js";
import { Table } from "../../parts/table.js";
import { refusal } from "../../refusal.js";
import { t } from "../../texts/access.js";
import { common } from "../../texts/common.js";
import { moment } from "./entry.js";
import { Listed } from "./listed.js";

/** The data that assistants got. */
export function Assistants(): JSX.Element {
  const loaded = useLoad("", listHandedOut);
  return (
    <Listed title={t("assistants")} hint={t("assistantsHint")} loaded={loaded}>
      {(entries) => (
        <Table
          caption={t("disclosed")}
          rows={entries}
          empty={t("noAssistants")}
          columns={[
            { label: common("time"), cell: ({ time }) => moment(time, "") },
            { label: common("key"), cell: ({ key }) => key ?? t("withoutKey") },
            { label: t("tool"), cell: ({ tool }) => <code>{tool}</code> },
            { label: t("period"), cell: ({ period }) => period },
            {
              label: t("disclosed"),
              cell: ({ level, rows }) => (
                <>
                  <code>{level}</code>: {t("rows", { count: rows })}
                </>
              ),
            },
          ]}
        />
      )}
    </Listed>
  );
}

async function listHandedOut(signal: AbortSignal): Promise<readonly HandedOut[]> {
  const response = await ask("api/0/assistant/log", { signal });
  if (!response.ok) throw refusal(response.status, await response.text());
  return (await response.json()) as readonly HandedOut[];
}
