import type { Category } from "./categories.js";

function category(name: readonly string[], color: string, words: readonly string[] = []): Category {
  // Whole words: "Word" is not "password". Words that end in "_" have more after them.
  const regex = words
    .join("|")
    .split("|")
    .map((word) => (word.endsWith("_") ? word : word.replace(/^(?=\w)|(?<=\w)$/g, "\\b")))
    .join("|");
  return {
    name,
    rule: regex === "" ? { type: "none" } : { type: "regex", regex, ignore_case: true },
    data: { color },
  };
}

/**
 * The default categories, used until the owner stores some: typical activities on a computer. The colors of the
 * top-level categories and the gray of uncategorized time are about 25 of 255 gray levels apart, for readability on
 * both backgrounds.
 */
export const DEFAULT_CLASSES: readonly Category[] = [
  category(["Work"], "#2c6cb1"),
  category(["Work", "Programming"], "#245c97", [
    "Code|Codium|VSCodium|Cursor|Zed|Emacs|Vim|gVim|MacVim|Nvim|Neovim|IntelliJ|PyCharm|pycharm64|WebStorm",
    "webstorm64|Xcode|Visual Studio|Android Studio|Terminal|WindowsTerminal|QTerminal|LXTerminal|Konsole|Alacritty",
    "kitty|WezTerm|iTerm|iTerm2|PowerShell|GitHub|GitHubDesktop|GitLab|Stack Overflow|localhost",
  ]),
  category(["Work", "Documents"], "#5191cc", [
    "Word|WinWord|Writer|LibreOffice|Excel|Calc|PowerPoint|Impress|Pages|Numbers|Keynote|Google Docs|Notion",
    "Obsidian|\\.pdf",
  ]),
  category(["Work", "Design"], "#7eb2df", ["Figma|GIMP|Inkscape|Photoshop|Illustrator|Blender|Krita|Sketch"]),
  category(["Communication"], "#d78d42"),
  category(["Communication", "Mail"], "#e2a45c", ["Thunderbird|Outlook|Gmail|Apple Mail|Evolution|Geary|Inbox"]),
  category(["Communication", "Chat"], "#b46020", [
    "Slack|Discord|Telegram|TelegramDesktop|Signal|WhatsApp|Element|Mattermost|Messages|IRC",
  ]),
  category(["Communication", "Meetings"], "#efbd8c", ["Zoom|Microsoft Teams|Google Meet|Webex|Jitsi"]),
  category(["Media"], "#6536a3"),
  category(["Media", "Video"], "#542d86", ["YouTube|Netflix|Twitch|VLC|mpv|Vimeo|Plex|Disney\\+"]),
  category(["Media", "Music"], "#8c62c3", ["Spotify|Rhythmbox|Tidal|SoundCloud|Apple Music|Deezer"]),
  category(["Media", "Games"], "#b293d6", ["Steam|steamwebhelper|steam_app_|Minecraft|Lutris|Heroic|Epic Games"]),
  category(["Media", "Social"], "#7948ba", ["Reddit|Facebook|Instagram|Mastodon|Bluesky|TikTok|Hacker News"]),
  category(["Reading"], "#75c7a6", ["Wikipedia|Kindle|Calibre|Feedly|Pocket|News|Medium|Blog"]),
];
