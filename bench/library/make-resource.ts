import type { Category } from '#domain/category.ts'
import type { Resource } from '#domain/resource.ts'
import { pick, pickByRank, pickWeighted, type Random, randomFrom } from './random.ts'
import { commonWords, openings, people, places, rareWords, topics } from './words.ts'

/** What the generator fills in; the database's defaults do the rest. */
export type MadeResource = Omit<
  Resource,
  'image_alt' | 'link' | 'lastPlayedPosition' | 'created_at' | 'updated_at'
>

/** Articles beyond this number have no body, so that a library of a million does not fill the disk with them. */
const BODIES = 20_000
const DAYS = 3000
const FIRST_DAY = Date.UTC(2018, 0, 1)
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * The resource in place `n` of every made-up library: the same text, spread and id in each run, so that a small library
 * is the beginning of a large one. One in eight is private, one in 500 featured; text follows the ranks of a language.
 */
export function makeResource(n: number): MadeResource {
  const random = randomFrom(n)
  const category = pickWeighted<Category>(random, {
    reading: 50,
    podcast: 25,
    webinar: 12,
    community: 8,
    session: 5,
  })
  const topic = pickByRank(random, topics)
  const meets = category !== 'reading' && category !== 'podcast'
  return {
    id: `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`,
    title: `${pick(random, openings)} ${topic} with ${pick(random, people)}, part ${n + 1}`,
    description: `${sentence(random, 12)} ${sentence(random, 16)}`,
    category,
    image_url:
      category === 'reading' ? `/storage/v1/object/public/images/resource-images/${n % 40}.webp` : null,
    date: new Date(FIRST_DAY + Math.floor(random() * DAYS) * DAY_MS).toISOString().slice(0, 10),
    grade: pickWeighted(random, { 'K-12': 40, '6-8': 20, '9-12': 20, '6-12': 12, '4-6': 5, '11-12': 3 }),
    gender: pickWeighted(random, { all: 80, female: 9, male: 9, other: 2 }),
    location: meets ? pickByRank(random, places) : null,
    public: random() >= 1 / 8,
    article_content: category === 'reading' && n < BODIES ? body(random) : null,
    audioUrl: category === 'podcast' ? `/storage/v1/object/public/audio/resource-audio/${n % 5}.mp3` : null,
    duration: 30 * (1 + Math.floor(random() * 80)),
    featured: random() < 1 / 500,
  }
}

/** Mostly common words; one in forty is a rare one. */
function sentence(random: Random, words: number): string {
  const said = Array.from({ length: words }, () =>
    pickByRank(random, random() < 1 / 40 ? rareWords : commonWords),
  )
  const text = said.join(' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

const body = (random: Random): string => {
  const paragraphs = Array.from({ length: 12 }, () => `<p>${sentence(random, 30)}</p>`)
  return Buffer.from(paragraphs.join('\n')).toString('base64')
}
