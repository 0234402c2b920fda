import type { Resource } from '#domain/resource.ts'

/** A row as the database gives it: the resource, and the ends of its grade as numbers. */
type ResourceRow = { [column in keyof Resource]: Resource[column] } & {
  grade_low: number | null
  grade_high: number | null
}

// Type aliases, not interfaces: the client asks for types that fit `Record<string, unknown>`.
/** The part of the schema (supabase/migrations) that the site reads, in the form the Supabase clients know. */
export type Database = {
  public: {
    Tables: {
      resources: {
        Row: ResourceRow
        Insert: Partial<Resource>
        Update: Partial<Resource>
        Relationships: []
      }
    }
    Views: Record<never, never>
    Functions: {
      resource_locations: { Args: { of_category?: string }; Returns: string[] }
    }
  }
}
