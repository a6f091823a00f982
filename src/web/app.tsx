import type { JSX, TargetedEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { apiBase, isKeyGiven, missingCredentials } from "./api.js";
import { buckets } from "./buckets.js";
import { linkFrom } from "./carried-period.js";
import { demoProgress } from "./demo/progress.js";
import { BACK, isHidden, TITLE } from "./embedding.js";
import { FilterBox } from "./filter/box.js";
import { isFollowing } from "./filter/state.js";
import { Live } from "./live/live.js";
import { shownValue } from "./load.js";
import { DropDown } from "./parts/drop-down.js";
import { Failure } from "./parts/failure.js";
import { type LazyComponent, lazy } from "./parts/lazy.js";
import { shownTabs, type TabGroup, Tabs, tabOf } from "./parts/tabs.js";
import { isPeriodKind } from "./period.js";
import { filterTexts, href, navigate, route } from "./router.js";
import { SavedViews } from "./saved-views/menu.js";
import { server } from "./server-facts.js";
import { session, signInFailure, signOut } from "./session.js";
import { areShortcutsShown, listenForHelp } from "./shortcuts/shown.js";
import { t } from "./texts/shell.js";
import { isView, View } from "./view-loader.js";
import { styled } from "./views-style.js";

/** The filter above all results. Loaded early for addresses with a filter. */
export const Chips: LazyComponent<object> = lazy(async () => (await import("./filter/chips.js")).Chips);
const Notice = lazy(async () => (await import("./filter/notice.js")).Notice);
const SignIn = lazy(async () => (await import("./parts/sign-in.js")).SignIn);
const Pairing = lazy(async () => (await styled(import("./pairing/pairing.js"))).Pairing);

const Shortcuts = lazy(async () => (await styled(import("./shortcuts/shortcuts.js"))).Shortcuts);

listenForHelp();

type Label =
  | "activity"
  | "timeline"
  | "reportViews"
  | "categories"
  | "stopwatch"
  | "data"
  | "query"
  | "access"
  | "settings";

type Entries = readonly (readonly [label: Label, path: readonly string[], view: string])[];

const MAIN: Entries = [
  ["activity", [], "activity"],
  ["timeline", ["timeline"], "timeline"],
  ...entryOf("reportViews"),
  ["categories", ["categories"], "categories"],
];

/** Entries of the gear's menu. */
const OTHERS: Entries = [
  ["stopwatch", ["stopwatch"], "stopwatch"],
  ...entryOf("data"),
  ["query", ["query"], "query"],
  ["access", ["access"], "access"],
  ["settings", ["settings"], "settings"],
];

function entryOf(group: TabGroup): Entries {
  return shownTabs(group)
    .slice(0, 1)
    .map((tab) => [group, [tab], tab]);
}

/** The view for a path; `undefined` for an unknown address. */
export function viewOf([first, second]: readonly string[]): string | undefined {
  if (first === undefined || isPeriodKind(first)) return "activity";
  if (first === "buckets" && second !== undefined) return "bucket";
  return isView(first) && first !== "activity" && first !== "bucket" ? first : undefined;
}

function navLabel(view: string | undefined): string | undefined {
  const label = [...MAIN, ...OTHERS].find(([, , name]) => name === view)?.[0];
  return label && t(label);
}

/** Whether no events were ever reported, or the demo is being filled. */
function isStillEmpty(): boolean {
  const isEmpty = shownValue(buckets.value)?.every(({ metadata }) => metadata.end === null);
  return isEmpty || demoProgress.value !== undefined;
}

export function App(): JSX.Element {
  const { path } = route.value;
  const wanted = missingCredentials.value !== undefined;
  // Before the sign-in, the requests of a view would only be rejected.
  const wasIn = useRef(false);
  wasIn.current ||= !wanted;
  const named = viewOf(path);
  const isFirst = isStillEmpty() && path.length === 0;
  const view = isFirst ? "welcome" : named;
  // The first steps stay after the first report.
  useEffect(() => {
    if (isFirst) navigate(["welcome"], {}, { replace: true });
  }, [isFirst]);
  const tabs = tabOf(named);
  // In the menus, the first tab is the current entry for the others as well.
  const entry = tabs ? shownTabs(tabs.group)[0] : named;
  const label = named === "bucket" ? path[1] : tabs ? t(tabs.tab) : navLabel(named);
  useEffect(() => {
    document.title = label === undefined ? TITLE : `${label} · ${TITLE}`;
  }, [label]);
  const links = useRef<HTMLElement>(null);
  useEffect(() => showCurrent(links.current), [named]);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        {t("toContent")}
      </button>
      <header class="header">
        {BACK !== undefined && <a href={BACK.href}>{BACK.label}</a>}
        <a class="brand" href={href([])}>
          {TITLE}
        </a>
        <nav class="nav" aria-label={t("views")} ref={links}>
          <Links entries={MAIN} current={entry} />
        </nav>
        {!wanted && <FilterBox isHere={isFollowing(view)} />}
        <Facts />
        <div class="header-menus">
          {!wanted && <SavedViews />}
          <DropDown
            class={MAIN.some(([, , view]) => view === entry) ? "gear" : "gear is-current"}
            name={t("gear")}
            label="⚙"
          >
            <nav class="nav" aria-label={t("gear")}>
              <Links entries={OTHERS} current={entry} />
              {!isHidden("api") && <a href={`${apiBase}/api/`}>API</a>}
              <button type="button" onClick={showShortcuts}>
                {t("shortcuts")} <kbd>?</kbd>
              </button>
            </nav>
          </DropDown>
        </div>
      </header>
      <Live />
      {areShortcutsShown.value && <Shortcuts />}
      {isFollowing(view) && filterTexts.value.length > 0 && <Chips />}
      <Notice />
      {!wanted && <Pairing />}
      <main id="main" tabIndex={-1}>
        {signInFailure.value !== undefined && <Failure title={t("linkFailed")} error={signInFailure.value} />}
        {wanted && <SignIn />}
        {/* Preserves unsaved input in the view. */}
        {wasIn.current && (
          <div hidden={wanted}>
            {tabs !== undefined && <Tabs group={tabs.group} current={tabs.tab} />}
            {view === undefined ? <NoSuchView /> : <View key={view === "bucket" ? path[1] : view} name={view} />}
          </div>
        )}
      </main>
    </>
  );
}

interface LinksProps {
  readonly entries: Entries;
  /** The view whose link is the current one. */
  readonly current: string | undefined;
}

function Links({ entries, current }: LinksProps): JSX.Element {
  return (
    <>
      {entries.map(
        ([label, path, view]) =>
          !isHidden(view) && (
            <a
              key={view}
              href={view === current ? href(path) : linkFrom(route.value, view, path)}
              aria-current={view === current ? "page" : undefined}
            >
              {t(label)}
            </a>
          ),
      )}
    </>
  );
}

/** Closes the menu first, so that the focus returns to its button. */
function showShortcuts({ currentTarget }: TargetedEvent<HTMLElement>): void {
  const menu = currentTarget.closest("details");
  menu?.querySelector("summary")?.focus();
  menu?.removeAttribute("open");
  areShortcutsShown.value = true;
}

/** Scrolls the current link to the middle. On phones the links are in one scrolling line. */
function showCurrent(line: HTMLElement | null): void {
  const current = line?.querySelector("[aria-current]");
  if (!line || !current) return;
  const [whole, shown] = [line.getBoundingClientRect(), current.getBoundingClientRect()];
  line.scrollLeft += shown.left + shown.width / 2 - whole.left - whole.width / 2;
}

function Facts(): JSX.Element {
  const facts = server.value;
  return (
    <p class="facts">
      {facts !== undefined && (
        <>
          <span title={t("host")}>{facts.info.hostname}</span>
          <span title={t("version")}>{facts.info.version.split(" ", 1)[0]}</span>
          {facts.storage !== undefined && <span title={t("storage")}>{facts.storage}</span>}
          {facts.info.testing && <span class="warn">{t("testing")}</span>}
        </>
      )}
      {(session.value?.signed_in || isKeyGiven.value) && missingCredentials.value === undefined && (
        <button type="button" class="plain" onClick={() => void signOut()}>
          {t("signOut")}
        </button>
      )}
    </p>
  );
}

function NoSuchView(): JSX.Element {
  return (
    <section class="card">
      <h1>{t("nothingHere")}</h1>
      <p>{t.rich("noSuchView", { today: <a href={href([])}>{t("toToday")}</a> })}</p>
    </section>
  );
}
