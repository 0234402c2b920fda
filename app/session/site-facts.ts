/** What the owner of the site edits in content/site.json. Each page's bundle holds only what it uses of it. */
export {
  description as siteDescription,
  legal,
  name as siteName,
  podcast,
  tagline,
  team,
} from '../../content/site.json'
