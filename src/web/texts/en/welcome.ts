/** Texts of the view for a first watcher, and of the demo. */
export const welcomeTexts = {
  empty: "Nothing has been reported yet",
  start: "Start a watcher",
  intro: `Watchers tell this server what is in front on a computer. It speaks the interface of ActivityWatch, so every
    watcher made for that reports here. As soon as one does, {today} fills up.`,
  today: "today",
  windows: "Window and keyboard",
  windowsWhat: `The title of the active window, and whether somebody is at the computer. Both watchers come with
    ActivityWatch, or by themselves; start them with the address of this server:`,
  install: "install the watchers",
  startWindow: "start the window watcher",
  startAfk: "start the afk watcher",
  belowPath: `They know a host and a port but no path, and this server is below {path}: give it a host or a port of its
    own for them.`,
  plainHttp: "They speak plain HTTP; give them the address behind the proxy.",
  browser: "Browser",
  browserHere: `The extension “ActivityWatch Web Watcher” from the store of your browser tells which page is open. It
    always reports to {address}, which is this server: there is nothing to set up.`,
  browserElsewhere: `The extension “ActivityWatch Web Watcher” from the store of your browser tells which page is open.
    It always reports to {address}; this server listens elsewhere:`,
  usualPort: "start on the usual port",
  editors: "Editors",
  editorsHere: `Plugins called “aw-watcher-…” (Visual Studio Code, JetBrains, Vim, Emacs) tell file, project and
    language. They report to {address}, this server.`,
  editorsElsewhere: `Plugins called “aw-watcher-…” (Visual Studio Code, JetBrains, Vim, Emacs) tell file, project and
    language. They report to {address} unless their settings name another address:`,
  editorAddress: "address for the settings of editors",
  own: "Your own",
  ownWhat: "Anything that can send HTTP can report. A bucket, then a heartbeat, here one of a minute:",
  key: "{key} stands for the API key of this server, which every call has to show.",
  createBucket: "create a bucket",
  sendHeartbeat: "send a heartbeat",
  allCalls: "All calls, to be tried out",
  demo: "Look around with made-up data",
  demoWhat: `A host called {host} with a fortnight of work: windows, pages, files and breaks. Your own buckets stay as
    they are, and it can be removed again.`,
  demoFailed: "The demo could not be changed.",
  demoRemoved: "The demo host is removed.",
  removeDemo: "Remove the demo host",
  fillDemo: "Fill a demo host",
  demoProgress: "Progress of the demo",
} as const;
