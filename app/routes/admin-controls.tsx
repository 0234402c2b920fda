import { AdminCardActions } from '#app/features/resource-admin/admin-card-actions.tsx'
import { DeleteButton, type DeleteButtonProps } from '#app/features/resource-admin/delete-button.tsx'

/** Edit and Delete. */
export const AdminControls = (props: DeleteButtonProps) => (
  <AdminCardActions resource={props.resource} withWords={props.withWords}>
    <DeleteButton {...props} />
  </AdminCardActions>
)
