import { useState } from 'react'
import { parseGrade } from '#domain/grade.ts'
import type { FieldName, ResourceFields } from '#domain/resource-form/fields.ts'
import { findProblems, type Problems } from '#domain/resource-form/problems.ts'

type Change = Partial<ResourceFields>

/** What a field needs to know of the form. */
export interface FieldsApi {
  fields: ResourceFields
  set(change: Change | ((now: ResourceFields) => Change)): void
  /** The admin went on to another field. */
  leave(name: FieldName): void
  /** What is wrong with the fields that the admin has been to. */
  problems: Problems
}

/** The state of the fields, and which of them the admin has been to. */
export function useFields(start: ResourceFields) {
  const [fields, setFields] = useState(start)
  const [visited, setVisited] = useState<ReadonlySet<FieldName>>(new Set())
  const [generation, setGeneration] = useState(0)

  const set: FieldsApi['set'] = (change) =>
    setFields((before) => ({ ...before, ...(typeof change === 'function' ? change(before) : change) }))
  return {
    fields,
    set,
    leave(name: FieldName) {
      if (name === 'grade') set({ grade: readableGrade(fields.grade) })
      afterPress(() => setVisited((before) => new Set(before).add(name)))
    },
    problems: shownProblems(fields, visited),
    /** Another form takes the place of this one. */
    replace(next: ResourceFields) {
      setFields(next)
      setVisited(new Set())
      setGeneration((before) => before + 1)
    },
    visitAll: () => setVisited(new Set(Object.keys(fields) as FieldName[])),
    /** Changes with each form that takes the place of another, so that fields do not take that for typing. */
    generation,
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

let isDown = false

if (typeof window !== 'undefined') {
  const follow = (event: string, down: boolean) =>
    addEventListener(
      event,
      () => {
        isDown = down
      },
      { capture: true, passive: true },
    )
  follow('pointerdown', true)
  follow('pointerup', false)
  follow('pointercancel', false)
}

/**
 * Runs at once, or when the finger or mouse button that is down has been lifted and its click has arrived: what appears
 * while a button is pressed can move it away from under the pointer, and then it was never clicked.
 */
function afterPress(run: () => void): void {
  if (isDown) addEventListener('pointerup', () => setTimeout(run), { once: true })
  else run()
}
