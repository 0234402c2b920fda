/** What a listener can ask a player for, by button, key or lock screen. Seconds. */
export type Command =
  | { kind: 'play' }
  | { kind: 'pause' }
  | { kind: 'toggle' }
  | { kind: 'restart' }
  | { kind: 'skip'; by: number }
  | { kind: 'seek'; to: number }

/** How far the skip buttons go (specification, section 9). */
export const skipStep = 15
const smallStep = 5

export const toggle: Command = { kind: 'toggle' }
export const restart: Command = { kind: 'restart' }
export const back: Command = { kind: 'skip', by: -skipStep }
export const forward: Command = { kind: 'skip', by: skipStep }

/** What has the focus inside a player. A menu keeps all its keys, a button keeps Space and Enter. */
export type Focused = 'bar' | 'button' | 'menu'

const everywhere = new Map<string, Command>([
  ['k', toggle],
  ['j', back],
  ['l', forward],
  ['arrowleft', { kind: 'skip', by: -smallStep }],
  ['arrowright', { kind: 'skip', by: smallStep }],
])

const onTheBar = new Map<string, Command>([
  [' ', toggle],
  ['arrowdown', { kind: 'skip', by: -smallStep }],
  ['arrowup', { kind: 'skip', by: smallStep }],
  ['pagedown', back],
  ['pageup', forward],
  ['home', { kind: 'seek', to: 0 }],
  ['end', { kind: 'seek', to: Number.POSITIVE_INFINITY }],
])

/** The command a key stands for, or undefined when the key belongs to the page or the browser. */
export function commandForKey(key: string, focused: Focused): Command | undefined {
  if (focused === 'menu') return undefined
  const name = key.toLowerCase()
  return everywhere.get(name) ?? (focused === 'bar' ? onTheBar.get(name) : undefined)
}
