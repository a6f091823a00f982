import type { JSX } from "preact";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.js";
import { Table } from "../../parts/table.js";

const texts = {
  title: "Filters of aw-server-rust",
  intro: "These come from the setting privacy_filters and apply after the rules above.",
  columns: {
    enabled: "Enabled",
    bucket_prefix: "Buckets that begin with",
    field: "Field",
    pattern: "Pattern",
    action: "Action",
    replacement: "Replacement",
  },
  no: "no",
  yes: "yes",
};

const COLUMNS = ["enabled", "bucket_prefix", "field", "pattern", "action", "replacement"] as const;

/** Shows the filters that aw-server-rust has left, where there are some. */
export function Filters({ value }: { readonly value: JsonValue | undefined }): JSX.Element | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const filters: readonly JsonObject[] = value.filter(isJsonObject);
  return (
    <section class="card" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <p class="quiet">{texts.intro}</p>
      <Table
        caption={texts.title}
        rows={filters}
        columns={COLUMNS.map((name) => ({
          label: texts.columns[name],
          cell: (filter: JsonObject) => {
            const cell = filter[name];
            if (name === "enabled") return cell === false ? texts.no : texts.yes;
            return typeof cell === "string" ? <code>{cell}</code> : "–";
          },
        }))}
      />
    </section>
  );
}
