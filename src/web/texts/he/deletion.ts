import type { Catalogue } from "../catalogue.js";

export const deletion: Catalogue["deletion"] = {
  title: "למחוק את האירועים המתאימים?",
  titleOfTime: "למחוק את האירועים בזמן הזה?",
  allTime: "מכל הזמנים, לא רק: {period}",
  allHosts: "כל המכשירים, לא רק: {host}",
  nothing: "אין אירועים שמורים שמתאימים לסינון.",
  nothingInTime: "אין אירועים בזמן הזה.",
  what: {
    one: "אירוע {count} ({length}), מ־{first} עד {last}, יימחק:",
    two: "{count} אירועים ({length}), מ־{first} עד {last}, יימחקו:",
    other: "{count} אירועים ({length}), מ־{first} עד {last}, יימחקו:",
  },
  whatOfSeveral: {
    one: "אירוע {count}, מ־{first} עד {last}, יימחק:",
    two: "{count} אירועים, מ־{first} עד {last}, יימחקו:",
    other: "{count} אירועים, מ־{first} עד {last}, יימחקו:",
  },
  shownTime: "ברשימה מופיע זמן פעיל של {active}, ללא חפיפות.",
  unseen: {
    one: "אירוע {count} מהם אינו ברשימה, כי לא היית ליד המכשיר.",
    two: "{count} אירועים מהם אינם ברשימה, כי לא היית ליד המכשיר.",
    other: "{count} אירועים מהם אינם ברשימה, כי לא היית ליד המכשיר.",
  },
  inBucket: {
    one: "אירוע {count} במאגר {bucket}",
    two: "{count} אירועים במאגר {bucket}",
    other: "{count} אירועים במאגר {bucket}",
  },
  whole: "אירועים שמתחילים קודם או מסתיימים אחר כך נמחקים בשלמותם.",
  confirm: {
    one: "מחיקת האירוע",
    two: "מחיקת {count} אירועים",
    other: "מחיקת {count} אירועים",
  },
  confirmForGood: {
    one: "מחיקת האירוע לצמיתות",
    two: "מחיקת {count} אירועים לצמיתות",
    other: "מחיקת {count} אירועים לצמיתות",
  },
  done: {
    one: "אירוע {count} הועבר לאשפה",
    two: "{count} אירועים הועברו לאשפה",
    other: "{count} אירועים הועברו לאשפה",
  },
  doneForGood: {
    one: "אירוע {count} נמחק לצמיתות",
    two: "{count} אירועים נמחקו לצמיתות",
    other: "{count} אירועים נמחקו לצמיתות",
  },
};
