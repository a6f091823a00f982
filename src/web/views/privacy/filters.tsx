import type { JSX } from "preact";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.js";
import { Table } from "../../parts/table.js";
import { t } from "../../texts/privacy.js";

const COLUMNS = ["enabled", "bucket_prefix", "field", "pattern", "action", "replacement"] as const;

/** Shows filters stored by aw-server-rust, if there are any. */
export function Filters({ value }: { readonly value: JsonValue | undefined }): JSX.Element | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const filters: readonly JsonObject[] = value.filter(isJsonObject);
  return (
    <section class="card" aria-label={t("filters")}>
      <h2>{t("filters")}</h2>
      <p class="quiet">{t("filtersIntro")}</p>
      <Table
        caption={t("filters")}
        rows={filters}
        columns={COLUMNS.map((name) => ({
          label: t(name),
          cell: (filter: JsonObject) => {
            const cell = filter[name];
            if (name === "enabled") return cell === false ? t("no") : t("yes");
            return typeof cell === "string" ? <code>{cell}</code> : "–";
          },
        }))}
      />
    </section>
  );
}
