import { describe, expect, it } from 'vitest'
import { type Assertion, personOf } from './assertion.ts'

const asserting = (attributes: Record<string, string[]>, nameId = 'eve'): Assertion => ({
  $: { ID: '_assertion' },
  Issuer: [{ _: 'idp' }],
  Subject: [{ NameID: [{ _: nameId }], SubjectConfirmation: [] }],
  AuthnStatement: [],
  AttributeStatement: [
    {
      Attribute: Object.entries(attributes).map(([Name, values]) => ({
        $: { Name },
        AttributeValue: values.map((_) => ({ _ })),
      })),
    },
  ],
})
const claimsOf = (attributes: Record<string, string[]>, keys: object) =>
  personOf(asserting({ mail: ['e@school.example'], ...attributes }), 'idp', { keys } as never).facts

describe('the mapping of attributes', () => {
  it('takes the first attribute that is there, whatever the case of its name', () => {
    const claims = claimsOf({ CN: ['Eve'] }, { name: { names: ['displayName', 'cn'] } })
    expect(claims).toMatchObject({ name: 'Eve', full_name: 'Eve', custom_claims: { name: 'Eve' } })
  })

  it('takes all values where a list is wanted, and the first otherwise', () => {
    const groups = { groups: ['staff', 'teachers'] }
    expect(claimsOf(groups, { all: { name: 'groups', array: true }, one: { name: 'groups' } })).toMatchObject(
      {
        custom_claims: { all: ['staff', 'teachers'], one: 'staff' },
      },
    )
  })

  it('takes the default where nothing is said, and leaves out what has none', () => {
    expect(claimsOf({}, { plan: { name: 'plan', default: 'free' }, team: { name: 'team' } })).toMatchObject({
      custom_claims: { plan: 'free' },
    })
  })

  it('lets the owner say which attribute is the address', () => {
    const attributes = { mail: ['old@school.example'], upn: ['New@school.example'] }
    const person = personOf(asserting(attributes), 'idp', { keys: { email: { name: 'upn' } } })
    expect(person).toMatchObject({ subject: 'eve', email: 'new@school.example', emailVerified: true })
    expect(person.facts.custom_claims).toBeUndefined()
  })

  it('prefers a subject identifier to the name', () => {
    const id = 'urn:oasis:names:tc:SAML:attribute:subject-id'
    expect(personOf(asserting({ [id]: ['s-1'], mail: ['e@school.example'] }), 'idp', {}).subject).toBe('s-1')
  })
})
