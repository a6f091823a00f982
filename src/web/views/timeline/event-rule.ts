// Proposes category rules for an event. Pure.
import type { JsonObject } from "../../../domain/json.js";
import { type Proposal, proposalsForPath, proposalsForWindow } from "../../filter/proposals.js";

/** Rules for events like this one, the narrowest first; none for AFK states. */
export function proposalsForEvent(type: string, { label, title, project, file, app }: JsonObject): readonly Proposal[] {
  if (type === "afkstatus") return [];
  if (isText(label)) return [{ about: "title", conditions: [{ kind: "is", text: label }] }];
  if (isText(title) || isText(app)) {
    return proposalsForWindow({ ...(isText(title) && { title }), ...(isText(app) && { app }) });
  }
  return [
    ...(isText(project) ? proposalsForPath("project", project) : []),
    ...(isText(file) ? proposalsForPath("file", file) : []),
  ];
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
