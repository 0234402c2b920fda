import { BookOpen, Headphones, type LucideProps, MessagesSquare, Presentation, UserRound } from 'lucide-react'
import { type Category, categoryLabels } from '#domain/category.ts'

const icons = {
  reading: BookOpen,
  webinar: Presentation,
  podcast: Headphones,
  community: MessagesSquare,
  session: UserRound,
} as const

/** The sign of a category; its name stands beside it, so screen readers do not hear it. */
export function CategoryIcon({ category, ...rest }: { category: Category } & LucideProps) {
  const Icon = icons[category]
  return <Icon aria-hidden strokeWidth={1.75} {...rest} />
}

/** Icon and label of a category, as cards and details show them. */
export const CategoryBadge = ({ category }: { category: Category }) => (
  <span className="inline-flex items-center gap-2 text-sm font-semibold text-accent">
    <CategoryIcon category={category} className="size-4.5" />
    {categoryLabels[category]}
  </span>
)
