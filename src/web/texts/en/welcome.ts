/** Texts of the view for a first watcher, and of the demo. */
export const welcomeTexts = {
  empty: "No data yet",
  start: "Start a watcher",
  intro: `Watchers report your active window to this server. All watchers for ActivityWatch work. When the first one
    reports, {today} shows its data.`,
  today: "today",
  windows: "Window and keyboard",
  windowsWhat: `The active window's title, and whether you are AFK. ActivityWatch includes both watchers, and you
    can install them separately. Start them with this server's address:`,
  install: "install the watchers",
  startWindow: "start the window watcher",
  startAfk: "start the AFK watcher",
  belowPath: "They do not support paths, and this server is at {path}. Give it its own hostname or port for them.",
  plainHttp: "They only support HTTP. Use the address behind the proxy.",
  browser: "Browser",
  browserHere: `The extension “ActivityWatch Web Watcher” reports the current page. Install it from your browser's
    store. It needs no setup, because it always reports to {address}, this server.`,
  browserElsewhere: `The extension “ActivityWatch Web Watcher” reports the current page. Install it from your
    browser's store. It always reports to {address}, but this server uses another address:`,
  usualPort: "start on the default port",
  editors: "Editors",
  editorsHere: `Plugins named “aw-watcher-…” (Visual Studio Code, JetBrains, Vim, Emacs) report the file, project
    and language. They report to {address}, this server.`,
  editorsElsewhere: `Plugins named “aw-watcher-…” (Visual Studio Code, JetBrains, Vim, Emacs) report the file,
    project and language. They report to {address}, unless you change their settings:`,
  editorAddress: "address for editor settings",
  own: "Your own",
  ownWhat: "Any app that sends HTTP can report. Create a bucket, then send heartbeats, such as this one of a minute:",
  key: "Replace {key} with an API key for this server.",
  createBucket: "create a bucket",
  sendHeartbeat: "send a heartbeat",
  allCalls: "Try the whole API",
  demo: "Explore with demo data",
  demoWhat: `A device named {host} with two weeks of work: windows, pages, files and breaks. Your own buckets do not
    change, and you can remove it at any time.`,
  demoFailed: "The demo data was not changed.",
  demoRemoved: "Demo data removed",
  removeDemo: "Remove demo data",
  fillDemo: "Add demo data",
  demoProgress: "Demo data progress",
} as const;
