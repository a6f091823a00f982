import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { knownBuckets } from "../../buckets.js";
import { validateTyped } from "../../filter/state.js";
import { Dialog } from "../../parts/dialog.js";
import { Field } from "../../parts/field.js";
import { SaveActions } from "../../parts/save-actions.js";
import { readViews, SAVED_VIEWS } from "../../saved-views/views.js";
import { settings } from "../../settings.js";
import { common } from "../../texts/common.js";
import { t } from "../../texts/overview.js";
import { t as periods } from "../../texts/period.js";
import { choosableHosts } from "../activity/hosts.js";
import { hostText } from "../activity/names.js";
import { readSaved, SAVED_QUERIES } from "../query/saved.js";
import { PARTS, TILE_PERIODS, type Tile } from "./pages.js";
import { periodLabel } from "./period-label.js";
import { partName, titleOfTile } from "./tile-view.js";

export interface TileDialogProps {
  /** `undefined` for a new one. */
  readonly tile: Tile | undefined;
  readonly onSave: (tile: Omit<Tile, "id">) => Promise<void>;
  readonly onClose: () => void;
}

/** Prefix of options that are names, to distinguish them from others. */
const NAMED = "=";

const NEW_TILE: Omit<Tile, "id"> = { part: "active", period: "today", filter: [], isWide: false };

/** Chooses what a tile shows. */
export function TileDialog({ tile, onSave, onClose }: TileDialogProps): JSX.Element {
  const [draft, setDraft] = useState<Omit<Tile, "id">>(tile ?? NEW_TILE);
  const [typed, setTyped] = useState(draft.filter.join("\n"));
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  const { part, period, host, view, query, isWide } = draft;
  const hosts = choosableHosts(knownBuckets.value);
  const views = readViews(settings.value[SAVED_VIEWS]).map(({ name }) => name);
  const queries = readSaved(settings.value[SAVED_QUERIES]).map(({ name }) => name);
  const conditions = typed.split("\n").flatMap((line) => line.trim() || []);
  const invalid = conditions.map(validateTyped).find((found) => found !== undefined);
  // Queries have their own buckets, and goals apply to all time.
  const hasHost = view === undefined && part !== "query";
  const hasFilter = hasHost && part !== "goals";
  const change = (changed: Partial<Tile>): void => setDraft({ ...draft, ...changed });

  async function save(event: Event): Promise<void> {
    event.preventDefault();
    if (hasFilter && invalid !== undefined) return;
    setIsBusy(true);
    try {
      await onSave({
        ...draft,
        host: hasHost ? host : undefined,
        filter: hasFilter ? conditions : [],
        query: part === "query" ? (query ?? queries[0]) : undefined,
      });
      onClose();
    } catch (thrown) {
      setError(thrown);
      setIsBusy(false);
    }
  }
  return (
    <Dialog title={tile === undefined ? t("addTile") : t("editTile", { name: titleOfTile(tile) })} onClose={onClose}>
      <form onSubmit={save}>
        <Field label={t("show")}>
          <select
            value={part}
            onChange={({ currentTarget: { value } }) => change({ part: PARTS.find((one) => one === value) ?? part })}
          >
            {PARTS.map((one) => (
              <option key={one} value={one}>
                {partName(one)}
              </option>
            ))}
          </select>
        </Field>
        {part === "query" && (
          <Field label={t("query")} hint={queries.length === 0 ? t("noQueries") : undefined}>
            <select value={query} required onChange={({ currentTarget }) => change({ query: currentTarget.value })}>
              {queries.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        )}
        <Field
          label={t("period")}
          hint={view === undefined ? undefined : t(part === "query" ? "viewOfQuery" : "viewHint")}
        >
          <select
            value={view === undefined ? period : NAMED + view}
            onChange={({ currentTarget: { value } }) =>
              change(
                value.startsWith(NAMED)
                  ? { view: value.slice(NAMED.length) }
                  : { view: undefined, period: TILE_PERIODS.find((one) => one === value) ?? period },
              )
            }
          >
            {TILE_PERIODS.map((one) => (
              <option key={one} value={one}>
                {periodLabel(one)}
              </option>
            ))}
            {views.length > 0 && (
              <optgroup label={t("savedViews")}>
                {views.map((name) => (
                  <option key={name} value={NAMED + name}>
                    {name}
                  </option>
                ))}
              </optgroup>
            )}
          </select>
        </Field>
        {hasHost && (hosts.length > 1 || host !== undefined) && (
          <Field label={periods("host")}>
            <select
              value={host === undefined ? "" : NAMED + host}
              onChange={({ currentTarget: { value } }) =>
                change({ host: value === "" ? undefined : value.slice(NAMED.length) })
              }
            >
              <option value="">{periods("allHosts")}</option>
              {[...new Set([...hosts, ...(host === undefined ? [] : [host])])].map((name) => (
                <option key={name} value={NAMED + name}>
                  {hostText(name)}
                </option>
              ))}
            </select>
          </Field>
        )}
        {hasFilter && (
          <Field label={common("filter")} hint={t("filterHint")} error={invalid}>
            <textarea
              class="code"
              rows={2}
              spellcheck={false}
              value={typed}
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          </Field>
        )}
        <label>
          <input type="checkbox" checked={isWide} onChange={() => change({ isWide: !isWide })} />
          {t("wide")}
        </label>
        <SaveActions {...{ error, isBusy, onClose }} />
      </form>
    </Dialog>
  );
}
