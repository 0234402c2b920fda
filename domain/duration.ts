const whole = (seconds: number) => (Number.isFinite(seconds) && seconds > 0 ? seconds : 0)
const twoDigits = (value: number) => String(value).padStart(2, '0')
const plural = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

const parts = (seconds: number) => ({
  hours: Math.floor(seconds / 3600),
  minutes: Math.floor(seconds / 60) % 60,
  seconds: Math.floor(seconds) % 60,
})

/** The label on cards and badges: "45 sec", "4 min", "4 min 30 sec" (specification, section 9). */
export const durationLabel = (duration: number) => {
  const total = Math.round(whole(duration))
  const [minutes, seconds] = [Math.floor(total / 60), total % 60]
  if (minutes === 0) return `${seconds} sec`
  return seconds === 0 ? `${minutes} min` : `${minutes} min ${seconds} sec`
}

/** ISO 8601, as JSON-LD asks for it: "PT4M30S". */
export const isoDuration = (duration: number) => {
  const { hours, minutes, seconds } = parts(Math.round(whole(duration)))
  const text = `${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}${seconds ? `${seconds}S` : ''}`
  return `PT${text || '0S'}`
}

/** The time shown by a player: "4:05", "1:04:05". Begun seconds do not count. */
export const clockText = (duration: number) => {
  const { hours, minutes, seconds } = parts(whole(duration))
  return hours ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds)}` : `${minutes}:${twoDigits(seconds)}`
}

/** The time said by a screen reader: "3 minutes 5 seconds". Begun seconds do not count. */
export const spokenDuration = (duration: number) => {
  const { hours, minutes, seconds } = parts(whole(duration))
  const said = [
    hours > 0 && plural(hours, 'hour'),
    minutes > 0 && plural(minutes, 'minute'),
    seconds > 0 && plural(seconds, 'second'),
  ].filter((part) => part !== false)
  return said.join(' ') || '0 seconds'
}
