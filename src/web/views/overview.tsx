import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { knownBuckets } from "../buckets.js";
import { useMinutes } from "../minutes.js";
import { Failure } from "../parts/failure.js";
import { type Done, Notice } from "../parts/notice.js";
import { WhenKnown } from "../parts/when-known.js";
import { href, navigate, route } from "../router.js";
import { readViews, SAVED_VIEWS } from "../saved-views/views.js";
import { currentCalendar, saveSetting, settings } from "../settings.js";
import { common } from "../texts/common.js";
import { t } from "../texts/overview.js";
import { t as shell } from "../texts/shell.js";
import type { Displayed } from "./activity/displayed.js";
import { PageForm } from "./overview/page-form.js";
import {
  addTile,
  moveTile,
  OVERVIEW_PAGES,
  type OverviewPage,
  type PagesChange,
  readPages,
  removeTile,
  replaceTile,
  restoreTile,
  type Tile,
  type TilePart,
} from "./overview/pages.js";
import { requestOf, sourceKey, sourceOf, type TileSource } from "./overview/source.js";
import { SourceLoader } from "./overview/source-loader.js";
import { TileDialog } from "./overview/tile-dialog.js";
import { TileView, titleOfTile } from "./overview/tile-view.js";

const VIEW = "overview";

/** Pages of chosen parts. */
export default function OverviewView(): JSX.Element {
  const now = useMinutes();
  const [isEditing, onEditing] = useState(false);
  // Here, since the page may be renamed in another tab in the meantime.
  const [open, setOpen] = useState<OpenTile>();
  return (
    <WhenKnown>
      {() => {
        const pages = readPages(settings.value[OVERVIEW_PAGES]);
        const page = pages.find(({ name }) => name === (route.value.path[1] ?? "")) ?? pages[0];
        return (
          <>
            {page && <Overview key={page.name} {...{ pages, page, now, isEditing, onEditing }} onOpen={setOpen} />}
            {open && (
              <TileDialog
                tile={open.tile}
                onSave={(tile) => saveSetting(OVERVIEW_PAGES, changeOf(open, tile))}
                onClose={() => setOpen(undefined)}
              />
            )}
          </>
        );
      }}
    </WhenKnown>
  );
}

/** The tile in the dialog. */
interface OpenTile {
  readonly page: string;
  /** `undefined` for a new one. */
  readonly tile: Tile | undefined;
}

function changeOf({ page, tile: before }: OpenTile, tile: Omit<Tile, "id">): PagesChange {
  return before === undefined ? addTile(page, tile) : replaceTile(page, { ...tile, id: before.id });
}

interface OverviewProps {
  readonly pages: readonly OverviewPage[];
  readonly page: OverviewPage;
  readonly now: number;
  /** Whether tiles and pages can be changed. */
  readonly isEditing: boolean;
  readonly onEditing: (isEditing: boolean) => void;
  readonly onOpen: (open: OpenTile) => void;
}

function Overview({ pages, page, now, isEditing, onEditing, onOpen }: OverviewProps): JSX.Element {
  const [done, setDone] = useState<Done>();
  const [failure, setFailure] = useState<unknown>();
  const [movedId, setMovedId] = useState<number>();
  const [shown, setShown] = useState<ReadonlyMap<string, Displayed>>(new Map());
  const { name, tiles } = page;
  const moved = tiles.find(({ id }) => id === movedId);
  const keepFocus = useKeptFocus(tiles.map(({ id }) => id).join());
  const calendar = currentCalendar.value;
  const context = { calendar, now, buckets: knownBuckets.value, views: readViews(settings.value[SAVED_VIEWS]) };
  const placed = tiles.map((tile) => ({ tile, source: sourceOf(tile, context) }));

  async function change(make: PagesChange, undo?: Done): Promise<boolean> {
    try {
      await saveSetting(OVERVIEW_PAGES, make);
    } catch (error) {
      setFailure(error);
      return false;
    }
    setFailure(undefined);
    setDone(undo);
    return true;
  }
  async function move(tile: Tile, step: 1 | -1): Promise<void> {
    const target = tiles[tiles.indexOf(tile) + step];
    if (target === undefined) return;
    keepFocus();
    await change(moveTile(name, tile.id, target.id));
    setMovedId(tile.id);
  }
  const remove = (tile: Tile, at: number): Promise<boolean> =>
    change(removeTile(name, tile.id), {
      say: () => t("removed", { name: titleOfTile(tile) }),
      // A failure is shown next to the button, which stays enabled.
      undo: async () => {
        await saveSetting(OVERVIEW_PAGES, restoreTile(name, tile, at));
        setDone(undefined);
      },
    });
  return (
    <div class="overview">
      <div class="row spread">
        <h1>
          <bdi>{name || shell("overview")}</bdi>
        </h1>
        <div class="row overview-tools">
          <button type="button" onClick={() => onOpen({ page: name, tile: undefined })}>
            {t("addTile")}
          </button>
          <button type="button" aria-pressed={isEditing} onClick={() => onEditing(!isEditing)}>
            {t("edit")}
          </button>
        </div>
      </div>
      {pages.length > 1 && (
        <nav class="nav overview-pages" aria-label={t("pages")}>
          {pages.map((one) => (
            <a key={one.name} href={addressOfPage(one.name)} aria-current={one === page ? "page" : undefined}>
              <bdi>{one.name || shell("overview")}</bdi>
            </a>
          ))}
        </nav>
      )}
      {isEditing && <PageForm {...{ pages, page, change }} onGo={(next) => navigate(pathOf(next))} />}
      <Notice done={done} onClose={() => setDone(undefined)} />
      {failure !== undefined && <Failure error={failure} title={common("unsaved")} />}
      <p class="unseen" role="status">
        {moved && t("moved", { name: titleOfTile(moved), place: tiles.indexOf(moved) + 1, count: tiles.length })}
      </p>
      {sharedSources(placed).map(({ key, source, parts }) => (
        <SourceLoader
          key={key}
          {...{ source, calendar, now }}
          request={requestOf(source, parts, calendar)}
          publish={(displayed) => setShown((before) => new Map([...before, [key, displayed]]))}
        />
      ))}
      {tiles.length === 0 && (
        <section class="card">
          <p>{t("noTiles")}</p>
        </section>
      )}
      <div class="activity-panels overview-tiles">
        {placed.map(({ tile, source }, at) => (
          <TileView
            key={tile.id}
            {...{ tile, source, calendar, now, isEditing }}
            shown={source && shown.get(sourceKey(source))}
            isFirst={at === 0}
            isLast={at === tiles.length - 1}
            onMove={(step) => void move(tile, step)}
            onDrop={(id) => void change(moveTile(name, id, tile.id))}
            onWidth={() => void change(replaceTile(name, { ...tile, isWide: !tile.isWide }))}
            onEdit={() => onOpen({ page: name, tile })}
            onRemove={() => void remove(tile, at)}
          />
        ))}
      </div>
    </div>
  );
}

function pathOf(name: string): readonly string[] {
  return name === "" ? [VIEW] : [VIEW, name];
}

function addressOfPage(name: string): string {
  return href(pathOf(name));
}

interface SharedSource {
  readonly key: string;
  readonly source: TileSource;
  readonly parts: ReadonlySet<TilePart>;
}

/** Each report that the tiles need, with all of its parts. */
function sharedSources(
  placed: readonly { readonly tile: Tile; readonly source: TileSource | undefined }[],
): readonly SharedSource[] {
  const found = new Map<string, SharedSource>();
  for (const { tile, source } of placed) {
    if (source === undefined || tile.part === "query" || tile.part === "timesheet") continue;
    const key = sourceKey(source);
    const parts = new Set([...(found.get(key)?.parts ?? []), tile.part]);
    found.set(key, { key, source, parts });
  }
  return [...found.values()];
}

/** Returns the focus to its element after tiles have moved. @returns called before they move */
function useKeptFocus(order: string): () => void {
  const kept = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const element = kept.current;
    kept.current = null;
    if (!(element instanceof HTMLElement) || !element.isConnected) return;
    // At an end, the button of that direction is disabled.
    if (element.matches(":disabled")) element.parentElement?.querySelector<HTMLElement>("button:enabled")?.focus();
    else element.focus();
  }, [order]);
  return () => {
    kept.current = document.activeElement;
  };
}
