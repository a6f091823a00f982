import type { Catalogue } from "../catalogue.js";

export const timeline: Catalogue["timeline"] = {
  noBuckets: "עדיין אין מאגרים.",
  startWatcher: "הפעלת צופה",
  allHidden: "כל המסלולים מוסתרים.",
  legend: "מקרא צבעים",
  help: "איך נעים בזמן",
  keys: `גרירה, או Shift וגלגלת, כדי לנוע בזמן; Ctrl וגלגלת, או שתי אצבעות, כדי לשנות את התצוגה, ואחרי לחיצה בתוך
  
    המסלולים גם הגלגלת לבדה; לחיצה מקבעת אירוע. מקשים: ← → תנועה, + − הגדלה והקטנה, Home ו־End אל האירוע הראשון
    והאחרון,
    ↑ ↓ בחירת מסלול, Enter מקבע את האירוע שבאמצע. כשבעמודה יש אירועים רבים, הגובה מראה כמה מהזמן הם
    מכסים. מה שהסינון
    משמיט מוצג חיוור.`,
  earlier: "מוקדם יותר",
  later: "מאוחר יותר",
  zoomOut: "הקטנה",
  zoomIn: "הגדלה",
  colorBy: "צבע לפי",
  byCategory: "קטגוריה",
  byKind: "יישום או מצב",
  allHosts: "הצגת כל המכשירים",
  hour: "שעה",
  day: "יום",
  week: "שבוע",
  month: "חודש",
  year: "שנה",
  lanes: "מסלולים: {shown} מתוך {all}",
  hideAll: "הסתרת הכול",
  windows: "חלונות",
  presence: "נוכחות",
  web: "אינטרנט",
  editor: "עורך",
  present: "פעיל",
  away: "לא ליד המכשיר",
  chosen: "האירוע שנבחר",
  open: "פתיחה במאגר",
  zoomTo: "התמקדות באירוע",
  noData: "אין נתונים",
  bin: {
    one: "אירוע אחד, {covered} מתוך {length}; רובו:",
    two: "שני אירועים, {covered} מתוך {length}; רובם:",
    other: "{count} אירועים, {covered} מתוך {length}; רובם:",
  },
  region: "אירועים של {lane} במכשיר {host}",
  table: "האירועים המוצגים כטבלה",
  caption: "האירועים המוצגים של {lane}, מהחדש לישן",
  what: "אירוע",
  nothingInSight: "אין אירועים בטווח המוצג.",
  inSight: {
    one: "אירוע אחד בטווח המוצג:",
    two: "שני אירועים בטווח המוצג:",
    other: "{count} אירועים בטווח המוצג:",
  },
  newestInSight: {
    one: "אירוע אחד בטווח המוצג; {listed} החדשים ביותר:",
    two: "שני אירועים בטווח המוצג; {listed} החדשים ביותר:",
    other: "{count} אירועים בטווח המוצג; {listed} החדשים ביותר:",
  },
};
