/** The day it is where the clock stands, yyyy-mm-dd: an admin's own today, which may not be London's. */
export const localDate = (now: Date) =>
  [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
