import { expect, it } from 'vitest'
import { ownFile } from './media-uses.ts'

const apiUrl = 'https://db.example'
const file = { bucket: 'images', name: 'resource-images/a b.png' }

it.each([
  ['/storage/v1/object/public/images/resource-images/a%20b.png', file],
  ['https://db.example/storage/v1/object/public/images/resource-images/a%20b.png?v=2', file],
  ['https://other.example/storage/v1/object/public/images/resource-images/a.png', null],
  ['/storage/v1/object/public/images/', null],
  ['/storage/v1/object/public/images/%E0%A4%A.png', null],
  ['/storage/v1/object/images/a.png', null],
  ['/logo.png', null],
  ['', null],
])('the address %s is the file %j of ours', (address, expected) => {
  expect(ownFile(address, apiUrl)).toEqual(expected)
})
