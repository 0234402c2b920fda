import { expect, it } from 'vitest'
import { initialsOf, warmColour } from './member-corner.tsx'

it.each([
  ['Robin Miller', 'RM'],
  ['alex.parent', 'AP'],
  ['Ana María de la Cruz', 'AC'],
  ['robin', 'R'],
  ['  ', '?'],
  ['…', '?'],
  ['élodie', 'É'],
  ['7seas', '7'],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})

const luminance = (colour: string) => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

it('a name keeps its colour, names differ, and white letters can be read on each', () => {
  const colours = new Set(Array.from({ length: 200 }, (_, n) => warmColour(`name ${n}`)))
  expect(warmColour('Robin')).toBe(warmColour('Robin'))
  expect(colours.size).toBeGreaterThan(5)
  for (const colour of colours) expect(1.05 / (luminance(colour) + 0.05)).toBeGreaterThan(4.5)
})
