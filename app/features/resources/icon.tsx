import { Icon as LineIcon } from '#app/ui/icon.tsx'
import type { Category } from '#domain/category.ts'

// Drawn for this site, as one line each.
const drawings = {
  search: 'M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.7 15.7 20 20',
  filter:
    'M4 7.5h9M17 7.5h3M4 16.5h3M11 16.5h9M15 5.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4M9 14.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4',
  card: 'M4.5 4.5h6v6h-6zM13.5 4.5h6v6h-6zM4.5 13.5h6v6h-6zM13.5 13.5h6v6h-6z',
  list: 'M4.5 5h15v5h-15zM4.5 14h15v5h-15z',
  close: 'M6 6l12 12M18 6 6 18',
  previous: 'M14.5 6l-6 6 6 6',
  next: 'M9.5 6l6 6-6 6',
  back: 'M20 12H5M11 6l-6 6 6 6',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M12 7.5V12l3 2',
  retry: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9M19.5 4.5V9H15',
  leave:
    'M13 5h6v6M19 5l-8 8M18 14v4a1.5 1.5 0 0 1-1.5 1.5h-10A1.5 1.5 0 0 1 5 18V8a1.5 1.5 0 0 1 1.5-1.5H10',
  reading: 'M12 6.5c-2-1.5-5-2-8.5-2v13c3.5 0 6.5.5 8.5 2 2-1.5 5-2 8.5-2v-13c-3.5 0-6.5.5-8.5 2v13',
  webinar:
    'M3.5 4.5h17M5 4.5V14a1.5 1.5 0 0 0 1.5 1.5h11A1.5 1.5 0 0 0 19 14V4.5M12 15.5v2M8.5 20.5l3.5-3 3.5 3',
  podcast:
    'M4 16.5V13a8 8 0 0 1 16 0v3.5M4 16a2 2 0 0 1 2-2h.5A1.5 1.5 0 0 1 8 15.5v3A1.5 1.5 0 0 1 6.5 20H6a2 2 0 0 1-2-2zM20 16a2 2 0 0 0-2-2h-.5a1.5 1.5 0 0 0-1.5 1.5v3a1.5 1.5 0 0 0 1.5 1.5h.5a2 2 0 0 0 2-2z',
  community:
    'M14.5 9.5A1.5 1.5 0 0 1 13 11H7.5l-4 3V5A1.5 1.5 0 0 1 5 3.5h8A1.5 1.5 0 0 1 14.5 5zM17.5 8.5H19a1.5 1.5 0 0 1 1.5 1.5v10.5l-4-3.5H11a1.5 1.5 0 0 1-1.5-1.5V14',
  session: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4.5 20.5a7.5 7.5 0 0 1 15 0',
} satisfies Record<Category, string> & Record<string, string>

interface IconProps {
  /** What it shows; a category has its own sign. */
  name: keyof typeof drawings
  /** Its size, for example `size-5`. */
  className: string
  /** Thinner where it is large. */
  isThin?: boolean
}

/** The sign of a category, or of what a button does. */
export const Icon = ({ name, className, isThin }: IconProps) => (
  <LineIcon path={drawings[name]} className={className} {...(isThin && { strokeWidth: 1 })} />
)
