// Each message and status on the page of troubleshooting is one that the code has.
import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ERRORS } from "../src/api/errors.js";
import { codesIn, ROOT, readPage } from "./readme/markdown.js";

const PAGE = "docs/guides/troubleshooting.md";
const test = suite("troubleshooting");

const sources = ["src", "adapters"].flatMap((folder) => {
  const names = fs.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => fs.readFileSync(path.join(ROOT, folder, name), "utf8"));
});

/** The symptoms of the page: the bold beginnings of its list items. */
function symptomsIn(page: string): string[] {
  return [...page.matchAll(/^- \*\*(.+?)\*\*/gms)].map(([, symptom = ""]) => symptom.replace(/\s+/g, " "));
}

/** Whether the code has a message. Its `…` matches any value. */
function isInCode(message: string): boolean {
  if (message in ERRORS) return true;
  const pieces = message.split("…").filter((piece) => piece !== "");
  const escaped = pieces.map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(escaped.join("\\$\\{[^`\\n]*?\\}"));
  return sources.some((source) => pattern.test(source.replace(/^\s*(?:\/\/|\/?\*).*$/gm, "")));
}

test("its messages are in the code", () => {
  const messages = symptomsIn(readPage(PAGE)).flatMap((symptom) => codesIn(symptom));
  assert.ok(messages.length > 15, `${messages.length} messages`);
  assert.equal(
    messages.filter((message) => !isInCode(message)),
    [],
  );
});

test("its statuses are those of errors", () => {
  const statuses = new Set(Object.values(ERRORS).map(({ status }) => String(status)));
  const shown = symptomsIn(readPage(PAGE)).flatMap((symptom) => /^\d{3}/.exec(symptom) ?? []);
  assert.ok(shown.length > 8);
  assert.equal(
    shown.filter((status) => status !== "500" && !statuses.has(status)),
    [],
  );
});

test("a message that the code lacks is found", () => {
  assert.ok(isInCode("port … on … is taken by …"));
  assert.not(isInCode("port … on … is taken for …"));
  assert.not(isInCode("STORAGE_LOST"));
});

test.run();
