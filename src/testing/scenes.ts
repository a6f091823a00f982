import type { JsonObject } from "../domain/json.js";
import type { Random } from "./random.js";

/** The content of a screen, as watchers report it. */
export interface Scene {
  readonly window: { readonly app: string; readonly title: string };
  /** The page, if the window is a browser. */
  readonly web?: JsonObject;
  /** The file, if the window is an editor. */
  readonly editor?: JsonObject;
}

interface Page {
  readonly url: string;
  readonly title: string;
  readonly audible?: boolean;
}

interface Project {
  readonly name: string;
  readonly branches: readonly string[];
  readonly files: readonly (readonly [file: string, language: string])[];
}

/** Draws the next screen, and remembers the number of tabs. */
export interface Screen {
  /** Starts another task: another project and mix of programs. */
  changeTask(): void;
  next(): Scene;
}

type Program = "editor" | "browser" | "terminal" | "chat" | "mail";

/** Tasks with the programs they use; the numbers are weights. */
const TASKS: readonly (readonly [number, readonly (readonly [number, Program])[]])[] = [
  [
    5,
    [
      [50, "editor"],
      [24, "browser"],
      [20, "terminal"],
      [6, "chat"],
    ],
  ],
  [
    2,
    [
      [75, "browser"],
      [15, "editor"],
      [10, "chat"],
    ],
  ],
  [
    2,
    [
      [40, "chat"],
      [35, "mail"],
      [25, "browser"],
    ],
  ],
];

const HOME = "/home/dev";
const PROJECTS: readonly Project[] = [
  {
    name: "tracker",
    branches: ["main", "import-speed"],
    files: [
      ["src/server.ts", "typescript"],
      ["src/storage.ts", "typescript"],
      ["src/time.ts", "typescript"],
      ["test/storage.test.ts", "typescript"],
      ["test/time.test.ts", "typescript"],
      ["README.md", "markdown"],
      ["package.json", "json"],
    ],
  },
  {
    name: "report",
    branches: ["main"],
    files: [
      ["report/week.py", "python"],
      ["report/charts.py", "python"],
      ["tests/test_week.py", "python"],
      ["notes.md", "markdown"],
    ],
  },
  {
    name: "site",
    branches: ["main", "new-colours"],
    files: [
      ["index.html", "html"],
      ["style.css", "css"],
      ["pages/größe.md", "markdown"],
      ["build.js", "javascript"],
    ],
  },
];
const PAGES: readonly Page[] = [
  { url: "https://docs.example.com/guide/streams", title: "Streams - Guide" },
  { url: "https://docs.example.com/guide/time-zones", title: "Time zones - Guide" },
  { url: "https://docs.example.com/api/http", title: "HTTP - Reference" },
  { url: "https://code.example.com/team/tracker/pulls/214", title: "Read days in one call by ana · Pull Request #214" },
  { url: "https://code.example.com/team/tracker/issues", title: "Issues · team/tracker" },
  { url: "https://code.example.com/team/report/issues/31", title: "Weeks start on Sunday · Issue #31" },
  { url: "https://search.example.com/?q=binary+search+by+time", title: "binary search by time - Search" },
  { url: "https://search.example.com/?q=css+grid+gap", title: "css grid gap - Search" },
  { url: "https://answers.example.org/q/1842", title: "How do I compare two dates? - Answers" },
  { url: "https://answers.example.org/q/77", title: 'What does "heavy tail" mean? - Answers' },
  { url: "https://calendar.example.com/week", title: "This week - Calendar" },
  { url: "https://news.example.org/", title: "News" },
  { url: "https://news.example.org/2024/eclipse", title: "Eclipse in April — News" },
  { url: "https://video.example.com/watch?v=a1b2c3", title: "Lo-fi for work - Video", audible: true },
  { url: "https://video.example.com/watch?v=d4e5f6", title: "Conference talk: storage engines - Video", audible: true },
  { url: "http://localhost:8080/", title: "Überblick" },
];
const CHANNELS = ["general", "tracker", "lunch", "releases"];
const MAILS = ["Inbox (3)", "Inbox (4)", "Weekly plan", "Re: Invoice 2024-17", "Write: Weekly plan"];
const COMMANDS = ["~", "npm test", "git log", "htop"];

const FEWEST_TABS = 3;
const MAX_TABS = 24;

/** Creates a screen. */
export function createScreen(hostname: string, random: Random): Screen {
  let programs = random.weighted(TASKS);
  let project = random.pick(PROJECTS);
  let branch = random.pick(project.branches);
  let tabCount = random.between(FEWEST_TABS, 12);

  const scenes: Readonly<Record<Program, () => Scene>> = {
    editor() {
      const [file, language] = random.pick(project.files);
      const folder = `${HOME}/${project.name}`;
      return {
        window: { app: "Code", title: `${file.split("/").at(-1)} - ${project.name} - Visual Studio Code` },
        editor: { file: `${folder}/${file}`, project: folder, language, branch },
      };
    },
    browser() {
      const { url, title, audible = false } = random.pick(PAGES);
      if (random.chance(0.3)) tabCount += random.chance(0.5) ? 1 : -1;
      tabCount = Math.min(Math.max(tabCount, FEWEST_TABS), MAX_TABS);
      return {
        window: { app: "Firefox", title: `${title} — Mozilla Firefox` },
        web: { url, title, audible, incognito: random.chance(0.02), tabCount },
      };
    },
    terminal: () => ({
      window: { app: "Terminal", title: `dev@${hostname}: ~/${project.name} ${random.pick(COMMANDS)}` },
    }),
    chat: () => ({ window: { app: "Slack", title: `${random.pick(CHANNELS)} (Channel) - Example - Slack` } }),
    mail: () => ({ window: { app: "Thunderbird", title: `${random.pick(MAILS)} - Mozilla Thunderbird` } }),
  };
  return {
    changeTask() {
      programs = random.weighted(TASKS);
      project = random.pick(PROJECTS);
      branch = random.pick(project.branches);
    },
    next: () => scenes[random.weighted(programs)](),
  };
}
