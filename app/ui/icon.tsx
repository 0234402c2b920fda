import './icon.css'

interface IconProps {
  /** The line, on a grid of 24. */
  path: string
  /** Its size, for example `size-5`, and whatever else. */
  className: string
  /** In units of the grid; thinner where it is large. */
  strokeWidth?: number
}

/**
 * One line in the colour of the text. What it means stands beside it, or is the label of its button, so screen readers do
 * not hear it.
 */
export const Icon = ({ path, className, strokeWidth = 1.75 }: IconProps) => (
  <svg viewBox="0 0 24 24" aria-hidden="true" className={`icon ${className}`} strokeWidth={strokeWidth}>
    <path d={path} />
  </svg>
)
