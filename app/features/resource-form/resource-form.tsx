import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { Navigate } from 'react-router'
import { useReader } from '#app/session/reader.ts'
import { localDate } from '#domain/local-date.ts'
import type { Draft } from '#domain/resource-form/draft.ts'
import { ArticleControl } from './article-control.tsx'
import { AudienceControls } from './audience-controls.tsx'
import { CategoryControl } from './category-control.tsx'
import { ConflictPanel } from './conflict-panel.tsx'
import { DraftOffer } from './draft-offer.tsx'
import type { FormStart } from './find-editable.ts'
import { FormTrouble } from './form-trouble.tsx'
import { MediaControls, type MediaSlots } from './media-controls.tsx'
import { type PreviewOf, PreviewPane } from './preview-pane.tsx'
import { PublishingControls } from './publishing-controls.tsx'
import { SaveBar } from './save-bar.tsx'
import { LongTextControl, TextControl } from './text-control.tsx'
import { useLeaveGuard } from './use-leave-guard.tsx'
import { type ResourceFormApi, useResourceForm } from './use-resource-form.ts'
import type { KnownBasis } from './use-saving.ts'
import './resource-form.css'

interface ResourceFormProps extends MediaSlots {
  /** The id of a resource, or "new": what unsaved changes are kept under. */
  what: string
  start: FormStart
  /** The admin who opened it. */
  member: string
  /** Places that other resources name. */
  locations: readonly string[]
  /** What readers see of a resource, from their own features. */
  Preview: PreviewOf
}

/** Makes a resource or changes one (specification, sections 2, 4 and 5), beside a preview of it. */
export function ResourceForm({ start, what, member, Preview, ...slots }: ResourceFormProps) {
  const form = useResourceForm(start, { member, what })
  const leaveDialog = useLeaveGuard(form.isGuarded, form.isKept)
  const reader = useReader()
  const isLoggedOut = reader.state === 'visitor'
  const isSomebodyElse = reader.state === 'member' && reader.member.id !== member
  const { setTrouble } = form
  useEffect(() => {
    if (!isLoggedOut) setTrouble((trouble) => (trouble?.state === 'signed-out' ? null : trouble))
  }, [isLoggedOut, setTrouble])
  // Whoever logs out leaves the form too, unless something in it would be lost.
  if (isSomebodyElse || (isLoggedOut && !form.isDirty)) return <Navigate to="/" replace />
  return (
    <div className="resource-editor">
      {form.trouble?.state === 'changed' ? (
        <Settling form={form} now={form.trouble.now} />
      ) : (
        <Fields {...slots} form={form} isLoggedOut={isLoggedOut} />
      )}
      <PreviewPane id={form.basis.id} fields={asSaved(form)} Preview={Preview} />
      {leaveDialog}
    </div>
  )
}

/** Saving a resource that is there gives it the date of today (specification, section 4). */
const asSaved = ({ fields, isNew }: ResourceFormApi) =>
  isNew ? fields : { ...fields, date: localDate(new Date()) }

const Settling = ({ form, now }: { form: ResourceFormApi; now: KnownBasis }) => (
  <ConflictPanel
    key={now.updatedAt}
    mine={form.fields}
    theirs={now.fields}
    before={form.basis.fields}
    onSave={(settled) => form.saveAs(now, settled)}
    onKeepEditing={(settled) => {
      form.goOnWith(now, settled)
      focusTitle()
    }}
  />
)

interface FieldsProps extends MediaSlots {
  form: ResourceFormApi
  isLoggedOut: boolean
  locations: readonly string[]
}

function Fields({ form, isLoggedOut, locations, ...media }: FieldsProps) {
  const { element, onSubmit } = useSubmit(form)
  const { category } = form.fields
  return (
    <form ref={element} method="post" noValidate onSubmit={onSubmit} className="resource-form">
      {form.offer && <Offer form={form} draft={form.offer} />}
      <FormPart title="What it is">
        <CategoryControl form={form} />
        <TextControl form={form} name="title" label="Title" required autoComplete="off" />
        <LongTextControl form={form} name="description" label="Description" required />
        {category === 'reading' && <ArticleControl form={form} />}
      </FormPart>
      <FormPart title={category === 'podcast' ? 'Recording and picture' : 'Picture'}>
        <MediaControls key={form.generation} {...media} form={form} />
      </FormPart>
      <FormPart title="For whom">
        <AudienceControls form={form} locations={locations} />
      </FormPart>
      <FormPart title="Publishing">
        <PublishingControls form={form} />
      </FormPart>
      <SaveBar form={form}>
        <FormTrouble form={form} isLoggedOut={isLoggedOut} />
      </SaveBar>
    </form>
  )
}

const Offer = ({ form, draft }: { form: ResourceFormApi; draft: Draft }) => (
  <DraftOffer
    draft={draft}
    onRestore={() => {
      form.restore(draft)
      focusTitle()
    }}
    onDiscard={() => {
      form.discard()
      focusTitle()
    }}
  />
)

/** What was pressed is gone, so the form goes on at its beginning. */
const focusTitle = () => setTimeout(() => document.getElementById('resource-title')?.focus())

const FormPart = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="resource-form-part">
    <h2 className="text-xl">{title}</h2>
    {children}
  </section>
)

/** Submits with our own words in place of the browser's bubbles. What has to be put right gets the focus. */
function useSubmit(form: ResourceFormApi) {
  const element = useRef<HTMLFormElement>(null)
  const [refusals, setRefusals] = useState(0)
  useEffect(() => {
    if (refusals > 0) element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [refusals])
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!form.isSaving && !form.submit()) setRefusals(refusals + 1)
  }
  return { element, onSubmit }
}
