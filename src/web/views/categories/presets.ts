// Categories for professions, added to the user's own. Pure.
import { rulePattern } from "../../../filter/categories.js";
import { type Category, keyOf } from "../../categories.js";
import { printConditions, readConditions } from "../../filter/conditions.js";
import { withRule } from "../../filter/rule.js";
import type { CategoryName } from "../../texts/category-names.js";
import { added } from "./edits.js";

const WRITERS = "Microsoft Word|LibreOffice Writer|Google Docs";
const SLIDES = "PowerPoint|^Keynote$|LibreOffice Impress|Google Slides";

export type Profession = "developer" | "designer" | "writer" | "researcher" | "teacher";

/** Patterns by category, by profession. All ignore case. */
export const PROFESSIONS: Readonly<Record<Profession, Partial<Record<CategoryName, string>>>> = {
  developer: {
    programming:
      "^Code$|^Cursor$|^Zed$|Visual Studio|IntelliJ|PyCharm|WebStorm|GoLand|CLion|Xcode|Android Studio|Neovim",
    codeReview: "Pull request|Merge request|Code review|Gerrit",
    terminal: "Terminal|Konsole|Alacritty|^kitty$|WezTerm|iTerm|PowerShell|Ghostty",
    reference: "Stack Overflow|MDN Web Docs|docs\\.rs|DevDocs|Read the Docs|API reference",
    planning: "Jira|^Linear$|Trello|Asana|Kanban",
  },
  designer: {
    design: "Figma|^Sketch$|Adobe XD|Illustrator|InDesign|Affinity|Inkscape|Penpot",
    photoVideo: "Photoshop|Lightroom|GIMP|darktable|Krita|Premiere Pro|After Effects|DaVinci Resolve|Final Cut",
    threeD: "Blender|Cinema 4D|ZBrush|SketchUp|Fusion 360",
    inspiration: "Dribbble|Behance|Pinterest|Awwwards",
  },
  writer: {
    writing: `Scrivener|Ulysses|iA Writer|FocusWriter|${WRITERS}`,
    research: "Wikipedia|Britannica|Internet Archive|JSTOR",
    proofreading: "Grammarly|LanguageTool|DeepL|Duden",
    publishing: "WordPress|Substack|Kindle Direct Publishing|Mailchimp",
  },
  researcher: {
    dataAnalysis: "RStudio|Jupyter|MATLAB|SPSS|^Stata|Spyder|JASP",
    literature: "Zotero|Mendeley|EndNote|PubMed|arXiv|Google Scholar|ScienceDirect|SpringerLink|JSTOR",
    writing: `Overleaf|LaTeX|TeXstudio|${WRITERS}`,
    slides: SLIDES,
  },
  teacher: {
    lessons: `GeoGebra|H5P|Kahoot|Quizlet|${SLIDES}`,
    classroom: "Moodle|Google Classroom|Instructure|itslearning|Schoology",
    grading: "Gradebook|Turnitin|Grading",
  },
};

/** The top level of the default categories. */
const WORK = "Work";

/**
 * Adds the categories of a profession below the one for work. Those that are there get the missing conditions.
 *
 * @param nameOf names of categories in the user's language
 */
export function withProfession(
  categories: readonly Category[],
  profession: Profession,
  nameOf: (name: CategoryName) => string,
): readonly Category[] {
  const work = categories.some(({ name }) => name[0] === WORK) ? WORK : nameOf("work");
  const isThere = categories.some(({ name }) => keyOf(name) === keyOf([work]));
  const start = isThere ? categories : added(categories, [work], { type: "none" });
  const entries = Object.entries(PROFESSIONS[profession]) as [CategoryName, string][];
  return entries.reduce((list, [key, pattern]) => {
    const name = [work, nameOf(key)];
    const before = list.find((category) => keyOf(category.name) === keyOf(name));
    const known = readConditions(before === undefined ? "" : (rulePattern(before.rule) ?? ""));
    const missing = readConditions(pattern).filter(
      ({ kind, text }) => !known.some((one) => one.kind === kind && one.text === text),
    );
    if (missing.length === 0) return list;
    return withRule(list, name, { type: "regex", regex: printConditions(missing), ignore_case: true });
  }, start);
}
