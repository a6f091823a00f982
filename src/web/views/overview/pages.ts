// Pages of chosen parts, in a setting. The setting `views` of ActivityWatch's web UI has parts that only it draws,
// without periods and filters, so pages have a separate key. Pure.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.js";
import { PageError } from "../../page-error.js";
import { t } from "../../texts/overview.js";
import { t as shell } from "../../texts/shell.js";

/** Key of the setting: a list of pages. */
export const OVERVIEW_PAGES = "overview_pages";

/** What a tile shows. */
export const PARTS = [
  "active",
  "goals",
  "hours",
  "trend",
  "category",
  "areas",
  "app",
  "title",
  "site",
  "project",
  "file",
  "language",
  "distraction",
  "host",
  "focus",
  "extent",
  "timesheet",
  "query",
] as const;
export type TilePart = (typeof PARTS)[number];

/** Periods of tiles, by their distance from today. */
export const TILE_PERIODS = ["today", "yesterday", "week", "last_week", "month", "last_month", "30d", "year"] as const;
export type TilePeriod = (typeof TILE_PERIODS)[number];

export interface Tile {
  /** Unique on its page. */
  readonly id: number;
  readonly part: TilePart;
  readonly period: TilePeriod;
  /** `undefined` for all. */
  readonly host?: string | undefined;
  /** Conditions. */
  readonly filter: readonly string[];
  /** Name of the saved view whose period, device and filter it has instead. */
  readonly view?: string | undefined;
  /** Name of the saved query. */
  readonly query?: string | undefined;
  /** Whether it has two columns. */
  readonly isWide: boolean;
}

export interface OverviewPage {
  /** Unique; "" for the page that is there without a choice. */
  readonly name: string;
  readonly tiles: readonly Tile[];
}

export const LONGEST_PAGE_NAME = 60;

const DEFAULT_PAGE: JsonObject = {
  name: "",
  tiles: [
    { id: 1, part: "active", period: "today" },
    { id: 2, part: "goals", period: "week" },
    { id: 3, part: "focus", period: "today" },
    { id: 4, part: "hours", period: "week", wide: true },
    { id: 5, part: "category", period: "week" },
    { id: 6, part: "app", period: "today" },
    { id: 7, part: "site", period: "today" },
    { id: 8, part: "project", period: "month" },
  ],
};

/** Parses the setting and skips invalid pages and tiles; the default page if none is left. */
export function readPages(stored: JsonValue | undefined): readonly OverviewPage[] {
  const found = new Map<string, OverviewPage>();
  for (const item of pagesIn(stored)) {
    const name = nameOf(item);
    if (name !== undefined && !found.has(name)) found.set(name, { name, tiles: tilesIn(item).flatMap(readTile) });
  }
  return [...found.values()];
}

/** The pages as stored; the default page if none is valid. */
function pagesIn(stored: JsonValue | undefined): readonly JsonValue[] {
  const list = listOf(stored);
  return list.some((item) => nameOf(item) !== undefined) ? list : [...list, DEFAULT_PAGE];
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

function nameOf(item: JsonValue): string | undefined {
  if (!isJsonObject(item) || !Array.isArray(item["tiles"])) return undefined;
  return typeof item["name"] === "string" ? item["name"].slice(0, LONGEST_PAGE_NAME) : undefined;
}

function tilesIn(page: JsonValue): readonly JsonValue[] {
  return isJsonObject(page) ? listOf(page["tiles"]) : [];
}

function readTile(item: JsonValue): readonly Tile[] {
  if (!isJsonObject(item)) return [];
  const { id, host, filter, view, query, wide } = item;
  const part = PARTS.find((one) => one === item["part"]);
  if (typeof id !== "number" || part === undefined) return [];
  const textOf = (value: JsonValue | undefined): string | undefined => (typeof value === "string" ? value : undefined);
  return [
    {
      ...{ id, part, host: textOf(host), view: textOf(view), query: textOf(query), isWide: wide === true },
      period: TILE_PERIODS.find((one) => one === item["period"]) ?? "today",
      filter: listOf(filter).filter((term) => typeof term === "string"),
    },
  ];
}

/** The conditions of a tile. Goals apply to all time: reports with a filter have none. */
export function conditionsOf({ part, view, filter }: Tile, ofView: readonly string[]): readonly string[] {
  if (part === "goals") return [];
  return view === undefined ? filter : ofView;
}

function printTile({ id, part, period, host, filter, view, query, isWide }: Tile): JsonObject {
  return {
    ...{ id, part, period },
    ...(host !== undefined && { host }),
    ...(filter.length > 0 && { filter: [...filter] }),
    ...(view !== undefined && { view }),
    ...(query !== undefined && { query }),
    ...(isWide && { wide: true }),
  };
}

/** A change of the stored pages. @returns the value to store */
export type PagesChange = (stored: JsonValue | undefined) => JsonValue;

/** Changes the page with a name. @throws PageError if another tab has renamed or deleted it */
function changePage(stored: JsonValue | undefined, name: string, change: (page: JsonObject) => JsonObject): JsonValue {
  const pages = pagesIn(stored);
  if (!pages.some((page) => nameOf(page) === name))
    throw new PageError(() => t("noPage", { name: name || shell("overview") }));
  return pages.map((page) => (isJsonObject(page) && nameOf(page) === name ? change(page) : page));
}

function changeTiles(name: string, change: (tiles: readonly JsonValue[]) => readonly JsonValue[]): PagesChange {
  return (stored) => changePage(stored, name, (page) => ({ ...page, tiles: [...change(tilesIn(page))] }));
}

const idOf = (item: JsonValue): JsonValue | undefined => (isJsonObject(item) ? item["id"] : undefined);

function insert(tiles: readonly JsonValue[], at: number, tile: JsonValue): readonly JsonValue[] {
  return [...tiles.slice(0, at), tile, ...tiles.slice(at)];
}

function unusedId(tiles: readonly JsonValue[]): number {
  return Math.max(0, ...tiles.map(idOf).filter((id) => typeof id === "number")) + 1;
}

/** Adds a tile at the end, with a new ID. */
export function addTile(page: string, tile: Omit<Tile, "id">): PagesChange {
  return changeTiles(page, (tiles) => [...tiles, printTile({ ...tile, id: unusedId(tiles) })]);
}

/** Inserts a removed tile again, unless it is there. If another tile has its ID, it has a new one. */
export function restoreTile(page: string, tile: Tile, at: number): PagesChange {
  return changeTiles(page, (tiles) => {
    const printed = printTile(tile);
    const other = tiles.find((item) => idOf(item) === tile.id);
    if (other === undefined) return insert(tiles, at, printed);
    const known = readTile(other).map(printTile);
    if (JSON.stringify(known) === JSON.stringify([printed])) return tiles;
    return insert(tiles, at, { ...printed, id: unusedId(tiles) });
  });
}

/** Replaces a tile, or adds it if another tab has removed it; members of newer versions are preserved. */
export function replaceTile(page: string, tile: Tile): PagesChange {
  return changeTiles(page, (tiles) => {
    if (!tiles.some((item) => idOf(item) === tile.id)) return [...tiles, printTile(tile)];
    return tiles.map((item) => {
      if (!isJsonObject(item) || item["id"] !== tile.id) return item;
      const { host, filter, view, query, wide, ...others } = item;
      return { ...others, ...printTile(tile) };
    });
  });
}

export function removeTile(page: string, id: number): PagesChange {
  return changeTiles(page, (tiles) => tiles.filter((item) => idOf(item) !== id));
}

/** Moves a tile to the place of another one, which makes room. */
export function moveTile(page: string, id: number, target: number): PagesChange {
  return changeTiles(page, (tiles) => {
    const [from, to] = [id, target].map((wanted) => tiles.findIndex((item) => idOf(item) === wanted)) as [
      number,
      number,
    ];
    const moved = tiles[from];
    if (moved === undefined || to < 0) return tiles;
    return insert(
      tiles.filter((item) => item !== moved),
      to,
      moved,
    );
  });
}

/** Adds an empty page. */
export function addPage(name: string): PagesChange {
  return (stored) => {
    const pages = pagesIn(stored);
    return pages.some((page) => nameOf(page) === name) ? [...pages] : [...pages, { name, tiles: [] }];
  };
}

/** Renames a page, unless another one has the name. */
export function renamePage(name: string, next: string): PagesChange {
  return (stored) => {
    const pages = pagesIn(stored);
    if (pages.some((page) => nameOf(page) === next)) return [...pages];
    return changePage(pages, name, (page) => ({ ...page, name: next }));
  };
}

export function removePage(name: string): PagesChange {
  return (stored) => pagesIn(stored).filter((page) => nameOf(page) !== name);
}
