import {
  type ReactNode,
  type SubmitEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { href, Navigate, type ShouldRevalidateFunctionArgs } from 'react-router'
import { findLocations } from '#app/features/resources/find-listing.ts'
import { dropDraftsOf } from '#app/session/client/draft-store.ts'
import type { Library } from '#app/session/client/library.ts'
import { currentMember, useCurrentUser } from '#app/session/current-user.tsx'
import { Button, ButtonLink, buttonClass } from '#app/ui/button.tsx'
import { useFocusOnError } from '#app/ui/forms/field.tsx'
import { Banner, Page, PageHeading } from '#app/ui/page.tsx'
import { localDate } from '#domain/dates.ts'
import { missingParts } from '#domain/resource-form/fields.ts'
import { ArticleControl } from './article-control.tsx'
import { ConflictPanel } from './conflict-panel.tsx'
import { LongTextControl, TextControl } from './controls.tsx'
import { PreviewPane } from './preview-pane.tsx'
import { AudienceControls, CategoryControl, MediaControls, PublishingControls } from './sections.tsx'
import type { FormStart, KnownBasis } from './stored-resource.ts'
import { DraftList, useLeaveGuard } from './unsaved-work.tsx'
import type { FormOpening } from './use-drafts.ts'
import { type ResourceFormApi, useResourceForm } from './use-resource-form.ts'
import './resource-form.css'

interface ResourceFormProps extends FormOpening {
  start: FormStart
  /** Places that other resources name. */
  locations: readonly string[]
}

interface ResourceEditorProps extends ResourceFormProps {
  title: string
  /** What else can be done with the resource, beside the title. */
  actions?: ReactNode
}

/** The page that makes a resource or changes one. */
export const ResourceEditor = ({ title, actions, ...form }: ResourceEditorProps) => (
  <Page>
    <PageHeading title={title}>{actions}</PageHeading>
    <ResourceForm
      // Another resource, or another admin, is another form.
      key={`${form.member} ${form.start.updatedAt === null ? 'new' : form.start.id} ${form.continued?.key}`}
      {...form}
    />
  </Page>
)

/** Makes a resource or changes one (specification, sections 2, 4 and 5), beside a preview of it. */
function ResourceForm({ start, member, drafts, continued, locations }: ResourceFormProps) {
  const form = useResourceForm(start, { member, drafts, continued })
  const { isLoggingOut, leaveDialog } = useLeaving(form, member)
  const reader = useCurrentUser()
  const isLoggedOut = reader.state === 'visitor'
  const isSomebodyElse = reader.state === 'member' && reader.member.id !== member
  const { setTrouble } = form
  useEffect(() => {
    if (!isLoggedOut) setTrouble((trouble) => (trouble?.state === 'signed-out' ? null : trouble))
  }, [isLoggedOut, setTrouble])
  // Whoever logs out leaves the form too, unless the session ended without them, and something here is unsaved.
  if (isSomebodyElse || (isLoggedOut && (isLoggingOut || !form.isDirty)))
    return <Navigate to={href('/')} replace />
  return (
    <div className="resource-editor">
      {form.trouble?.state === 'changed' ? (
        <Settling form={form} now={form.trouble.now} />
      ) : (
        <Fields form={form} isLoggedOut={isLoggedOut} locations={locations} />
      )}
      <PreviewPane id={form.basis.id} fields={asSaved(form)} />
      {leaveDialog}
    </div>
  )
}

/** Asks whoever leaves with something unsaved. Whoever logs out all the same has left, with or without their drafts. */
function useLeaving({ isGuarded, keepNow, forgetDraft }: ResourceFormApi, member: string) {
  const [isLoggingOut, setLoggingOut] = useState(false)
  const isStillGuarded = useEffectEvent(() => !isLoggingOut && isGuarded())
  const guard = useCallback(() => isStillGuarded(), [])
  const logOut = useCallback(
    (leavesNothing: boolean) => {
      setLoggingOut(true)
      if (leavesNothing) void forgetDraft().then(() => dropDraftsOf(member))
    },
    [forgetDraft, member],
  )
  return { isLoggingOut, leaveDialog: useLeaveGuard({ isGuarded: guard, keep: keepNow, onLogout: logOut }) }
}

/** Saving a resource that is there gives it the date of today (specification, section 4). */
const asSaved = ({ fields, isNew }: ResourceFormApi) =>
  isNew ? fields : { ...fields, date: localDate(new Date()) }

const Settling = ({ form, now }: { form: ResourceFormApi; now: KnownBasis }) => (
  <ConflictPanel
    key={now.updatedAt}
    versions={{ mine: form.fields, theirs: now.fields, base: form.isNew ? null : form.basis.fields }}
    onSave={(settled) => form.saveAs(now, settled)}
    onKeepEditing={(settled) => {
      if (settled) form.goOnWith(now, settled)
      else form.setTrouble(null)
      focusTitle()
    }}
  />
)

interface FieldsProps {
  form: ResourceFormApi
  isLoggedOut: boolean
  locations: readonly string[]
}

function Fields({ form, isLoggedOut, locations }: FieldsProps) {
  const { element, onSubmit } = useSubmit(form)
  const { category } = form.fields
  return (
    <form ref={element} method="post" noValidate onSubmit={onSubmit} className="resource-form">
      <DraftList
        drafts={form.offers}
        onContinue={(draft) => {
          void form.continueDraft(draft)
          focusTitle()
        }}
        onDiscard={(draft) => void form.discardDraft(draft)}
      />
      <FormPart title="What it is">
        <CategoryControl form={form} />
        <TextControl form={form} name="title" label="Title" required autoComplete="off" />
        <LongTextControl form={form} name="description" label="Description" required />
        {category === 'reading' && <ArticleControl form={form} />}
      </FormPart>
      <FormPart title={category === 'podcast' ? 'Recording and picture' : 'Picture'}>
        <MediaControls key={form.generation} form={form} />
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
  useFocusOnError(element, refusals)
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!form.isSaving && !form.submit()) setRefusals(refusals + 1)
  }
  return { element, onSubmit }
}

const lists = new Intl.ListFormat('en', { type: 'conjunction' })

/** Submit, what it still waits for, and above it what went wrong. It stays in sight at the lower edge of the screen. */
function SaveBar({ form, children }: { form: ResourceFormApi; children: ReactNode }) {
  const missing = missingParts(form.fields)
  return (
    <div className="resource-save-bar">
      {children}
      {form.isDirty && !form.isKept && <NotKept />}
      <Button
        type="submit"
        disabled={form.isSaving || missing.length > 0}
        aria-describedby="resource-save-hint"
        className="min-w-40"
      >
        {form.isSaving ? 'Saving...' : form.isNew ? 'Add resource' : 'Save changes'}
      </Button>
      <ButtonLink look="secondary" to={href('/resources/:category?')}>
        Cancel
      </ButtonLink>
      <p id="resource-save-hint" className="text-sm text-muted">
        {missing.length > 0 ? `Still needed: ${lists.format(missing)}.` : form.isDirty && 'Not saved yet.'}{' '}
        {form.isDirty && form.isKept && 'Kept as a draft in this browser.'}
      </p>
    </div>
  )
}

const NotKept = () => (
  <Banner tone="error">
    This browser has no room to keep what you typed, or is not allowed to. Save before you leave this page, or
    it is lost.
  </Banner>
)

interface FormTroubleProps {
  form: ResourceFormApi
  /** Nobody is logged in any more. */
  isLoggedOut: boolean
}

/** Why nothing was saved, in red (specification, section 8), and the way on. What was typed is still there. */
function FormTrouble({ form, isLoggedOut }: FormTroubleProps) {
  const { trouble } = form
  if (isLoggedOut) return <LogInAgain />
  if (trouble?.state === 'signed-out') return <LogInAgain />
  if (trouble?.state === 'failed') return <Banner tone="danger">{trouble.message}</Banner>
  if (trouble?.state !== 'deleted') return null
  return (
    <Banner tone="error">
      <p>This resource was deleted while you were editing it. What you typed is still here.</p>
      <Button look="secondary" onClick={form.saveAsNew}>
        Save as a new resource
      </Button>
    </Banner>
  )
}

/** In another tab, so that the form stays as it is; the tabs share the session. */
const LogInAgain = () => (
  <Banner tone="error">
    <p>Your session has ended. Log in again to save; what you typed is kept in this browser.</p>
    <a href={href('/login')} target="_blank" rel="noreferrer" className={buttonClass('secondary')}>
      Log in (opens a new tab)
    </a>
  </Banner>
)

/** Places to suggest; without them the form works as well. */
export const suggestLocations = (library: Library): Promise<readonly string[]> =>
  findLocations(library, undefined).catch(() => [])

/**
 * A form that is open is not loaded anew, above all not when the session has ended: it would be gone, with all that was
 * typed. It follows the reader by itself.
 */
export const keepsForm = ({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  defaultShouldRevalidate && (currentUrl.pathname !== nextUrl.pathname || currentMember() !== null)
