import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** The facts of one resource, as an owner writes them into resource.json. */
const ResourceFacts = z.object({
  id: z.uuid(),
  title: z.string().min(1),
  description: z.string().min(1),
  date: z.iso.date(),
  grade: z.string(),
  gender: z.enum(['all', 'male', 'female', 'other']),
  location: z.string().nullable(),
  public: z.boolean(),
  featured: z.boolean(),
  imageAlt: z.string().optional(),
})

export interface StarterReading {
  category: 'reading'
  slug: string
  facts: z.infer<typeof ResourceFacts>
  html: string
  picture: Uint8Array
}

export interface StarterPodcast {
  category: 'podcast'
  slug: string
  facts: z.infer<typeof ResourceFacts>
  audio: Uint8Array
}

export type StarterResource = StarterReading | StarterPodcast

/** Reads the starter library from its folder. Errors: a missing file, or facts that do not fit, with the file's name. */
export async function readLibrary(folder: string): Promise<StarterResource[]> {
  const readings = await eachFolder(join(folder, 'readings'), async (path, slug) => ({
    category: 'reading' as const,
    slug,
    facts: await readFacts(path),
    html: await readFile(join(path, 'article.html'), 'utf8'),
    picture: await readFile(join(path, 'picture.svg')),
  }))
  const podcasts = await eachFolder(join(folder, 'podcasts'), async (path, slug) => ({
    category: 'podcast' as const,
    slug,
    facts: await readFacts(path),
    audio: await readFile(join(path, 'episode.mp3')),
  }))
  return [...readings, ...podcasts]
}

async function eachFolder<T>(folder: string, read: (path: string, name: string) => Promise<T>): Promise<T[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return Promise.all(
    entries.filter((entry) => entry.isDirectory()).map(({ name }) => read(join(folder, name), name)),
  )
}

async function readFacts(path: string) {
  const file = join(path, 'resource.json')
  const facts = ResourceFacts.safeParse(JSON.parse(await readFile(file, 'utf8')))
  if (!facts.success) throw new Error(`${file}: ${z.prettifyError(facts.error)}`)
  return facts.data
}
