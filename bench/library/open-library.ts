import { Hono } from 'hono'
import { pino } from 'pino'
import { type Library, serverLibrary } from '#app/session/client/library.ts'
import type { Category, Resource } from '#domain/resource.ts'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open.ts'
import type { Database } from '#server/database/port.ts'
import { createRest } from '#server/rest/index.ts'

const log = pino({ level: 'silent' })
const keys = { publishable: 'sb_publishable_bench', secret: 'sb_secret_bench' }
const siteUrl = 'http://bench.test'
const settings = { schemas: ['public'], maxRows: 1000, aggregates: false, plans: false }

/** A made-up library behind /rest/v1, asked without a socket, as the site's loaders ask. */
export interface OpenLibrary {
  db: Database
  /** The site's own client, as a visitor. */
  library: Library
  /** A request to /rest/v1 as a visitor. */
  ask(path: string): Promise<Response>
  close(): Promise<void>
}

/** In an empty database of a PostgreSQL server. */
export async function openInPostgres(url: string, size: number): Promise<OpenLibrary> {
  const db = await openDatabase({ kind: 'postgres', url }, log)
  await migrate(db, log)
  await loadLibrary(db, size)
  const rest = createRest({ db, keys, settings, log, verifyToken: async () => ({}) })
  const protocols = new Hono().route('/rest/v1', rest)
  const fetchRest: typeof fetch = async (input, init) => protocols.fetch(new Request(input, init))
  const visitor = {
    siteUrl,
    apiUrl: siteUrl,
    publishableKey: keys.publishable,
    contactEmail: '',
    earlyAccess: true,
    backups: 'nightly' as const,
  }
  return {
    db,
    library: serverLibrary({ settings: visitor, api: { url: siteUrl, fetch: fetchRest } }),
    ask: (path) => fetchRest(`${siteUrl}/rest/v1${path}`, { headers: { apikey: keys.publishable } }),
    close: () => db.close(),
  }
}

const BATCH = 2000

const ADD = `insert into public.resources
    (id, title, description, category, image_url, date, grade, gender, location, public, article_content, "audioUrl", duration, featured)
  select id, title, description, category, image_url, date, grade, gender, location, public, article_content, "audioUrl", duration, featured
  from json_populate_recordset(null::public.resources, $1::json)`

const SEARCH_INDEXES = `select indexname as name, indexdef as definition from pg_indexes
  where schemaname = 'public' and tablename = 'resources' and indexdef like '%gin%'`

/**
 * Fills an empty library with the first `size` made-up resources and lets the planner count them. The search indexes
 * are built at the end, from all texts at once, which is several times as fast.
 */
export async function loadLibrary(db: Database, size: number): Promise<void> {
  const owner = <Row>(sql: string, values: string[] = []) =>
    db
      .asOwner('made-up library', (tx) => tx.query<Row>(sql, values), { unlimited: true })
      .then(({ rows }) => rows)
  const indexes = await owner<{ name: string; definition: string }>(SEARCH_INDEXES)
  for (const { name } of indexes) await owner(`drop index public.${name}`)
  for (let first = 0; first < size; first += BATCH) {
    const length = Math.min(BATCH, size - first)
    await owner(ADD, [JSON.stringify(Array.from({ length }, (_, n) => makeResource(first + n)))])
  }
  for (const { definition } of indexes) await owner(definition)
  await owner('analyze public.resources')
}

/** What the generator fills in; the database's defaults do the rest. */
type MadeResource = Omit<Resource, 'image_alt' | 'link' | 'lastPlayedPosition' | 'created_at' | 'updated_at'>

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

/** A stream of numbers in [0, 1) that is the same for the same seed on every machine (mulberry32). */
type Random = () => number

function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One of several, each as likely as the others. */
const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T

/** One of several by weight, e.g. `{ reading: 5, podcast: 2 }`. */
function pickWeighted<Name extends string>(random: Random, weights: Record<Name, number>): Name {
  const entries = Object.entries(weights) as Array<[Name, number]>
  let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [name, weight] of entries) {
    left -= weight
    if (left < 0) return name
  }
  throw new RangeError('a choice needs weights above 0')
}

/** Like words in a language: the one in place n comes up about 1/n as often as the first (Zipf's law). */
const pickByRank = <T>(random: Random, from: readonly T[]): T =>
  from[Math.floor((from.length + 1) ** random()) - 1] as T

/** What resources are about: the first are the commonest. */
const topics =
  `friendship, screen time, sleep, homework, anxiety, social media, bullying, puberty, money, food,
  first phones, gaming, moving house, grief, divorce, siblings, exams, sport, body image, honesty, curfews, chores,
  first love, peer pressure, reading for pleasure, faith, safety online, group chats, allowance, driving lessons,
  stepfamilies, homesickness, procrastination, perfectionism, vaping, summer jobs, college plans, volunteering`
    .split(',')
    .map((topic) => topic.trim())

const openings = [
  'How to talk about',
  'A calm guide to',
  'What teens wish you knew about',
  'Ten questions on',
  'When it is hard to speak about',
  'Walking together through',
  'The first week of',
  'Ask an expert:',
] as const

const people = ['your tween', 'your teen', 'your child', 'both of you', 'the whole family'] as const

const common = `the and to of a your with child about how they for when you can it is talk teens parents time school feel
  what without listen together them help friends first questions more simple small calm week that not home know words
  family trust ask story every day learn begin plan rules fear change evening phone support change honest kind limits
  mood body choices boundary praise mistake patience repair habit worry voice room table walk dinner game night morning
  teacher counsellor coach neighbour grandparent sister brother culture memory future courage grief laughter silence`

const syllables = ['ba', 'do', 'fe', 'gi', 'ku', 'la', 'mo', 'ne', 'pi', 'ru', 'sa', 'ti', 'vo', 'we', 'zu']

/** Names and terms that hardly any text holds, e.g. "Badofemo". */
const rareWords = Array.from({ length: 1000 }, (_, n) => {
  const parts = [n % 15, Math.floor(n / 15) % 15, Math.floor(n / 225) % 15, (n * 7) % 15]
  const word = parts.map((part) => syllables[part]).join('')
  return word.charAt(0).toUpperCase() + word.slice(1)
})

const commonWords = common.split(/\s+/)

const places = Array.from({ length: 40 }, (_, n) => {
  const towns = ['Oakland', 'Fresno', 'Berlin', 'Austin', 'Leeds', 'Toronto', 'Lyon', 'Porto']
  const parts = ['', ' North', ' South', ' Harbour', ' Hills']
  return `${towns[n % 8]}${parts[Math.floor(n / 8)]}`
})
