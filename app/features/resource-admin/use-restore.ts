import { useRevalidator } from 'react-router'
import { toast } from '#app/ui/toast.tsx'
import { restoreResource } from './deletion.ts'

/** Restores a deleted resource and says how it went; the page that is open then shows what there is. */
export function useRestore() {
  const { revalidate } = useRevalidator()
  return async ({ id, title }: { id: string; title: string }) => {
    // What was pressed is gone, so that it is pressed once; the next thing to read begins with the page.
    toast('')
    document.getElementById('content')?.focus({ preventScroll: true })
    const problem = await restoreResource(id)
    toast(problem || `“${title}” is back in the library.`)
    await revalidate()
  }
}
