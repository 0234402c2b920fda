/** What the operator decides (REST_SCHEMAS, REST_MAX_ROWS, REST_AGGREGATES, REST_PLANS). */
export interface RestSettings {
  schemas: string[]
  maxRows: number
  aggregates: boolean
  plans: boolean
}
