import type { Category } from "./categories.js";

function category(name: readonly string[], color: string, words: readonly string[] = []): Category {
  const regex = words.join("|");
  return {
    name,
    rule: regex === "" ? { type: "none" } : { type: "regex", regex, ignore_case: true },
    data: { color },
  };
}

/** The categories of a server whose owner has stored none: what most computers are used for. */
export const DEFAULT_CLASSES: readonly Category[] = [
  category(["Work"], "#2f6fb5"),
  category(["Work", "Programming"], "#1f5a99", [
    "Code|Codium|Cursor|Zed|Emacs|Vim|IntelliJ|PyCharm|WebStorm|Xcode|Visual Studio|Android Studio",
    "Terminal|Konsole|Alacritty|kitty|WezTerm|iTerm|PowerShell|GitHub|GitLab|Stack Overflow|localhost",
  ]),
  category(["Work", "Documents"], "#6aa3da", [
    "Word|Writer|LibreOffice|Excel|Calc|PowerPoint|Impress|Pages|Numbers|Keynote|Google Docs|Notion|Obsidian|\\.pdf",
  ]),
  category(["Work", "Design"], "#8fbce6", ["Figma|GIMP|Inkscape|Photoshop|Illustrator|Blender|Krita|Sketch"]),
  category(["Communication"], "#b5651d"),
  category(["Communication", "Mail"], "#d98a3d", ["Thunderbird|Outlook|Gmail|Apple Mail|Evolution|Geary|Inbox"]),
  category(["Communication", "Chat"], "#8f4a0f", [
    "Slack|Discord|Telegram|Signal|WhatsApp|Element|Mattermost|Messages|IRC",
  ]),
  category(["Communication", "Meetings"], "#efb57c", ["Zoom|Microsoft Teams|Google Meet|Webex|Jitsi"]),
  category(["Media"], "#7a4fb0"),
  category(["Media", "Video"], "#5c3291", ["YouTube|Netflix|Twitch|VLC|mpv|Vimeo|Plex|Disney\\+"]),
  category(["Media", "Music"], "#a483cf", ["Spotify|Rhythmbox|Tidal|SoundCloud|Apple Music|Deezer"]),
  category(["Media", "Games"], "#c4aee2", ["Steam|Minecraft|Lutris|Heroic|Epic Games"]),
  category(["Media", "Social"], "#8d66c0", ["Reddit|Facebook|Instagram|Mastodon|Bluesky|TikTok|Hacker News"]),
  category(["Reading"], "#2c8a6a", ["Wikipedia|Kindle|Calibre|Feedly|Pocket|News|Medium|Blog"]),
];
