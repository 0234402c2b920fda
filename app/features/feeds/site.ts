import { absoluteAddress, type Origins } from '#app/session/site.ts'

/** Full address of a path of ours, or of an address that an admin typed; '' when it is none. */
export type Absolute = (address: string) => string

/** Feeds are read far from the site: every address in them is a full one. */
export const absoluteFor =
  (origins: Origins): Absolute =>
  (address) =>
    absoluteAddress(address, origins) ?? ''
