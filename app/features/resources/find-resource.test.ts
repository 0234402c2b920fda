import { describe, expect, it } from 'vitest'
import { serverLibrary } from '#app/session/client/library.ts'
import { findResource } from './find-resource.ts'
import { LibraryFailed } from './library.ts'

const id = '3f0c6b0e-7a55-4d0a-9d6f-0d8f1a2b3c4d'

function recorded(answer: () => Response) {
  const asked: URL[] = []
  const settings = {
    siteUrl: '',
    apiUrl: '',
    publishableKey: 'k',
    contactEmail: '',
    earlyAccess: true,
    backups: 'nightly' as const,
  }
  const fetch = async (input: RequestInfo | URL) => {
    asked.push(new URL(String(input)))
    return answer()
  }
  return { asked, library: serverLibrary({ settings, api: { url: 'https://site.example', fetch } }) }
}

describe('findResource', () => {
  it('asks for the public row with its body', async () => {
    const { asked, library } = recorded(() => Response.json([{ id }]))
    expect(await findResource(library, id)).toEqual({ id })
    const search = asked[0]?.searchParams
    expect(search?.get('id')).toBe(`eq.${id}`)
    expect(search?.get('public')).toBe('eq.true')
    expect(search?.get('select')).toContain('article_content')
  })

  it('gives null when there is no such row', async () => {
    const { library } = recorded(() => Response.json([]))
    expect(await findResource(library, id)).toBeNull()
  })

  it.each(['', 'new', '1', `${id}0`, `{${id}}`, "' or 1=1", '../users', '%00'])(
    'does not ask the database for %j',
    async (hostile) => {
      const { asked, library } = recorded(() => Response.json([{ id }]))
      expect(await findResource(library, hostile)).toBeNull()
      expect(asked).toEqual([])
    },
  )

  it('fails when the API does', async () => {
    const { library } = recorded(() => Response.json({ message: 'no database' }, { status: 503 }))
    await expect(findResource(library, id)).rejects.toThrow(LibraryFailed)
  })
})
