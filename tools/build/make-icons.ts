import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

const root = join(import.meta.dirname, '../..')

/** A picture for those who take no SVG: phones, feeds, places where pages are shared. */
interface Icon {
  from: string
  to: string
  width: number
  height?: number
}

const icons: readonly Icon[] = [
  { from: 'app/assets/icon-maskable.svg', to: 'apple-touch-icon.png', width: 180 },
  { from: 'app/assets/logo-mark.svg', to: 'icon-192.png', width: 192 },
  { from: 'app/assets/logo-mark.svg', to: 'icon-512.png', width: 512 },
  { from: 'app/assets/icon-maskable.svg', to: 'icon-maskable-512.png', width: 512 },
  { from: 'app/assets/social-card.svg', to: 'social-card.png', width: 1200, height: 630 },
  // Stands for a reading's picture until there is one (domain/resource-form/fields.ts).
  { from: 'app/assets/reading-placeholder.svg', to: 'reading-placeholder.png', width: 1600, height: 900 },
  // Podcast directories ask for a square of 1400 to 3000 px.
  { from: 'content/show-art.svg', to: 'podcast-cover.png', width: 3000 },
]

/** Draws the pictures from their SVGs into the built site. */
async function makeIcons(folder: string): Promise<void> {
  for (const { from, to, width, height = width } of icons) {
    await writeFile(join(folder, to), await draw(from, width, height))
  }
  await writeFile(join(folder, 'favicon.ico'), icoFile(await draw('app/assets/logo-mark.svg', 32, 32), 32))
}

/** A palette makes flat art a third as large, and nobody can tell. */
async function draw(svg: string, width: number, height: number): Promise<Buffer> {
  return sharp(await readFile(join(root, svg)), { limitInputPixels: false, density: 300 })
    .resize(width, height)
    .png({ palette: true, quality: 92, effort: 8 })
    .toBuffer()
}

/** The container that old browsers and feed readers ask for by name: a header of 22 bytes and a PNG. */
function icoFile(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2) // an icon
  header.writeUInt16LE(1, 4) // with one picture
  header.writeUInt8(size, 6)
  header.writeUInt8(size, 7)
  header.writeUInt16LE(1, 10) // colour planes
  header.writeUInt16LE(32, 12) // bits a pixel
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(header.length, 18)
  return Buffer.concat([header, png])
}

await makeIcons(join(root, 'build/client'))
