import { useState } from 'react'
import type { Category } from '#domain/category.ts'
import { parseGrade } from '#domain/grade.ts'
import {
  changedFields,
  defaultFields,
  type FieldName,
  type ResourceFields,
} from '#domain/resource-form/fields.ts'
import { findProblems, type Problems } from '#domain/resource-form/problems.ts'
import { afterPress } from './after-press.ts'

/** What a field needs to know of the form. */
export interface FieldsApi {
  fields: ResourceFields
  set(change: Partial<ResourceFields>): void
  /** The admin went on to another field. */
  leave(name: FieldName): void
  /** What is wrong with the fields that the admin has been to. */
  problems: Problems
}

/** The state of the fields, and since when: `fields` against what they were loaded as, or began with. */
export function useFields(start: ResourceFields) {
  const [fields, setFields] = useState(start)
  const [visited, setVisited] = useState<ReadonlySet<FieldName>>(new Set())
  const [setAside, putAside] = useState<ResourceFields | null>(null)
  const [generation, setGeneration] = useState(0)

  const set = (change: Partial<ResourceFields>) => setFields((before) => ({ ...before, ...change }))
  const replace = (next: ResourceFields) => {
    setFields(next)
    setVisited(new Set())
    putAside(null)
    setGeneration((before) => before + 1)
  }
  const visitAll = () => setVisited(new Set(Object.keys(fields) as FieldName[]))
  const leave = (name: FieldName) => {
    if (name === 'grade') set({ grade: readableGrade(fields.grade) })
    afterPress(() => setVisited((before) => new Set(before).add(name)))
  }

  /** Begins anew with the category's defaults; the day stays (specification, section 4). What was typed can come back. */
  const chooseCategory = (category: Category) => {
    const isUntouched = changedFields(fields, defaultFields(fields.category, fields.date)).length === 0
    replace(defaultFields(category, fields.date))
    putAside(isUntouched ? null : fields)
  }
  return {
    fields,
    set,
    leave,
    problems: shownProblems(fields, visited),
    replace,
    visitAll,
    chooseCategory,
    /** What was typed before the category was changed. */
    setAside,
    /** Changes with each form that takes the place of another, so that fields do not take that for typing. */
    generation,
    bringBack: () => setAside && replace(setAside),
  }
}

/** A grade is checked with every letter (section 5), the others once the admin has been there. */
function shownProblems(fields: ResourceFields, visited: ReadonlySet<FieldName>): Problems {
  const isShown = (name: string) => name === 'grade' || visited.has(name as FieldName)
  return Object.fromEntries(Object.entries(findProblems(fields)).filter(([name]) => isShown(name)))
}

/** As it will be saved: empty becomes K-12 (section 5). What cannot be read stays as it was typed. */
export function readableGrade(typed: string): string {
  const parsed = parseGrade(typed)
  return 'text' in parsed ? parsed.text : typed
}
