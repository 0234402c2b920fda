import { type ReactNode, useMemo } from 'react'
import { AudioField } from '#app/features/media/audio-field.tsx'
import { ImageField } from '#app/features/media/media-field.tsx'
import { mediaAccess } from '#app/features/media/stored-files.ts'
import { findLocations } from '#app/features/resources/find-listing.ts'
import type { Library } from '#app/session/client/library.ts'
import { currentMember } from '#app/session/current-user.tsx'
import { useSettings } from '#app/session/site.ts'
import { Page, PageHeading } from '#app/ui/page.tsx'
import type { Draft } from '#domain/resource-form/draft.ts'
import { ResourceForm } from './resource-form.tsx'
import { ResourcePreview } from './resource-preview.tsx'
import type { FormStart } from './stored-resource.ts'

interface ResourceEditorProps {
  title: string
  /** What else can be done with the resource, beside the title. */
  actions?: ReactNode
  start: FormStart
  member: string
  /** What the member typed before, and never saved. */
  drafts: readonly Draft[]
  /** The draft that the form begins with. */
  continued?: Draft | undefined
  locations: readonly string[]
}

/** The admin form with what other features give to it. */
export function ResourceEditor({ title, actions, ...form }: ResourceEditorProps) {
  const settings = useSettings()
  const media = useMemo(() => mediaAccess(settings), [settings])
  return (
    <Page>
      <PageHeading title={title}>{actions}</PageHeading>
      <ResourceForm
        // Another resource, or another admin, is another form.
        key={`${form.member} ${form.start.updatedAt === null ? 'new' : form.start.id} ${form.continued?.key}`}
        {...form}
        imageField={(field) => <ImageField {...field} session={media} />}
        audioField={(field) => <AudioField {...field} session={media} />}
        Preview={ResourcePreview}
      />
    </Page>
  )
}

/** Places to suggest; without them the form works as well. */
export const suggestLocations = (library: Library): Promise<readonly string[]> =>
  findLocations(library, undefined).catch(() => [])

/**
 * A form that is open is not loaded anew, above all not when the session has ended: it would be gone, with all that was
 * typed. It follows the reader by itself.
 */
export const keepsForm = ({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }) =>
  currentUrl.pathname !== nextUrl.pathname || currentMember() !== null
