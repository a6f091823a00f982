import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { JsonValue } from "../../domain/json.js";
import { shorten } from "../format.js";
import { Failure } from "../parts/failure.js";
import type { Calendar } from "../period.js";
import { route } from "../router.js";
import { currentCalendar, saveSetting, settings } from "../settings.js";
import { common } from "../texts/common.js";
import { t } from "../texts/saved-views.js";
import {
  addressOf,
  addView,
  distanceOf,
  LONGEST_NAME,
  readViews,
  removeView,
  renameView,
  SAVED_VIEWS,
  type SavedView,
} from "./views.js";

type Change = (make: (stored: JsonValue) => JsonValue) => Promise<void>;

/** Content of the menu. */
export function SavedViewsList(): JSX.Element {
  const [failure, setFailure] = useState<unknown>();
  const calendar = currentCalendar.value;
  const views = readViews(settings.value[SAVED_VIEWS]);

  const change: Change = async (make) => {
    try {
      await saveSetting(SAVED_VIEWS, make);
      setFailure(undefined);
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <div class="saved-views-menu">
      {views.length === 0 ? (
        <p class="quiet">{t("none")}</p>
      ) : (
        <ul aria-label={t("list")}>
          {views.map((view) => (
            <ViewRow key={view.name} view={view} calendar={calendar} change={change} />
          ))}
        </ul>
      )}
      <SaveForm calendar={calendar} change={change} />
      {failure !== undefined && <Failure error={failure} title={common("unsaved")} />}
    </div>
  );
}

interface RowProps {
  readonly view: SavedView;
  readonly calendar: Calendar;
  readonly change: Change;
}

function ViewRow({ view, calendar, change }: RowProps): JSX.Element {
  const [typed, setTyped] = useState<string | undefined>();
  const { name } = view;
  if (typed !== undefined) {
    const rename = (event: Event): void => {
      event.preventDefault();
      const next = typed.trim();
      setTyped(undefined);
      if (next !== "") void change((stored) => renameView(stored, name, next));
    };
    return (
      <li>
        <form class="row" onSubmit={rename}>
          <input
            aria-label={t("newName", { name })}
            maxLength={LONGEST_NAME}
            required
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <button type="submit">{common("save")}</button>
          <button type="button" onClick={() => setTyped(undefined)}>
            {common("cancel")}
          </button>
        </form>
      </li>
    );
  }
  const address = addressOf(view, calendar, Date.now());
  // Read to re-render on navigation.
  const isHere = route.value !== undefined && address === location.hash;
  return (
    <li>
      <a href={address} aria-current={isHere ? "page" : undefined}>
        {shorten(name, 60)}
      </a>
      <button
        type="button"
        aria-label={t("rename", { name })}
        title={t("rename", { name })}
        onClick={() => setTyped(name)}
      >
        ✎
      </button>
      <button
        type="button"
        class="danger"
        aria-label={t("delete", { name })}
        title={t("delete", { name })}
        onClick={() => void change((stored) => removeView(stored, name))}
      >
        ×
      </button>
    </li>
  );
}

function SaveForm({ calendar, change }: Omit<RowProps, "view">): JSX.Element {
  const [name, setName] = useState("");
  const [moves, setMoves] = useState(true);
  const address = route.value.path.length === 0 && location.hash === "" ? "#/" : location.hash;
  const distance = distanceOf(address, calendar, Date.now());
  async function save(event: Event): Promise<void> {
    event.preventDefault();
    const given = name.trim();
    if (given === "") return;
    await change((stored) => addView(stored, { name: given, address, moves: moves ? distance : undefined }));
    setName("");
  }
  return (
    <form class="saved-views-form" onSubmit={save}>
      <label>
        {t("name")}
        <input
          value={name}
          maxLength={LONGEST_NAME}
          required
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      {distance !== undefined && (
        <label>
          <input type="checkbox" checked={moves} onChange={() => setMoves(!moves)} />
          {t("moves")}
        </label>
      )}
      <p class="hint">{t("hint")}</p>
      <button type="submit">{common("save")}</button>
    </form>
  );
}
