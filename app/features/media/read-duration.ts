/** A recording that gives nothing for so long gives nothing at all. */
const PATIENCE_MS = 30_000

/** Farther than any recording lasts; a browser that does not know the length finds the end on the way there. */
const BEYOND = 1e7

/**
 * The length of a recording in whole seconds, as a media element reads it from its metadata (specification, section 7).
 * Rejects when the browser cannot play it or no length is to be had.
 */
export const readDuration = (address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const audio = new Audio()
    const end = (settle: () => void) => {
      clearTimeout(timer)
      audio.onloadedmetadata = audio.ondurationchange = audio.onerror = null
      audio.removeAttribute('src')
      audio.load()
      settle()
    }
    const fail = () => end(() => reject(new Error('The length of this recording cannot be read.')))
    const timer = setTimeout(fail, PATIENCE_MS)
    const look = () => {
      const { duration } = audio
      if (Number.isFinite(duration)) end(() => resolve(Math.round(duration)))
    }
    audio.onerror = fail
    audio.ondurationchange = look
    audio.onloadedmetadata = () => {
      if (audio.duration === Number.POSITIVE_INFINITY) audio.currentTime = BEYOND
    }
    audio.preload = 'metadata'
    audio.src = address
  })
