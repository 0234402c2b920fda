/**
 * Lets what is seen come before what it is brought to life with. A page's scripts are named first in its head, and
 * browsers fetch them as urgently as its style sheets, which then wait in line behind them. React Router offers no word
 * in this.
 */
export const scriptsLast = (html: string): string =>
  html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"')
