import type { Catalogue } from "../catalogue.js";

export const deletion: Catalogue["deletion"] = {
  button: "מחיקה…",
  title: "למחוק את מה שנמצא?",
  allTime: "מכל הזמנים, לא רק: {period}",
  allHosts: "מכל המחשבים, לא רק: {host}",
  nothing: "לא שמור דבר שהמסנן מוצא.",
  what: {
    one: "אירוע {count} באורך {length}, מ־{first} עד {last}, יימחק:",
    two: "{count} אירועים באורך {length}, מ־{first} עד {last}, יימחקו:",
    other: "{count} אירועים באורך {length}, מ־{first} עד {last}, יימחקו:",
  },
  whatOfSeveral: {
    one: "אירוע {count}, מ־{first} עד {last}, יימחק:",
    two: "{count} אירועים, מ־{first} עד {last}, יימחקו:",
    other: "{count} אירועים, מ־{first} עד {last}, יימחקו:",
  },
  shownTime: "בדף מופיעים {active}: זמן שבו מישהו היה ליד המחשב, ללא חפיפות.",
  unseen: {
    one: "אירוע {count} מהם אינו ברשימה: איש לא היה ליד המחשב.",
    two: "{count} אירועים מהם אינם ברשימה: איש לא היה ליד המחשב.",
    other: "{count} אירועים מהם אינם ברשימה: איש לא היה ליד המחשב.",
  },
  inBucket: {
    one: "אירוע {count} במאגר {bucket}",
    two: "{count} אירועים במאגר {bucket}",
    other: "{count} אירועים במאגר {bucket}",
  },
  whole: "אירועים שמתחילים קודם או מסתיימים אחר כך נמחקים בשלמותם.",
  confirm: { one: "מחיקת האירוע", two: "מחיקת {count} אירועים", other: "מחיקת {count} אירועים" },
  confirmForGood: {
    one: "מחיקת האירוע לצמיתות",
    two: "מחיקת {count} אירועים לצמיתות",
    other: "מחיקת {count} אירועים לצמיתות",
  },
  done: {
    one: "אירוע {count} הועבר לאשפה.",
    two: "{count} אירועים הועברו לאשפה.",
    other: "{count} אירועים הועברו לאשפה.",
  },
  doneForGood: {
    one: "אירוע {count} נמחק לצמיתות.",
    two: "{count} אירועים נמחקו לצמיתות.",
    other: "{count} אירועים נמחקו לצמיתות.",
  },
};
