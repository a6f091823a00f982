import type { JSX } from "preact";
import { client } from "../../api.js";
import { useLoad } from "../../load.js";
import { signOut } from "../../session.js";
import { t } from "../../texts/access.js";
import { t as shell } from "../../texts/shell.js";
import { Entry, lastUse, moment } from "./entry.js";
import { Listed, Removal } from "./listed.js";

const BROWSERS = ["Edg", "OPR", "Firefox", "Chrome", "Safari"];
const SYSTEMS = ["Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux"];

/** Lists and ends sessions. */
export function Sessions(): JSX.Element {
  const loaded = useLoad("", (signal) => client.sessions.list({ signal }));
  async function end(id: string, isOwn: boolean): Promise<void> {
    if (isOwn) return signOut();
    await client.sessions.end(id);
    loaded.retry();
  }
  return (
    <Listed title={t("sessions")} hint={t("sessionsHint")} loaded={loaded}>
      {(sessions) => (
        <>
          {sessions.length === 0 && <p>{t("noSessions")}</p>}
          <ul class="entries">
            {sessions.map((one) => {
              const name = describeBrowser(one.user_agent ?? "");
              return (
                <Entry
                  key={one.id}
                  title={one.current ? t("thisSession", { name }) : name}
                  facts={[
                    [t("signedIn"), moment(one.created, "")],
                    [t("lastUsed"), lastUse(one.last_used, one.last_used_from)],
                    [t("ends"), moment(one.expires, "")],
                  ]}
                >
                  <Removal
                    action={one.current ? shell("signOut") : t("end")}
                    name={t("sessionOf", { name })}
                    {...(one.current && { labels: [t("signOutHere"), t("signOutHere")] as const })}
                    effect={t("endEffect")}
                    onRemove={() => end(one.id, one.current)}
                  />
                </Entry>
              );
            })}
          </ul>
        </>
      )}
    </Listed>
  );
}

/** Browser and system from a user agent: `Chrome, Linux`. */
function describeBrowser(userAgent: string): string {
  const found = [BROWSERS, SYSTEMS].map((names) => names.find((name) => userAgent.includes(name)));
  return found.filter(Boolean).join(", ") || t("unknownBrowser");
}
