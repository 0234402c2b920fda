import { expect, test } from 'vitest'
import { back, commandForKey, type Focused, forward, toggle } from './player-state.ts'

const skip = (by: number) => ({ kind: 'skip', by })

test.each<[key: string, focused: Focused, command: unknown]>([
  ['k', 'button', toggle],
  ['K', 'bar', toggle],
  ['j', 'button', back],
  ['J', 'bar', back],
  ['l', 'button', forward],
  ['L', 'bar', forward],
  ['ArrowLeft', 'bar', skip(-5)],
  ['ArrowRight', 'bar', skip(5)],
  ['ArrowLeft', 'button', skip(-5)],
  ['ArrowRight', 'button', skip(5)],
  ['ArrowUp', 'bar', skip(5)],
  ['ArrowDown', 'bar', skip(-5)],
  ['PageUp', 'bar', skip(15)],
  ['PageDown', 'bar', skip(-15)],
  ['Home', 'bar', { kind: 'seek', to: 0 }],
  ['End', 'bar', { kind: 'seek', to: Number.POSITIVE_INFINITY }],
  [' ', 'bar', toggle],
])('%j on a %s is a command', (key, focused, command) => {
  expect(commandForKey(key, focused)).toEqual(command)
})

test.each<[key: string, focused: Focused]>([
  [' ', 'button'],
  ['Enter', 'button'],
  ['ArrowUp', 'button'],
  ['ArrowDown', 'button'],
  ['PageDown', 'button'],
  ['Home', 'button'],
  ['k', 'menu'],
  ['ArrowLeft', 'menu'],
  [' ', 'menu'],
  ['Tab', 'bar'],
  ['constructor', 'bar'],
])('%j on a %s is left to the browser', (key, focused) => {
  expect(commandForKey(key, focused)).toBeUndefined()
})
