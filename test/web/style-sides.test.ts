// Style sheets name sides by the direction of lines, so that one of them does for languages from right to left as well.
import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";

const WEB = "src/web";

/** Declarations that keep a side in every language, by their file, with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {};

/** Properties with a value for each side, in the order top, right, bottom, left. */
const FOUR_SIDED = /^(?:(?:scroll-)?(?:margin|padding)|inset|border-(?:width|color|style|radius))$/;

const test = suite("sides in style sheets");

function namesSide(property: string, value: string): boolean {
  if (/(?:^|-)(?:left|right)(?:-|$)/.test(property)) return true;
  if (/\b(?:left|right)\b/.test(value)) return true;
  if (/\b(?:translateX|translate3d|scaleX|skewX?)\(|\btranslate\([^,)]*[^,)\s0][^,)]*,/.test(value)) return true;
  const parts = FOUR_SIDED.test(property) ? (value.match(/(?:[^\s()]|\([^()]*(?:\([^()]*\)[^()]*)*\))+/g) ?? []) : [];
  // Corners begin at the top left, and go round likewise.
  if (property === "border-radius") return parts.length > 2 && (parts[0] !== parts[1] || parts[2] !== parts[3]);
  return parts.length === 4 && parts[1] !== parts[3];
}

/** Declarations that would look the wrong way round in Hebrew. */
function sided(css: string): readonly string[] {
  const plain = css.replace(/\/\*[\s\S]*?\*\//g, "");
  return [...plain.matchAll(/([\w-]+)\s*:\s*([^;{}]+)(?=[;}])/g)].flatMap(([, property = "", value = ""]) =>
    namesSide(property, value.trim()) ? [`${property}: ${value.replace(/\s+/g, " ").trim()}`] : [],
  );
}

test("no style sheet names left or right", () => {
  const files = fs.readdirSync(WEB, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".css"));
  assert.ok(files.length > 10, "the style sheets are where this test looks for them");
  const found = files.flatMap((file) => {
    const name = file.split(path.sep).join("/");
    return sided(fs.readFileSync(path.join(WEB, file), "utf8")).map((one) => `${name}: ${one}`);
  });
  assert.equal(
    found.filter((one) => !Object.hasOwn(ALLOWED, one)),
    [],
    "name sides by the direction of lines: margin-inline-start, text-align: start",
  );
  assert.equal(
    Object.keys(ALLOWED).filter((one) => !found.includes(one)),
    [],
    "no style sheet says these any more",
  );
});

test("sides are found in names, values and lists of four", () => {
  const cases: readonly (readonly [css: string, isSided: boolean])[] = [
    ["a { margin-left: 1px; }", true],
    ["a { left: 0 }", true],
    ["a { border-top-right-radius: 2px; }", true],
    ["a { text-align: right; }", true],
    ["a { float: left; }", true],
    ["a { padding: 1px 2px 1px 3px; }", true],
    ["a { border-radius: 2px 0 0 2px; }", true],
    ["a { background: linear-gradient(to right, red, blue); }", true],
    ["a { transform: translateX(4px); }", true],
    ["a { padding: 1px 2px 3px; margin: 1px calc(2px + (1px)) 3px calc(2px + (1px)); }", false],
    ["a { border-radius: 2px 2px 0 0; inset-inline-start: 0; text-align: end; }", false],
    ["/* left: 0; */ .left-over { grid-area: a; }", false],
  ];
  for (const [css, isSided] of cases) assert.is(sided(css).length > 0, isSided, css);
});

test.run();
