import { Plus } from 'lucide'
import { ButtonLink } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'

export interface AddLinkProps {
  /** The listing's, if it has one: the form begins with it where such a resource can be made. */
  category: string | undefined
}

/** To the form of a new resource. On phones it floats, so that nothing moves when it comes. */
export const AddLink = ({ category }: AddLinkProps) => (
  <ButtonLink
    to={category ? `/resources/new?category=${category}` : '/resources/new'}
    className="max-md:fixed max-md:end-4 max-md:bottom-4 max-md:z-20 max-md:shadow-lg"
  >
    <Icon icon={Plus} className="size-5" />
    Add
  </ButtonLink>
)
