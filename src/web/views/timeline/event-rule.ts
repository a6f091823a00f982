// Proposes category rules for an event. Pure.
import type { JsonObject } from "../../../domain/json.js";
import { type Proposal, proposalsForPath, proposalsForWindow } from "../../filter/proposals.js";
import { parseUrl } from "../../parse-url.js";

/** The type of browsers' buckets. Rules see the window of a page, not the page. */
const PAGES = "web.tab.current";

/** Rules for events like this one, the narrowest first; none for AFK states. */
export function proposalsForEvent(type: string, { label, title, project, file, app }: JsonObject): readonly Proposal[] {
  if (type === "afkstatus") return [];
  if (isText(label)) return [{ about: "title", conditions: [{ kind: "is", text: label }] }];
  if (isText(title) || isText(app)) {
    const isPage = type === PAGES;
    return proposalsForWindow({ ...(isText(title) && { title }), ...(isText(app) && { app }), isPage });
  }
  return [
    ...(isText(project) ? proposalsForPath("project", project) : []),
    ...(isText(file) ? proposalsForPath("file", file) : []),
  ];
}

/** The site of a page as reports name it; `undefined` for other events. */
export function siteOfEvent(type: string, { url }: JsonObject): string | undefined {
  if (type !== PAGES || typeof url !== "string") return undefined;
  return parseUrl(url)?.hostname.replace(/^www\./, "") || undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
