import { AddResource } from '#app/features/resource-admin/add-resource.tsx'
import {
  type AdminActionsProps,
  AdminCardActions,
  AdminPageActions,
} from '#app/features/resource-admin/admin-card-actions.tsx'

type ToolsProps = Pick<AdminActionsProps, 'resource'>

/** On a card. What stands beside Edit goes in between. */
export const CardTools = ({ resource }: ToolsProps) => <AdminCardActions resource={resource} />

/** On a resource's own page. */
export const PageTools = ({ resource }: ToolsProps) => <AdminPageActions resource={resource} />

export { AddResource as AddTool }
