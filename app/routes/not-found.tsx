import { data } from 'react-router'

/** Every path that nothing else answers; the root's error boundary shows the page. */
export const loader = () => {
  throw data(null, { status: 404 })
}

export default function NotFound() {
  return null
}
