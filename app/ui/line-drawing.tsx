import { classes } from './classes.ts'
import './line-drawing.css'

interface LineDrawingProps {
  /** The line, on a grid of 24. */
  path: string
  /** Its size, for example `size-5`, and whatever else. */
  className: string
  /** In units of the grid; thinner where it is large. */
  strokeWidth?: number
}

/**
 * One line in the colour of the text: a library's icons weigh a kilobyte before the first one. What it means stands beside
 * it, or is the label of its button, so screen readers do not hear it.
 */
export const LineDrawing = ({ path, className, strokeWidth = 1.75 }: LineDrawingProps) => (
  <svg
    viewBox="0 0 24 24"
    aria-hidden="true"
    className={classes('line-drawing', className)}
    strokeWidth={strokeWidth}
  >
    <path d={path} />
  </svg>
)
