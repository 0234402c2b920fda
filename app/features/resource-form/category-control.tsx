import { Banner } from '#app/ui/banner.tsx'
import { Button } from '#app/ui/button.tsx'
import { categoryLabels } from '#domain/category.ts'
import { creatableCategories, isCreatable } from '#domain/resource-form/fields.ts'
import { Control, controlClass } from './control.tsx'
import type { ResourceFormApi } from './use-resource-form.ts'

/** What kind of resource it is. Changing it begins a new form; what was typed before can come back. */
export function CategoryControl({ form }: { form: ResourceFormApi }) {
  const { category } = form.fields
  // A resource that is there keeps its category (specification, section 4).
  const isFixed = !form.isNew || !isCreatable(category)
  const choices = isFixed ? [category] : creatableCategories
  return (
    <div className="space-y-4">
      <Control
        name="category"
        label="Category"
        hint={
          isFixed
            ? 'The category stays what it was when the resource was made.'
            : 'More types are coming soon.'
        }
      >
        {(tied) => (
          <select
            {...tied}
            required
            disabled={isFixed}
            value={category}
            onChange={({ target: { value } }) => isCreatable(value) && form.chooseCategory(value)}
            className={controlClass('h-12')}
          >
            {choices.map((choice) => (
              <option key={choice} value={choice}>
                {categoryLabels[choice]}
              </option>
            ))}
          </select>
        )}
      </Control>
      {form.setAside && (
        <Banner tone="note">
          <p role="status">The form began anew for the other category.</p>
          <Button look="secondary" onClick={form.bringBack}>
            Bring back what I had typed
          </Button>
        </Banner>
      )}
    </div>
  )
}
