import { describe, expect, it, vi } from 'vitest'
import { createExclusivePlayback } from './recording.ts'

const withoutOtherTabs = () => undefined

describe('exclusive playback', () => {
  it('pauses whoever plays when another starts', () => {
    const exclusivePlayback = createExclusivePlayback(withoutOtherTabs)
    const [first, second] = [vi.fn(), vi.fn()]
    exclusivePlayback.start(first)
    expect(first).not.toHaveBeenCalled()
    exclusivePlayback.start(second)
    expect(first).toHaveBeenCalledOnce()
    expect(second).not.toHaveBeenCalled()
  })

  it('leaves a player alone that starts again', () => {
    const exclusivePlayback = createExclusivePlayback(withoutOtherTabs)
    const pause = vi.fn()
    exclusivePlayback.start(pause)
    exclusivePlayback.start(pause)
    expect(pause).not.toHaveBeenCalled()
  })

  it('does not pause what has already stopped', () => {
    const exclusivePlayback = createExclusivePlayback(withoutOtherTabs)
    const pause = vi.fn()
    exclusivePlayback.start(pause)
    exclusivePlayback.stop(pause)
    exclusivePlayback.start(vi.fn())
    expect(pause).not.toHaveBeenCalled()
  })

  it('takes no notice when a player leaves that another has already replaced', () => {
    const exclusivePlayback = createExclusivePlayback(withoutOtherTabs)
    const [first, second] = [vi.fn(), vi.fn()]
    exclusivePlayback.start(first)
    exclusivePlayback.start(second)
    exclusivePlayback.stop(first)
    exclusivePlayback.start(vi.fn())
    expect(second).toHaveBeenCalledOnce()
  })
})

describe('exclusive playback in two tabs', () => {
  const openTab = (name: string) => {
    const opened: BroadcastChannel[] = []
    const exclusivePlayback = createExclusivePlayback(() => {
      const channel = new BroadcastChannel(name)
      opened.push(channel)
      return channel
    })
    return { exclusivePlayback, opened }
  }

  it('pause one another', async () => {
    const [here, there] = [openTab('two tabs'), openTab('two tabs')]
    const [pauseHere, pauseThere] = [vi.fn(), vi.fn()]
    here.exclusivePlayback.start(pauseHere)
    there.exclusivePlayback.start(pauseThere)
    await vi.waitFor(() => expect(pauseHere).toHaveBeenCalledOnce())
    expect(pauseThere).not.toHaveBeenCalled()
    here.exclusivePlayback.stop(pauseHere)
    there.exclusivePlayback.stop(pauseThere)
  })

  it('hold a channel open only while something plays, or a tab could not go into the back/forward cache', () => {
    const { exclusivePlayback, opened } = openTab('silence')
    expect(opened).toHaveLength(0)
    const pause = vi.fn()
    exclusivePlayback.start(pause)
    const [channel] = opened
    exclusivePlayback.stop(pause)
    expect(() => channel?.postMessage('anything')).toThrow()
  })
})
