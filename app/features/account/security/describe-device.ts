// In this order: many browsers also carry the names of those they descend from.
const browsers: readonly [RegExp, string][] = [
  [/\bEdgA?(iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
]
const devices: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'an iPhone'],
  [/\biPad\b/, 'an iPad'],
  [/\bAndroid\b.*\bMobile\b/, 'an Android phone'],
  [/\bAndroid\b/, 'an Android tablet'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'a Mac'],
  [/\bCrOS\b/, 'a Chromebook'],
  [/\bLinux\b/, 'Linux'],
]

const firstOf = (names: readonly [RegExp, string][], text: string) =>
  names.find(([pattern]) => pattern.test(text))?.[1]

/** A browser's own description in plain words: "Firefox on Windows". */
export function describeDevice(userAgent: string | null): string {
  const browser = firstOf(browsers, userAgent ?? '')
  const device = firstOf(devices, userAgent ?? '')
  if (!browser) return device ? `An app on ${device}` : 'An unknown device'
  return device ? `${browser} on ${device}` : browser
}

/** Whether it is held in the hand. */
export const isHandheld = (userAgent: string | null): boolean => /iPhone|iPad|Android/.test(userAgent ?? '')
