import { type Category, categoryLabels } from '#domain/category.ts'
import { Icon } from './icon.tsx'

/** Sign and label of a category, as cards and details show them. */
export const CategoryBadge = ({ category }: { category: Category }) => (
  <span className="inline-flex items-center gap-2 text-sm font-semibold text-accent">
    <Icon name={category} className="size-4.5" />
    {categoryLabels[category]}
  </span>
)
