import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { apiBase, isKeyGiven, isReachable, keyWanted } from "./api.js";
import { buckets } from "./buckets.js";
import { demoProgress } from "./demo/progress.js";
import { FilterBox } from "./filter/box.js";
import { Notice } from "./filter/notice.js";
import { isFollowing } from "./filter/state.js";
import { Live } from "./live/live.js";
import { shownOf } from "./load.js";
import { Failure } from "./parts/failure.js";
import { later } from "./parts/later.js";
import { SignIn } from "./parts/sign-in.js";
import { filterTexts, href, route } from "./router.js";
import { SavedViews } from "./saved-views/menu.js";
import { server } from "./server-facts.js";
import { session, signInFailure, signOut } from "./session.js";
import { isView, View } from "./view-loader.js";
import { DataTabs, dataTabOf, tabLabel } from "./views/data/data-tabs.js";

const Chips = later(async () => (await import("./filter/chips.js")).Chips);
const Pairing = later(async () => (await import("./pairing/pairing.js")).Pairing);

const NAV: readonly (readonly [label: string, path: readonly string[], view: string])[] = [
  ["Activity", [], "activity"],
  ["Timeline", ["timeline"], "timeline"],
  ["Timesheet", ["timesheet"], "timesheet"],
  ["Stopwatch", ["stopwatch"], "stopwatch"],
  ["Categories", ["categories"], "categories"],
  ["Data", ["buckets"], "buckets"],
  ["Query", ["query"], "query"],
  ["Settings", ["settings"], "settings"],
  ["Access", ["access"], "access"],
];

const PERIODS: readonly string[] = ["day", "week", "month", "year", "range"];

/** The view that a path shows; `undefined` for an address that nobody made. */
export function viewOf([first, second]: readonly string[]): string | undefined {
  if (first === undefined || PERIODS.includes(first)) return "activity";
  if (first === "buckets" && second !== undefined) return "bucket";
  return isView(first) && first !== "activity" && first !== "bucket" ? first : undefined;
}

/** Nothing has ever been reported, or the demo is just being filled. */
function isStillEmpty(): boolean {
  return shownOf(buckets.value)?.length === 0 || demoProgress.value !== undefined;
}

export function App(): JSX.Element {
  const { path } = route.value;
  const wanted = keyWanted.value !== undefined;
  // Before that a view would only be refused what it asks for.
  const wasIn = useRef(false);
  wasIn.current ||= !wanted;
  const named = viewOf(path);
  const view = isStillEmpty() && path.length === 0 ? "welcome" : named;
  const tab = dataTabOf(named);
  const label = named === "bucket" ? path[1] : tab ? tabLabel(tab) : NAV.find(([, , name]) => name === named)?.[0];
  useEffect(() => {
    document.title = label === undefined ? "activity-server" : `${label} · activity-server`;
  }, [label]);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        To the content
      </button>
      <header class="header">
        <a class="brand" href={href([])}>
          activity-server
        </a>
        <nav class="nav" aria-label="Views">
          {NAV.map(([name, target, shown]) => (
            <a
              key={name}
              href={href(target)}
              aria-current={shown === (tab === undefined ? named : "buckets") ? "page" : undefined}
            >
              {name}
            </a>
          ))}
          <a href={`${apiBase}/api/`}>API</a>
          {!wanted && <SavedViews />}
        </nav>
        {!wanted && <FilterBox isHere={isFollowing(view)} />}
        <Facts />
      </header>
      <Live />
      {isFollowing(view) && filterTexts.value.length > 0 && <Chips />}
      <Notice />
      {!wanted && <Pairing />}
      <main id="main" tabIndex={-1}>
        {signInFailure.value !== undefined && (
          <Failure title="The link did not sign you in." error={new Error(signInFailure.value)} />
        )}
        {wanted && <SignIn />}
        {/* What somebody is typing there stays. */}
        {wasIn.current && (
          <div hidden={wanted}>
            {tab !== undefined && <DataTabs current={tab} />}
            {view === undefined ? <NoSuchView /> : <View key={view === "bucket" ? path[1] : view} name={view} />}
          </div>
        )}
      </main>
    </>
  );
}

function Facts(): JSX.Element {
  const facts = server.value;
  return (
    <p class="facts">
      {!isReachable.value && <strong class="bad">no answer</strong>}
      {facts !== undefined && (
        <>
          <span title="Host of the server">{facts.info.hostname}</span>
          <span title="Version of the server">{facts.info.version.split(" ", 1)[0]}</span>
          {facts.storage !== undefined && <span title="Storage">{facts.storage}</span>}
          {facts.info.testing && <span class="warn">testing</span>}
        </>
      )}
      {(session.value?.signed_in || isKeyGiven.value) && keyWanted.value === undefined && (
        <button type="button" class="plain" onClick={() => void signOut()}>
          Sign out
        </button>
      )}
    </p>
  );
}

function NoSuchView(): JSX.Element {
  return (
    <section class="card">
      <h1>There is nothing here</h1>
      <p>
        No view has this address. <a href={href([])}>To today</a>
      </p>
    </section>
  );
}
