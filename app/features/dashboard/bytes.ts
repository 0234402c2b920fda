const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** "4.2 MB" for a number of bytes, in steps of 1024 as the limits of uploads are told. */
export function bytesLabel(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const amount = bytes / 1024 ** step
  return `${step === 0 || amount >= 100 ? Math.round(amount) : Number(amount.toFixed(1))} ${units[step]}`
}
