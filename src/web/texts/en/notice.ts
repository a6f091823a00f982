/** Texts of notices about undoable changes. */
export const noticeTexts = {
  undone: "Undone",
} as const;
