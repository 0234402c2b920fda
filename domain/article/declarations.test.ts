import { describe, expect, it, test } from 'vitest'
import { filterStyle } from './css.ts'

const asText = (colour: string) =>
  `color:light-dark(oklch(from ${colour} min(l,.53) c h/1),oklch(from ${colour} max(l,.75) c h/1))`
const filled = (colour: string) =>
  `background-color:${colour};--link:currentcolor;color:oklch(from ${colour} clamp(.2,(.65 - l)*999,.98) 0 h)`

test.each([
  'black',
  'White',
  'windowtext',
  '#000',
  '#000000',
  '#333',
  '#fefefe',
  '#1a1a1a',
  '#0d1117',
  'rgb(0,0,0)',
  'rgba(0, 0, 0, .87)',
  'rgb(10% 10% 10%)',
  'hsl(0, 0%, 20%)',
  'gray',
  'inherit',
  'auto',
  'transparent',
])('text in %s takes the colour of the theme', (colour) => expect(filterStyle(`color: ${colour}`)).toBe(''))

test.each(['red', '#1F3763', '#c00', '#ff000080', 'rgb(200 30 30)', 'hsl(210,60%,40%)', 'oklch(.5 .1 20)'])(
  'text in %s keeps its hue with a lightness for each theme',
  (colour) => {
    const once = filterStyle(`color:${colour}`)
    expect(once).toBe(asText(colour))
    expect(filterStyle(once)).toBe(once)
  },
)

test.each([
  'white',
  '#fff',
  '#F2F2F2',
  'black',
  'windowtext',
  'none',
  'transparent',
  'rgba(255,0,0,.2)',
  '#ff000033',
])('a background of %s is dropped', (colour) => {
  expect(filterStyle(`background: ${colour}`)).toBe('')
  expect(filterStyle(`background-color: ${colour}`)).toBe('')
})

describe('a box filled with a colour', () => {
  it.each(['yellow', '#D9E2F3', 'rgb(255,230,150)'])(
    'of %s brings the ink that can be read on it',
    (colour) => {
      const once = filterStyle(`background:${colour};mso-highlight:${colour}`)
      expect(once).toBe(filled(colour))
      expect(filterStyle(once)).toBe(once)
    },
  )

  it('keeps the text colour that its author chose with it, even white', () => {
    const kept = 'background-color:#4472C4;--link:currentcolor;color:white'
    expect(filterStyle('color:white;background:#4472C4')).toBe(kept)
    expect(filterStyle(kept)).toBe(kept)
  })

  it('brings its ink to the links in it, but lets nobody set that otherwise', () => {
    expect(filterStyle('background: yellow; --link: url(a)')).toBe(filled('yellow'))
    expect(filterStyle('--link: red; margin: 0')).toBe('margin:0')
  })

  it.each(['inherit', 'windowtext', 'light-dark(red,blue)'])(
    'does not take %s for such a choice',
    (colour) => {
      expect(filterStyle(`background:yellow;color:${colour}`)).toBe(filled('yellow'))
    },
  )
})

test.each([
  'light-dark(red,blue)',
  'oklch(from red l c h)',
  'color-mix(in srgb, red, blue)',
  'rgb(from red r g b)',
  'red blue',
])('text in %s, which is no plain colour, takes the colour of the theme', (colour) =>
  expect(filterStyle(`color: ${colour}`)).toBe(''),
)

test('grey borders take the colour of the text, coloured ones keep theirs', () => {
  expect(filterStyle('border: 1pt solid black; border-top-color: #c00')).toBe(
    'border:1pt solid currentcolor;border-top-color:#c00',
  )
})
