import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connect } from "../../src/client/index.js";
import type { JsonObject, JsonValue } from "../../src/domain/json.js";
import { readCategories, rulePattern } from "../../src/filter/categories.js";
import {
  activeCategoriesIn,
  categoriesWithSet,
  listSetIds,
  readList,
  replaceList,
  storedList,
} from "../../src/filter/category-sets.js";
import { DEFAULT_CLASSES } from "../../src/filter/default-classes.js";
import { realisticDay } from "../../src/testing/index.js";
import {
  buildTree,
  type Category,
  type CategoryNode,
  isActive,
  keyOf,
  printCategories,
  UNCATEGORIZED,
} from "../../src/web/categories.js";
import { createColors, luminanceOf, ownColorOf, readColor, textOn } from "../../src/web/category-colors.js";
import { printConditions } from "../../src/web/filter/conditions.js";
import { escaped } from "../../src/web/filter/escaped.js";
import { settingText } from "../../src/web/setting-text.js";
import {
  added,
  addedInFront,
  changed,
  extended,
  freeName,
  moved,
  moveError,
  removed,
  withIds,
} from "../../src/web/views/categories/edits.js";
import { PREVIEW_LISTS, readPreview } from "../../src/web/views/categories/preview.js";
import { printFile, readFile } from "../../src/web/views/categories/transfer.js";
import { withTestServer } from "../harness.js";

const test = suite("categories of the dashboard");

function category(path: string, regex?: string, more: Partial<Category> = {}): Category {
  return { name: path.split("/"), rule: regex === undefined ? { type: "none" } : { type: "regex", regex }, ...more };
}

const LIST = [
  category("Work", "office"),
  category("Work/Code", "editor", { id: 7, data: { color: "#00ff00" } }),
  category("Media"),
  category("Media/Music/Jazz", "jazz"),
];

const exactly = (text: string): string => printConditions([{ kind: "is", text }]);
const names = (list: readonly Category[]): string[] => list.map(({ name }) => name.join("/"));
const outline = (nodes: readonly CategoryNode[]): unknown[] =>
  nodes.map(({ name, index, children }) => [name.at(-1), index, outline(children)]);

test("members that are not ours stay as they are", () => {
  const stored: JsonValue = [
    {
      id: 3,
      name: ["Work"],
      rule: { type: "regex", regex: "x", ignore_case: true, select_keys: ["app"], later: { a: 1 } },
      data: { color: "#fff", score: 2, note: "mine" },
      name_pretty: "Work",
      children: [{ odd: true }],
    },
    // As ActivityWatch's web UI writes scores, and as others may write anything.
    { name: ["Work", "Code"], rule: { type: "regex", regex: "y" }, data: { color: "#00f", score: "7" } },
    {
      id: "b",
      name: ["Odd"],
      rule: { type: "keyword", regex: 5, ignore_case: "yes" },
      data: { color: 7, score: null },
    },
    "no category",
    { name: [], rule: { type: "none" } },
  ];
  const read = readCategories(stored);
  assert.ok(read);
  assert.is(read.categories.length, 3);
  assert.equal(printCategories(read), stored);
  // Another name, color or pattern of one changes nothing else.
  const [work, code, odd] = stored as unknown as readonly [JsonObject, JsonObject, JsonObject];
  const renamed = changed(moved(read.categories, ["Work"], ["Job"]), 2, { color: "#fff" });
  const { name_pretty: _, children: __, ...rest } = work;
  assert.equal(printCategories({ categories: renamed, others: [] }), [
    { ...rest, name: ["Job"] },
    { ...code, name: ["Job", "Code"] },
    { ...odd, data: { color: "#fff", score: null } },
  ]);
});

test("odd lists are read as far as they can be", () => {
  assert.is(readCategories(undefined), undefined);
  assert.is(readCategories({ name: ["Work"] }), undefined);
  const odd: readonly (readonly [JsonValue, string | undefined])[] = [
    [{ name: ["A"] }, undefined],
    [{ name: "A", rule: { regex: "a" } }, "a"],
    [{ name: ["A"], rule: { type: null, regex: "a" } }, undefined],
    [{ name: ["A"], rule: { type: "keyword", regex: "a" } }, undefined],
    [{ name: ["A"], rule: { type: "regex", regex: 5 } }, undefined],
    [{ name: ["A"], rule: [], data: "red" }, undefined],
  ];
  for (const [given, pattern] of odd) {
    const [read] = readCategories([given])?.categories ?? [];
    assert.equal(read?.name, ["A"]);
    assert.is(read && rulePattern(read.rule), pattern);
    assert.is(read && isActive(read.rule), pattern !== undefined);
    assert.is(ownColorOf(read), undefined);
  }
});

test("a tree has parents that the list does not have, and both of two equal names", () => {
  assert.equal(outline(buildTree([...LIST, category("Work/Code")])), [
    [
      "Work",
      0,
      [
        ["Code", 1, []],
        ["Code", 4, []],
      ],
    ],
    ["Media", 2, [["Music", undefined, [["Jazz", 3, []]]]]],
  ]);
  assert.equal(outline(buildTree([category("__proto__/constructor")])), [
    ["__proto__", undefined, [["constructor", 0, []]]],
  ]);
});

test("moving takes along what is below, and forgets what followed from the name", () => {
  const list = [category("A"), { ...category("A/B", "b"), ...{ name_pretty: "A > B", other: 1 } }, category("AB")];
  const after = moved(list, ["A"], ["C", "D"]);
  assert.equal(names(after), ["C/D", "C/D/B", "AB"]);
  assert.equal(Object.keys(after[1] ?? {}).sort(), ["name", "other", "rule"]);
});

test("a category cannot go where another is, below itself, or without a name", () => {
  assert.is(moveError(LIST, ["Work"], ["Office"]), undefined);
  assert.is(moveError(LIST, ["Work"], ["Work"]), undefined);
  assert.is(moveError(LIST, ["Work"], ["Media"]), "nameTaken");
  // Only in the tree.
  assert.is(moveError(LIST, ["Work"], ["Media", "Music"]), "nameTaken");
  assert.is(moveError(LIST, ["Work"], ["Work", "Code", "Work"]), "belowItself");
  assert.is(moveError(LIST, ["Work"], [" "]), "needsName");
});

test("changes give new lists and leave the old one", () => {
  const before = JSON.stringify(LIST);
  assert.equal(names(removed(LIST, ["Media"])), ["Work", "Work/Code"]);
  assert.equal(added(LIST, ["New"], { type: "none" }).at(-1), { id: 8, name: ["New"], rule: { type: "none" } });
  assert.is(added([], ["New"], { type: "none" })[0]?.id, 0);
  assert.equal(changed(LIST, 1, { color: undefined })[1]?.data, {});
  assert.equal(changed(LIST, 0, { color: undefined })[0], LIST[0]);
  assert.equal(changed(LIST, 1, { score: 5 })[1]?.data, { color: "#00ff00", score: 5 });
  assert.equal(freeName(LIST, [], "Work"), ["Work 2"]);
  assert.is(JSON.stringify(LIST), before);
});

test("what a rule is made of a text matches that text", () =>
  withTestServer({}, async (server) => {
    const texts = ["C++ (draft) [1] {2} ^$ | a.b* \\ ?", "größe/#-&~ x", "__proto__", '<b title="x">', "a\\"];
    for (const text of texts) {
      await server.settings.put(
        "classes",
        printCategories({ categories: [category("Found", exactly(text))], others: [] }),
      );
      const { categories } = await server.classify({ data: texts.map((app) => ({ app })) });
      assert.equal(
        texts.filter((_, index) => categories[index]?.[0] === "Found"),
        [text],
      );
    }
  }));

test("a rule that is added in front takes no time from what matches already", () =>
  withTestServer({}, async (server) => {
    const reading = [category("Reading", "Wikipedia"), category("Work", "^Code$")];
    const after = addedInFront(reading, ["Firefox"], { type: "regex", regex: exactly("Firefox") });
    const data = [
      { app: "Firefox", title: "Bee - Wikipedia" },
      { app: "Firefox", title: "Weather" },
    ];
    const classesBy = async (list: readonly Category[]): Promise<unknown> => {
      await server.settings.put("classes", printCategories({ categories: list, others: [] }));
      return (await server.classify({ data })).categories.map(([top]) => top);
    };
    assert.equal(await classesBy(reading), ["Reading", "Uncategorized"]);
    assert.equal(await classesBy(after), ["Reading", "Firefox"]);
  }));

test("every category gets an id, and keeps the one that it has", () => {
  assert.equal(
    withIds(DEFAULT_CLASSES).map(({ id }) => id),
    DEFAULT_CLASSES.map((_, at) => at),
  );
  assert.equal(
    withIds(LIST).map(({ id }) => id),
    [8, 7, 9, 10],
  );
  assert.equal(
    withIds(LIST).map(({ id: _, ...rest }) => rest),
    LIST.map(({ id: _, ...rest }) => rest),
  );
});

test("a rule can be made to match more", () => {
  assert.equal(extended({ type: "none" }, "a"), { type: "regex", regex: "a" });
  assert.equal(extended({ type: "regex", regex: "a", ignore_case: true }, escaped("b.c")), {
    type: "regex",
    regex: "a|b\\.c",
    ignore_case: true,
  });
});

test("colours are the own one, else the parent's in another shade, else by name and all different", () => {
  const tops = Array.from({ length: 10 }, (_, at) => category(`Top ${at}`));
  const colors = createColors(tops);
  const luminances = tops.map(({ name }) => luminanceOf(colors.of(name))).sort((a, b) => a - b);
  for (const [at, luminance] of luminances.entries()) {
    // In greyscale as well: a step of lightness apart.
    if (at > 0) assert.ok(luminance > (luminances[at - 1] ?? 0) * 1.1, `${luminances}`);
  }
  assert.equal(createColors(tops).of(["Top 3"]), colors.of(["Top 3"]));

  const own = createColors(LIST);
  assert.is(own.of(["Work", "Code"]), "#00ff00");
  assert.is(own.of(["Work", "Code", "deeper"]), "#00ff00");
  assert.is.not(own.of(["Work", "Code"]), own.of(["Work"]));
  const family = createColors([
    category("A", undefined, { data: { color: "#336699" } }),
    category("A/B"),
    category("A/C"),
    category("A/D", undefined, { data: { color: "url(https://example.org)" } }),
  ]);
  const shades = [["A"], ["A", "B"], ["A", "C"], ["A", "D"]].map((name) => family.of(name));
  assert.is(new Set(shades).size, 4);
  for (const shade of shades) assert.match(shade, /^#[0-9a-f]{6}$/);
  assert.match(createColors([]).of(["__proto__"]), /^#[0-9a-f]{6}$/);
});

test("the top categories of the default list differ in greyscale, and stand out from both grounds", () => {
  const colors = createColors(DEFAULT_CLASSES);
  const tops = buildTree(DEFAULT_CLASSES).map(({ name }) => colors.of(name));
  const luminances = [...tops, colors.of([UNCATEGORIZED])].map(luminanceOf).sort((a, b) => a - b);
  assert.is(luminances.length, 5);
  // As a grey of the same luminance is written, from 0 to 255.
  const greys = luminances.map((luminance) => 255 * (1.055 * luminance ** (1 / 2.4) - 0.055));
  for (const [at, grey] of greys.entries()) {
    if (at > 0) assert.ok(grey - (greys[at - 1] ?? 0) >= 25, greys.map(Math.round).join());
  }
  for (const luminance of luminances) {
    for (const ground of ["#ffffff", "#19212b"].map(luminanceOf)) {
      const [dark, light] = [luminance, ground].sort((a, b) => a - b) as [number, number];
      assert.ok((light + 0.05) / (dark + 0.05) >= 1.99, `${luminance} on ${ground}`);
    }
  }
});

test("text on any colour can be read", () => {
  for (let value = 0; value < 4096; value += 7) {
    const color = readColor(`#${value.toString(16).padStart(3, "0")}`) ?? "";
    const [light, dark] = [luminanceOf(color), luminanceOf(textOn(color))].sort((a, b) => b - a);
    assert.ok(((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05) >= 4.5, color);
  }
  assert.is(readColor("red"), undefined);
  assert.is(readColor("#ABCDEF80"), "#abcdef");
});

test("sets that are active are in force, the first before the others", () => {
  const team = { id: "team", categories: [category("Work", "team"), category("Team", "t")] };
  const own = [category("Work", "own"), category("Own", "o")];
  for (const [active, regexes, ids] of [
    [["default"], ["own", "o"], ["default", "team"]],
    // Later rules win among equals, so the first set stands last.
    [
      ["team", "default", "gone"],
      ["o", "team", "t"],
      ["default", "team"],
    ],
    [
      ["default", "team"],
      ["t", "own", "o"],
      ["default", "team"],
    ],
    [["team"], ["team", "t"], ["team"]],
    // As ActivityWatch's web UI, which then reads `classes`.
    [
      ["gone", 5],
      ["own", "o"],
      ["default", "team"],
    ],
    [[], ["team", "t"], ["team"]],
    [null, ["team", "t"], ["team"]],
  ] as const) {
    const settings = { classes: own, category_sets: [team], active_set_ids: active } as unknown as JsonObject;
    assert.equal(
      activeCategoriesIn(settings).map(({ rule }) => rule.regex),
      regexes,
      JSON.stringify(active),
    );
    assert.equal(listSetIds(settings), ids, JSON.stringify(active));
  }
  const alone = { classes: own, active_set_ids: ["gone"] } as unknown as JsonObject;
  assert.equal(names(activeCategoriesIn(alone)), ["Work", "Own"]);
});

test("a set is stored without touching others", () => {
  const settings = {
    classes: [{ name: ["Own"], rule: { type: "none" } }],
    category_sets: [{ id: "team", categories: [], note: 1 }, "odd", { id: "x", categories: null }],
    active_set_ids: ["team", "default"],
  };
  assert.equal(listSetIds(settings), ["default", "team", "x"]);
  assert.equal(storedList(settings, "team"), []);
  assert.equal(readList(settings, "x").categories, []);
  assert.equal(replaceList(settings, "team", [1]), [
    ["category_sets", [{ id: "team", categories: [1], note: 1 }, "odd", { id: "x", categories: null }]],
  ]);
  assert.equal(replaceList(settings, "default", [1]), [["classes", [1]]]);
  assert.equal(replaceList({}, "gone", [1]), [["category_sets", [{ id: "gone", categories: [1] }]]]);
  assert.equal(names(categoriesWithSet(settings, "team", [category("T")])), ["Own", "T"]);
  assert.ok(readList({}, "default").categories.length > 5);
  assert.equal(readList({ classes: [] }, "default").categories, []);
});

test("where the user's own set is among the sets it is read there, and stored in both places", () => {
  const item = (name: string): JsonObject => ({ name: [name], rule: { type: "none" }, data: { score: "7" } });
  const settings: JsonObject = {
    classes: [item("Old")],
    category_sets: [
      { id: "default", categories: [item("Own"), "odd"], note: 1 },
      { id: "team", categories: [item("Team")] },
    ],
    active_set_ids: ["default"],
  };
  assert.equal(names(activeCategoriesIn(settings)), ["Own"]);
  assert.equal(names(readList(settings, "default").categories), ["Own"]);
  assert.equal(storedList(settings, "default"), [item("Own"), "odd"]);
  const [sets, classes, ...others] = replaceList(settings, "default", [item("New"), "odd"]);
  assert.equal(sets, [
    "category_sets",
    [
      { id: "default", categories: [item("New"), "odd"], note: 1 },
      { id: "team", categories: [item("Team")] },
    ],
  ]);
  assert.equal(classes, ["classes", [item("New"), "odd"]]);
  assert.is(others.length, 0);
  // Programs that know no sets see in `classes` what is in force.
  const both = { ...settings, active_set_ids: ["default", "team"] };
  assert.equal(replaceList(both, "team", [item("Other")])[1], ["classes", [item("Other"), item("Own")]]);
  assert.equal(replaceList(settings, "team", [item("Other")])[1], ["classes", [item("Own"), "odd"]]);
});

test("a setting that is text is read in each form in which ActivityWatch's web UI stores it", () => {
  for (const [stored, text] of [
    ["Zoom|Meet", "Zoom|Meet"],
    [2048, "2048"],
    [true, "true"],
    [false, ""],
    [null, ""],
    [undefined, ""],
    [["Zoom"], ""],
  ] as const) {
    assert.is(settingText(stored), text);
  }
});

test("a file of categories comes back as it was, and others say what is wrong", async () => {
  const list = { categories: LIST, others: [] };
  assert.equal(await readFile(new Blob([printFile(list)])), list);
  assert.equal(await readFile(new Blob([JSON.stringify(LIST)])), list);
  const wrong: readonly (readonly [string, string])[] = [
    ["{", "not valid JSON"],
    ["{}", "does not contain a category list"],
    ["[1]", "does not contain categories"],
    [`"${"x".repeat(5_000_001)}"`, "too large"],
  ];
  for (const [text, message] of wrong) {
    const error = await readFile(new Blob([text])).catch((thrown: Error) => thrown);
    assert.match((error as Error).message, message);
  }
});

test("a preview adds up to what the categories have", () =>
  withTestServer({ clock: "2024-03-03T00:00:00Z" }, async (server) => {
    const day = realisticDay();
    await server.load(day);
    const rule = { type: "regex", regex: "Firefox" } as const;
    const categories = [category("Code", "^Code$"), category("Web", rule.regex)];
    const sent = printCategories({ categories, others: [] }) as JsonObject[];
    const request = { date: "2024-03-01", ...PREVIEW_LISTS, categories: sent };
    const client = connect(server);
    const preview = readPreview(await client.report(request), await client.report({ ...request, rule }));
    const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
    assert.ok(Math.abs(sum(preview.totals.values()) - preview.seconds) < 0.001);
    assert.is(preview.totals.get(keyOf(["Web"])), preview.matchingSeconds);
    assert.ok(Math.abs(sum(preview.matching.map(({ duration }) => duration)) - preview.matchingSeconds) < 0.001);
    assert.ok(preview.matching.length > 5 && preview.matching.every(({ app }) => app === "Firefox"));
    assert.ok(preview.others.length > 5 && preview.others.every(({ app }) => app !== "Firefox"));
    const apps = preview.uncategorizedApps;
    assert.ok(apps.length > 0 && apps.every(({ app }) => app !== "Code" && app !== "Firefox"));
    assert.ok(
      Math.abs(sum(apps.map(({ duration }) => duration)) - (preview.totals.get('["Uncategorized"]') ?? 0)) < 0.001,
    );
  }));

test.run();
