/** Only one podcast plays at a time, on this page and in every tab of this site (specification, section 4). */
interface Stage {
  /** Call when a podcast starts: whoever played before is paused. */
  enter(pause: () => void): void
  /** Call with the same function when it has stopped. */
  leave(pause: () => void): void
}

type Channel = Pick<BroadcastChannel, 'onmessage' | 'postMessage' | 'close'>

/**
 * A stage for one performer.
 * @param openChannel gives the way to the other tabs, or nothing where there is none
 */
export function createStage(openChannel: () => Channel | undefined): Stage {
  let playing: (() => void) | undefined
  let channel: Channel | undefined

  function listenToOtherTabs() {
    const opened = openChannel()
    if (opened) opened.onmessage = () => playing?.()
    return opened
  }

  return {
    enter(pause) {
      if (pause !== playing) playing?.()
      playing = pause
      channel ??= listenToOtherTabs()
      channel?.postMessage('playing')
    },
    leave(pause) {
      if (pause !== playing) return
      playing = undefined
      // An open channel would keep a silent page out of the browser's back/forward cache.
      channel?.close()
      channel = undefined
    },
  }
}

function openBroadcast() {
  try {
    return new BroadcastChannel('podcast-playing')
  } catch {
    return undefined
  }
}

export const stage = createStage(openBroadcast)
