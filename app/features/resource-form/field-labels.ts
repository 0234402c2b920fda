import type { FieldName } from '#domain/resource-form/fields.ts'

/** What the form calls its fields. */
export const fieldLabels: Readonly<Record<FieldName, string>> = {
  title: 'Title',
  description: 'Description',
  category: 'Category',
  image_url: 'Image URL',
  image_alt: 'Alt text',
  audioUrl: 'Audio URL',
  article: 'Article',
  grade: 'Grade',
  gender: 'Gender',
  location: 'Location',
  link: 'Link',
  date: 'Date',
  duration: 'Duration in seconds',
  public: 'Public',
  featured: 'Featured',
}
