import { BookOpen, Headphones, type IconNode, MessagesSquare, Presentation, UserRound } from 'lucide'
import { Icon } from '#app/ui/icon.tsx'
import { type Category, categoryLabels } from '#domain/category.ts'

/** The sign of each category. */
export const categoryIcons: Readonly<Record<Category, IconNode>> = {
  reading: BookOpen,
  webinar: Presentation,
  podcast: Headphones,
  community: MessagesSquare,
  session: UserRound,
}

/** Sign and label of a category, as cards and details show them. */
export const CategoryBadge = ({ category }: { category: Category }) => (
  <span className="inline-flex items-center gap-2 text-sm font-semibold text-accent">
    <Icon icon={categoryIcons[category]} className="size-4.5" />
    {categoryLabels[category]}
  </span>
)
