import { expect, it } from 'vitest'
import { describeDevice, isHandheld } from './sessions.tsx'

const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)'

it.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Windows'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${blink} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0) ${blink} Chrome/140.0.0.0 Safari/537.36 Edg/140.0`, 'Edge on Windows'],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/18.0 Safari/605.1.15`,
    'Safari on a Mac',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webkit} Version/18.0 Mobile/15E148 Safari/604.1`,
    'Safari on an iPhone',
  ],
  [
    `Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) ${webkit} CriOS/140.0 Mobile/15E148 Safari/604.1`,
    'Chrome on an iPad',
  ],
  [
    `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${blink} Chrome/140.0.0.0 Mobile Safari/537.36`,
    'Chrome on an Android phone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 15; SM-S931B) ${blink} SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36`,
    'Samsung Internet on an Android phone',
  ],
  ['okhttp/4.12 (Linux; Android 14; Mobile)', 'An app on an Android phone'],
  ['curl/8.0', 'An unknown device'],
  ['', 'An unknown device'],
  [null, 'An unknown device'],
])('%j is %s', (userAgent, words) => {
  expect(describeDevice(userAgent)).toBe(words)
})

it('tells phones and tablets from computers', () => {
  expect(isHandheld('Mozilla/5.0 (iPad; CPU OS 18_0)')).toBe(true)
  expect(isHandheld('Mozilla/5.0 (Windows NT 10.0)')).toBe(false)
})
