import { randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startServer } from '#tests/support/server-process.ts'
import { startSupabaseLite } from '#tests/support/supabase-lite.ts'

let project: Awaited<ReturnType<typeof startSupabaseLite>>
let site: ServerProcess
beforeAll(async () => {
  project = await startSupabaseLite()
  site = await startServer({
    env: {
      SUPABASE_URL: project.url,
      SUPABASE_PUBLISHABLE_KEY: project.keys.publishable,
      SUPABASE_SECRET_KEY: project.keys.secret,
    },
  })
}, 120_000)
afterAll(async () => {
  await site?.remove()
  await project?.stop()
})

const clientWith = (key: string) =>
  createClient(project.url, key, { auth: { persistSession: false, autoRefreshToken: false } })
const asService = () => clientWith(project.keys.secret)
const page = async (path: string) => (await fetch(site.url + path)).text()
const publish = async (fields: object) => {
  const row = { id: randomUUID(), description: 'New', category: 'reading', ...fields }
  const { error } = await asService().from('resources').insert(row)
  expect(error).toBeNull()
  return row.id
}

describe('the site against a project of @supabase/lite', { timeout: 60_000 }, () => {
  it('lists, searches and shows what is public, and follows what is published', async () => {
    expect(await page('/resources/reading')).toContain('Coming Soon')
    const title = `A walk in the woods ${randomUUID()}`
    const id = await publish({
      title,
      article_content: Buffer.from('<p>Leaves and words.</p>').toString('base64'),
    })
    await publish({ title: 'Only for members', public: false })
    await expect.poll(() => page('/resources/reading'), { timeout: 20_000 }).toContain(title)
    expect(await page('/resources?q=woods')).toContain(title)
    expect(await page('/resources')).not.toContain('Only for members')
    expect(await page(`/resource/${id}`)).toContain('Leaves and words.')
  })

  it('allows browsers that project, and no other', async () => {
    const answer = await fetch(`${site.url}/about`)
    const policy = answer.headers.get('content-security-policy')
    expect(policy).toContain(`connect-src 'self' ${project.url} ${project.url.replace('http', 'ws')};`)
    const preflight = await fetch(`${project.url}/rest/v1/resources`, {
      method: 'OPTIONS',
      headers: {
        origin: site.url,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'apikey,authorization',
      },
    })
    expect([preflight.ok, preflight.headers.get('access-control-allow-origin')]).toEqual([
      true,
      expect.stringMatching(/^\*$|^http:\/\/127/),
    ])
  })

  it('signs a member up and in, shows what is private, and saves', async () => {
    const hidden = await publish({ title: 'Private', public: false })
    const member = clientWith(project.keys.publishable)
    const account = { email: `${randomUUID()}@example.org`, password: 'correct-horse-9' }
    expect((await member.auth.signUp(account)).error).toBeNull()
    expect((await member.auth.signInWithPassword(account)).error).toBeNull()
    expect((await member.from('resources').select('title').eq('id', hidden).single()).data).toEqual({
      title: 'Private',
    })
    expect((await member.rpc('save_resource', { resource_id: hidden })).data).toEqual([hidden])
    const { data: profile } = await member.from('users').select('email,role,savedResources').single()
    expect(profile).toEqual({ email: account.email, role: 'member', savedResources: [hidden] })
    const { error } = await member.from('resources').delete().eq('id', hidden)
    expect(error).toBeNull()
    expect((await asService().from('resources').select('id').eq('id', hidden)).data).toHaveLength(1)
  })
})
