/** Where the site is, and where the storage: the same place, or a hosted project. */
interface Origins {
  siteUrl: string
  apiUrl: string
}

const STORED = /^\/storage\/v1\/object\/public\/(.+)$/
const isStored = (address: string) => address.startsWith('/storage/')

/** The address for a form: full, whatever is kept. */
export const shownAddress = (kept: string, { apiUrl, siteUrl }: Origins) => {
  if (isStored(kept)) return apiUrl + kept
  return kept.startsWith('/') ? siteUrl + kept : kept
}

/** The address to keep: of this site and its storage without the origin (design, section 6), so that a site can move. */
export const keptAddress = (shown: string, { apiUrl, siteUrl }: Origins) => {
  const address = shown.trim()
  if (address.startsWith(`${apiUrl}/storage/`)) return address.slice(apiUrl.length)
  return address.startsWith(`${siteUrl}/`) ? address.slice(siteUrl.length) : address
}

/** The kept address of a stored file. @param path its name in the bucket, with folders */
export const addressOfFile = (bucket: string, path: string) =>
  `/storage/v1/object/public/${bucket}/${path.split('/').map(encodeURIComponent).join('/')}`

/** A stored picture in a width that fits a small frame; another picture is as large as it is. */
export const thumbnailAddress = (kept: string, origins: Origins, width: number) => {
  const path = STORED.exec(kept)?.[1]
  return path
    ? `${origins.apiUrl}/storage/v1/render/image/public/${path}?width=${width}`
    : shownAddress(kept, origins)
}
