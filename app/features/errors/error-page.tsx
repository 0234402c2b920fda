import { isRouteErrorResponse } from 'react-router'
import { NotFoundPage } from './not-found-page.tsx'
import { ProblemPage } from './problem-page.tsx'

/** The page that fits what a route threw. */
export function ErrorPage({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />
  return <ProblemPage unavailable={isUnavailable(error)} />
}

/** Chrome, Firefox and Safari each have words of their own for a connection that failed. */
const connectionFailed = /failed to fetch|networkerror|load failed/i

const isUnavailable = (error: unknown) =>
  isRouteErrorResponse(error)
    ? error.status === 503
    : error instanceof TypeError && connectionFailed.test(error.message)
