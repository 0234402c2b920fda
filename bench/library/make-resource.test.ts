import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseGrade } from '#domain/grade.ts'
import { isCategory } from '#domain/resource.ts'
import { makeResource } from './open-library.ts'

const library = Array.from({ length: 2000 }, (_, n) => makeResource(n))
const share = (holds: (resource: (typeof library)[number]) => boolean) =>
  library.filter(holds).length / library.length

describe('the made-up library', () => {
  it('is the same on every machine and in every run', () => {
    const digest = createHash('sha256').update(JSON.stringify(library)).digest('hex')
    expect(digest.slice(0, 16)).toBe('127b6723c97e59be')
  })

  it('gives each place its resource, whatever was made before', () => {
    expect(makeResource(1234)).toEqual(library[1234])
    expect(new Set(library.map(({ id }) => id)).size).toBe(library.length)
    expect(new Set(library.map(({ title }) => title)).size).toBe(library.length)
  })

  it('holds what the site could hold', () => {
    for (const resource of library) {
      expect(isCategory(resource.category)).toBe(true)
      expect(parseGrade(resource.grade ?? '')).not.toHaveProperty('error')
      expect(resource.title.length).toBeLessThanOrEqual(300)
      expect(resource.description.length).toBeLessThanOrEqual(2000)
    }
  })

  it('is spread as a library is: words common and rare, few featured, some private', () => {
    const says = (word: string) => share(({ title, description }) => `${title} ${description}`.includes(word))
    expect(says('friendship')).toBeGreaterThan(0.1)
    expect(says('volunteering')).toBeLessThan(0.02)
    expect(share(({ public: isPublic }) => isPublic)).toBeCloseTo(7 / 8, 1)
    expect(share(({ featured }) => featured)).toBeLessThan(0.01)
    expect(share(({ location }) => location !== null)).toBeCloseTo(0.25, 1)
  })
})
