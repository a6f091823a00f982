/** What is said behind a change that can be undone. */
export const noticeTexts = {
  undo: "Undo",
  undone: "Undone.",
  close: "Close",
  notUndone: "It could not be undone.",
} as const;
