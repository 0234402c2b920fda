/** Whom a resource is for, in the order of the filter's options (specification, section 9). */
export const genders = ['all', 'female', 'male', 'other'] as const

export type Gender = (typeof genders)[number]

/** Whether a text, for example from an address, names a gender. */
export const isGender = (text: unknown): text is Gender => genders.some((gender) => gender === text)

export const genderLabels: Readonly<Record<Gender, string>> = {
  all: 'All',
  female: 'Female',
  male: 'Male',
  other: 'Other',
}

/**
 * The values a resource may have to pass a gender filter: the chosen one or "all" (section 5). A resource
 * without a gender passes none.
 */
export const gendersFor = (chosen: Gender): readonly Gender[] =>
  chosen === 'all' ? ['all'] : [chosen, 'all']

/** Whether a resource of this gender passes the filter. */
export const matchesGender = (resource: string | null, chosen: Gender) =>
  gendersFor(chosen).some((gender) => gender === resource)
