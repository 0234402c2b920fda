import { describe, expect, it, vi } from 'vitest'
import { createStage } from './only-one.ts'

const withoutOtherTabs = () => undefined

describe('a stage', () => {
  it('pauses whoever plays when another starts', () => {
    const stage = createStage(withoutOtherTabs)
    const [first, second] = [vi.fn(), vi.fn()]
    stage.enter(first)
    expect(first).not.toHaveBeenCalled()
    stage.enter(second)
    expect(first).toHaveBeenCalledOnce()
    expect(second).not.toHaveBeenCalled()
  })

  it('leaves a player alone that starts again', () => {
    const stage = createStage(withoutOtherTabs)
    const pause = vi.fn()
    stage.enter(pause)
    stage.enter(pause)
    expect(pause).not.toHaveBeenCalled()
  })

  it('does not pause what has already stopped', () => {
    const stage = createStage(withoutOtherTabs)
    const pause = vi.fn()
    stage.enter(pause)
    stage.leave(pause)
    stage.enter(vi.fn())
    expect(pause).not.toHaveBeenCalled()
  })

  it('takes no notice when a player leaves that another has already replaced', () => {
    const stage = createStage(withoutOtherTabs)
    const [first, second] = [vi.fn(), vi.fn()]
    stage.enter(first)
    stage.enter(second)
    stage.leave(first)
    stage.enter(vi.fn())
    expect(second).toHaveBeenCalledOnce()
  })
})

describe('the stages of two tabs', () => {
  const openTab = (name: string) => {
    const opened: BroadcastChannel[] = []
    const stage = createStage(() => {
      const channel = new BroadcastChannel(name)
      opened.push(channel)
      return channel
    })
    return { stage, opened }
  }

  it('pause one another', async () => {
    const [here, there] = [openTab('two tabs'), openTab('two tabs')]
    const [pauseHere, pauseThere] = [vi.fn(), vi.fn()]
    here.stage.enter(pauseHere)
    there.stage.enter(pauseThere)
    await vi.waitFor(() => expect(pauseHere).toHaveBeenCalledOnce())
    expect(pauseThere).not.toHaveBeenCalled()
    here.stage.leave(pauseHere)
    there.stage.leave(pauseThere)
  })

  it('hold a channel open only while something plays, or a tab could not go into the back/forward cache', () => {
    const { stage, opened } = openTab('silence')
    expect(opened).toHaveLength(0)
    const pause = vi.fn()
    stage.enter(pause)
    const [channel] = opened
    stage.leave(pause)
    expect(() => channel?.postMessage('anything')).toThrow()
  })
})
