import type { JSX, TargetedDragEvent, TargetedKeyboardEvent } from "preact";
import { useId } from "preact/hooks";
import type { Calendar } from "../../period.js";
import { t as activity } from "../../texts/activity.js";
import { common } from "../../texts/common.js";
import { t } from "../../texts/overview.js";
import { t as shell } from "../../texts/shell.js";
import type { Displayed } from "../activity/displayed.js";
import { namesOfList } from "../activity/lists.js";
import { hostText } from "../activity/names.js";
import type { Tile, TilePart } from "./pages.js";
import { periodLabel } from "./period-label.js";
import { QueryTile } from "./query-tile.js";
import { ReportTile } from "./report-tile.js";
import type { TileSource } from "./source.js";
import { TimesheetTile } from "./timesheet-tile.js";

export interface TileViewProps {
  readonly tile: Tile;
  /** `undefined` if there is nothing to show. */
  readonly source: TileSource | undefined;
  /** The report of its source. */
  readonly shown: Displayed | undefined;
  readonly calendar: Calendar;
  readonly now: number;
  readonly isEditing: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onMove: (step: 1 | -1) => void;
  /** Called with the ID of the tile that is dropped here. */
  readonly onDrop: (id: number) => void;
  readonly onWidth: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

/** A tile in its frame. */
export function TileView(props: TileViewProps): JSX.Element {
  const { tile, source, isEditing, onMove, onDrop } = props;
  const titleId = useId();
  const onKey = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key] as 1 | -1 | undefined;
    if (step === undefined || !event.altKey) return;
    // The same keys open a list.
    if (event.target instanceof Element && event.target.closest("select") !== null) return;
    event.preventDefault();
    onMove(step);
  };
  const handlers = {
    draggable: true,
    onKeyDown: onKey,
    onDragStart: ({ dataTransfer }: TargetedDragEvent<HTMLElement>) => dataTransfer?.setData(DRAGGED, String(tile.id)),
    onDragOver: (event: TargetedDragEvent<HTMLElement>) => {
      if (event.dataTransfer?.types.includes(DRAGGED)) event.preventDefault();
    },
    onDrop: (event: TargetedDragEvent<HTMLElement>) => {
      event.preventDefault();
      onDrop(Number(event.dataTransfer?.getData(DRAGGED)));
    },
  };
  return (
    <section
      class={`card activity-panel overview-tile ${tile.isWide ? "activity-wide" : ""}`}
      aria-labelledby={titleId}
      {...(isEditing && handlers)}
    >
      <div class="row spread">
        <h2 id={titleId}>
          <bdi>{titleOfTile(tile)}</bdi>
        </h2>
        {isEditing && <TileButtons {...props} />}
      </div>
      {source === undefined ? (
        <p class="quiet">{tile.view === undefined ? activity("nobody") : t("noView", { name: tile.view })}</p>
      ) : (
        <>
          <p class="overview-source quiet">
            <a href={source.address}>{tile.view ?? periodLabel(tile.period)}</a>
            {tile.view === undefined && (
              <>
                {tile.host !== undefined && <bdi> · {hostText(tile.host)}</bdi>}
                {source.filter.map((term) => (
                  <bdi key={term}> · {term}</bdi>
                ))}
              </>
            )}
          </p>
          <Content {...props} source={source} />
        </>
      )}
    </section>
  );
}

/** The type of dragged data. */
const DRAGGED = "application/x-activity-server-tile";

function Content({ tile, source, shown, calendar, now }: TileViewProps & { readonly source: TileSource }): JSX.Element {
  const { part } = tile;
  if (part === "query") return <QueryTile name={tile.query ?? ""} {...{ source, now }} />;
  if (part === "timesheet") return <TimesheetTile {...{ source, calendar, now }} />;
  return <ReportTile {...{ part, source, shown, calendar, now }} />;
}

function TileButtons({ tile, isFirst, isLast, onMove, onWidth, onEdit, onRemove }: TileViewProps): JSX.Element {
  const name = titleOfTile(tile);
  return (
    <p class="overview-buttons">
      <TileButton symbol="↑" label={t("moveUp", { name })} onClick={() => onMove(-1)} disabled={isFirst} />
      <TileButton symbol="↓" label={t("moveDown", { name })} onClick={() => onMove(1)} disabled={isLast} />
      <TileButton symbol="⇔" label={t("widen", { name })} onClick={onWidth} aria-pressed={tile.isWide} />
      <TileButton symbol="✎" label={t("editTile", { name })} onClick={onEdit} />
      <TileButton symbol="×" label={t("remove", { name })} onClick={onRemove} class="danger" />
    </p>
  );
}

interface TileButtonProps {
  readonly symbol: string;
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  readonly class?: string;
  readonly "aria-pressed"?: boolean;
}

function TileButton({ symbol, label, ...more }: TileButtonProps): JSX.Element {
  return (
    <button type="button" aria-label={label} title={label} {...more}>
      {symbol}
    </button>
  );
}

/** The name of a part. */
export function partName(part: TilePart): string {
  switch (part) {
    case "active":
      return common("activeTime");
    case "goals":
      return t("goals");
    case "hours":
      return t("hours");
    case "trend":
      return activity("chart_lines");
    case "areas":
      return activity("areas");
    case "focus":
      return activity("focus");
    case "extent":
      return activity("firstLast");
    case "timesheet":
      return shell("timesheet");
    case "query":
      return t("query");
    default:
      return namesOfList(part).title;
  }
}

export function titleOfTile({ part, query }: Tile): string {
  return part === "query" && query !== undefined ? query : partName(part);
}
