import type { FormStart } from '#app/features/resource-form/find-editable.ts'
import { ResourceForm } from '#app/features/resource-form/resource-form.tsx'
import { findLocations } from '#app/features/resources/find-listing.ts'
import type { Library } from '#app/session/library-client.ts'
import { currentMember } from '#app/session/reader.ts'
import { Page, PageHeading } from '#app/ui/page.tsx'
import { AudioUrl, ImageUrl } from './media-fields.tsx'
import { ResourcePreview } from './resource-preview.tsx'

interface ResourceEditorProps {
  title: string
  /** The id of a resource, or "new": what unsaved changes are kept under. */
  what: string
  start: FormStart
  member: string
  locations: readonly string[]
}

/** The admin form with what other features give to it. */
export const ResourceEditor = ({ title, what, start, member, locations }: ResourceEditorProps) => (
  <Page className="max-w-none">
    <PageHeading title={title} />
    <ResourceForm
      // Another resource, or another admin, is another form.
      key={`${member} ${what}`}
      what={what}
      start={start}
      member={member}
      locations={locations}
      ImageField={ImageUrl}
      AudioField={AudioUrl}
      Preview={ResourcePreview}
    />
  </Page>
)

/** Places to suggest; without them the form works as well. */
export const suggestLocations = (library: Library): Promise<readonly string[]> =>
  findLocations(library, undefined).catch(() => [])

/**
 * A form that is open is not loaded anew, above all not when the session has ended: it would be gone, with all that was
 * typed. It follows the reader by itself.
 */
export const keepsForm = ({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }) =>
  currentUrl.pathname !== nextUrl.pathname || currentMember() !== null
