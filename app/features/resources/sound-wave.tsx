const BARS = 30
const STEP = 8
const MIDDLE = 90
const TALLEST = 96

/**
 * The bars of a sound wave, drawn from an id: every episode has its own, always the same, and none costs a download.
 * A smooth swell and the id's letters decide the heights.
 */
export function wavePath(id: string): string {
  const bars = Array.from({ length: BARS }, (_, bar) => {
    const swell = Math.sin(((bar + 0.5) / BARS) * Math.PI)
    const letter = (id.charCodeAt(bar % id.length) * (bar + 7)) % 23
    const height = Math.round(6 + (TALLEST - 6) * swell * (0.25 + (0.75 * letter) / 22))
    return `M${44 + bar * STEP} ${MIDDLE - height / 2}v${height}`
  })
  return bars.join('')
}

/** An episode's banner: orange, without words, in the shape of the pictures beside it and with their sun. */
export const SoundWave = ({ id }: { id: string }) => (
  <svg
    viewBox="0 0 320 180"
    preserveAspectRatio="xMidYMid slice"
    aria-hidden="true"
    className="resource-picture sound-wave"
  >
    <circle cx={80 + ((id.charCodeAt(0) * 31 + id.charCodeAt(1) * 7) % 160)} cy={MIDDLE} r="72" />
    <path d={wavePath(id)} />
  </svg>
)
