/** Texts of notices about undoable changes. */
export const noticeTexts = {
  undo: "Undo",
  undone: "Undone.",
  close: "Close",
  notUndone: "It could not be undone.",
} as const;
