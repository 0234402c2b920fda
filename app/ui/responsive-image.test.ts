import { expect, it } from 'vitest'
import { imageSrcSet } from './responsive-image.tsx'

const own = '/storage/v1/object/public/images/resource-images/a%20b.webp'

it.each([
  [own, '/storage/v1/render/image/public/images/resource-images/a%20b.webp'],
  [
    `https://db.example${own}`,
    'https://db.example/storage/v1/render/image/public/images/resource-images/a%20b.webp',
  ],
])('%s comes in seven widths', (address, rendered) => {
  expect(imageSrcSet(address)?.split(',')).toEqual(
    [160, 320, 480, 640, 960, 1280, 1600].map(
      (width) => `${rendered}?width=${width}&resize=contain ${width}w`,
    ),
  )
})

it.each([
  '/storage/v1/object/public/images/drawing.svg',
  '/storage/v1/object/public/images/moving.GIF',
  '/storage/v1/object/public/images/with,comma.png',
  '/storage/v1/object/public/images/a.png?download',
  '/storage/v1/object/public/',
  '/logo.png',
  'https://elsewhere.example/a.webp',
  'data:image/png;base64,AA==',
  '',
])('%s is shown as it is', (address) => {
  expect(imageSrcSet(address)).toBeUndefined()
})
