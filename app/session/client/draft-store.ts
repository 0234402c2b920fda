import { type Draft, readDraft } from '#domain/resource-form/draft.ts'

/*
 * Where a browser keeps what an admin has not saved yet (docs/decisions): in IndexedDB, which has room for pictures within
 * articles and survives a crash. Bodies are stored apart from the other fields, so that a letter in the title does not
 * write megabytes. A page that is being closed cannot wait for IndexedDB: what is still on its way then goes, at once, to
 * local storage, and from there to its place when drafts are looked for the next time.
 */

const DATABASE = 'walking-together-drafts'
const DRAFTS = 'drafts'
const BODIES = 'bodies'
const BY_MEMBER = 'member'
const lastWords = 'resource-draft:'

/** Which of the two bodies of a draft have to be written. */
export interface ChangedBodies {
  mine: boolean
  base: boolean
}

/** Keeps a draft. Rejects where that is not possible: storage is full or forbidden. */
export async function putDraft(draft: Draft, changed: ChangedBodies): Promise<void> {
  const { fields, base, key } = draft
  const write = await begin('readwrite')
  write.store(DRAFTS).put({
    ...draft,
    fields: { ...fields, article: '' },
    base: base && { ...base, article: '' },
  })
  if (changed.mine) write.store(BODIES).put(fields.article, [key, 'mine'])
  if (changed.base) write.store(BODIES).put(base?.article ?? '', [key, 'base'])
  await write.done()
  forgetLastWords(draft)
}

/** Keeps what cannot wait, while the page is being closed. Returns false where there is no room for it. */
export function putLastWords(draft: Draft, changed: ChangedBodies): boolean {
  const { fields, base } = draft
  const kept = {
    ...draft,
    changed,
    fields: { ...fields, article: changed.mine ? fields.article : '' },
    base: base && { ...base, article: changed.base ? base.article : '' },
  }
  try {
    localStorage.setItem(lastWordsKey(draft), JSON.stringify(kept))
    return true
  } catch {
    return false
  }
}

/** The member's drafts in this browser, the newest first. Nothing where nothing may be stored. */
export async function findDrafts(member: string): Promise<Draft[]> {
  try {
    await takeOverLastWords(member)
    const read = await begin('readonly')
    const rows = await read.answer(read.store(DRAFTS).index(BY_MEMBER).getAll(member))
    const found = await Promise.all(rows.map((row) => withBodies(read, row)))
    const drafts = found.map((draft) => readDraft(draft, Date.now()))
    const outdated = rows.filter((_, index) => drafts[index] === null)
    await Promise.all(outdated.map(({ key }) => dropDraft({ key, member })))
    return drafts.filter((draft) => draft !== null).sort((a, b) => b.savedAt - a.savedAt)
  } catch (error) {
    console.warn('Unsaved changes cannot be kept here:', error)
    return []
  }
}

/** Forgets a draft: it was saved, or discarded. */
export async function dropDraft(draft: Pick<Draft, 'key' | 'member'>): Promise<void> {
  forgetLastWords(draft)
  const write = await begin('readwrite').catch(() => null)
  if (!write) return
  write.store(DRAFTS).delete(draft.key)
  write.store(BODIES).delete(IDBKeyRange.bound([draft.key], [draft.key, []]))
  await write.done()
}

/** Forgets all drafts of an account: it is deleted, or whoever used this computer leaves nothing behind. */
export async function dropDraftsOf(member: string): Promise<void> {
  const drafts = await findDrafts(member)
  await Promise.all(drafts.map(dropDraft))
}

/** Whether a draft is being edited in some tab, this one included. Browsers tell on https and localhost only. */
export async function isDraftOpen(key: string): Promise<boolean> {
  const { held } = (await navigator.locks?.query()) ?? {}
  return held?.some(({ name }) => name === lockName(key)) ?? false
}

/** Marks a draft as being edited here, until the page is gone or the returned function is called. */
export function markDraftOpen(key: string): () => void {
  const ended = new AbortController()
  const whileOpen = () => new Promise<void>((end) => ended.signal.addEventListener('abort', () => end()))
  navigator.locks
    ?.request(lockName(key), { signal: ended.signal, mode: 'shared' }, whileOpen)
    .catch(() => undefined)
  return () => ended.abort()
}

/** Resolves when no tab edits it any more; never, where browsers do not tell. @param signal when nobody waits any longer */
export function draftClosed(key: string, signal: AbortSignal): Promise<void> {
  const closed = navigator.locks?.request(lockName(key), { signal }, () => undefined)
  return closed ?? new Promise(() => undefined)
}

const lockName = (key: string) => `resource-draft ${key}`

type StoredDraft = { key: string; fields: object; base: object | null }

interface Access {
  store(name: string): IDBObjectStore
  answer<Value>(request: IDBRequest<Value>): Promise<Value>
  /** Resolves once everything is on the disk. */
  done(): Promise<void>
}

async function begin(mode: IDBTransactionMode): Promise<Access> {
  const transaction = (await open()).transaction([DRAFTS, BODIES], mode, { durability: 'strict' })
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('The transaction was aborted.'))
  })
  // Whoever only reads does not wait for it.
  done.catch(() => undefined)
  return {
    store: (name) => transaction.objectStore(name),
    answer,
    done: () => done,
  }
}

const answer = <Value>(request: IDBRequest<Value>) =>
  new Promise<Value>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

let opening: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opening ??= openAnew().catch((error) => {
    opening = undefined
    throw error
  })
  return opening
}

async function openAnew(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.onupgradeneeded = () => {
    request.result.createObjectStore(DRAFTS, { keyPath: 'key' }).createIndex(BY_MEMBER, 'member')
    request.result.createObjectStore(BODIES)
  }
  const database = await answer(request)
  // The browser closes it when its data are cleared: the next call opens a new one.
  const forget = () => {
    opening = undefined
  }
  database.onclose = forget
  database.onversionchange = () => {
    database.close()
    forget()
  }
  return database
}

async function withBodies(read: Access, row: StoredDraft): Promise<object> {
  const body = (whose: string) => read.answer(read.store(BODIES).get([row.key, whose]))
  const [mine, base] = await Promise.all([body('mine'), body('base')])
  return {
    ...row,
    fields: { ...row.fields, article: mine ?? '' },
    base: row.base && { ...row.base, article: base ?? '' },
  }
}

const lastWordsKey = ({ member, key }: Pick<Draft, 'member' | 'key'>) => `${lastWords}${member}:${key}`

function forgetLastWords(draft: Pick<Draft, 'member' | 'key'>): void {
  try {
    localStorage.removeItem(lastWordsKey(draft))
  } catch {
    // Where nothing may be stored there is nothing to forget.
  }
}

/** Brings what a closing page left in local storage to its place. */
async function takeOverLastWords(member: string): Promise<void> {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(`${lastWords}${member}:`))
  for (const name of names) {
    const stored = parse(localStorage.getItem(name))
    const draft = readDraft(stored, Date.now())
    if (draft?.member === member) await putIfNewer(draft, readChanged(stored))
    else localStorage.removeItem(name)
  }
}

async function putIfNewer(draft: Draft, changed: ChangedBodies): Promise<void> {
  const read = await begin('readonly')
  const before: Draft | undefined = await read.answer(read.store(DRAFTS).get(draft.key))
  if ((before?.savedAt ?? 0) <= draft.savedAt) await putDraft(draft, changed)
  else forgetLastWords(draft)
}

function parse(stored: string | null): unknown {
  try {
    return JSON.parse(stored ?? 'null')
  } catch {
    return null
  }
}

/** Read like all that is stored: what is not as it should be changes no body. */
function readChanged(stored: unknown): ChangedBodies {
  const { changed } = stored as { changed?: Partial<ChangedBodies> }
  return { mine: changed?.mine === true, base: changed?.base === true }
}
