import type { Catalogue } from "../catalogue.js";

export const trash: Catalogue["trash"] = {
  intro: "נתונים שנמחקו נשארים כאן עד שיפוג תוקפם. הם עדיין תופסים מקום בדיסק.",
  empty: "האשפה ריקה.",
  emptyNow: "ריקון האשפה…",
  emptyAll: "לרוקן את האשפה?",
  restore: "שחזור",
  restoreOf: "שחזור {name}",
  merge: "שחזור אל המאגר הקיים",
  remove: "מחיקה לצמיתות…",
  removeOne: "למחוק לצמיתות?",
  removeAction: "מחיקה לצמיתות",
  removeOf: "מחיקה לצמיתות: {name}",
  forGood: "לא ניתן יהיה לשחזר. גיבויים קודמים עדיין יכילו זאת.",
  pastTrash: "מחיקה לצמיתות",
  keptInTrash: "נתונים שנמחקו נשארים באשפה, בדרך כלל 30 ימים.",
  list: "פריטים",
  sum: {
    one: "פריט אחד, {bytes}",
    two: "שני פריטים, {bytes}",
    other: "{count} פריטים, {bytes}",
  },
  restored: {
    one: "אירוע {count} שוחזר אל {ids}",
    two: "{count} אירועים שוחזרו אל {ids}",
    other: "{count} אירועים שוחזרו אל {ids}",
  },
  removed: "נמחק לצמיתות",
  size: "גודל",
  deleted: "נמחק",
  reason: "סיבה",
  bucketDeleted: "המאגר נמחק",
};
