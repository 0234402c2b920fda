import type { CallPlan, Plan, ReadPlan } from '../plan/types.ts'
import type { Media, RestRequest } from '../request/types.ts'
import type { Parameter } from '../schema.ts'
import { answerSql, estimateSql, rowsSql, type Shape, totalSql, VALUE } from './answer.ts'
import {
  arrayLiteral,
  type Bind,
  namedSource,
  qualifiedName,
  quoteName,
  type Source,
  type Statement,
  statement,
  tableSource,
} from './expressions.ts'
import { typed, writeSql } from './write.ts'

export interface Statements {
  /** Settings that must be made first. */
  session?: Statement
  main: Statement
  /** Asks the planner for the number of rows, if counting found none or more than `from`. */
  estimate?: { from: number; statement: Statement }
}

/** A plan → SQL, one statement for the whole answer. Pure. */
export function toSql(plan: Plan, maxRows: number): Statements {
  const { media } = plan.answer
  const main = statement((bind) => `${explainSql(media)}${mainSql(plan, maxRows, bind)}`)
  const estimate = media.kind === 'plan' ? undefined : estimateOf(plan)
  return { main, ...(estimate && { estimate: { from: maxRows, statement: estimate } }) }
}

function mainSql(plan: Plan, maxRows: number, bind: Bind): string {
  switch (plan.kind) {
    case 'read':
      return readSql(plan, maxRows, bind)
    case 'call':
      return callSql(plan, maxRows, bind)
    case 'insert':
    case 'update':
    case 'delete':
      return writeSql(plan, bind)
  }
}

function readSql({ table, rows, answer }: ReadPlan, maxRows: number, bind: Bind): string {
  const source = tableSource(table)
  const total = totalSql(rows, source, answer, maxRows, bind)
  return answerSql(
    {
      rows: rowsSql(rows, source, bind),
      shape: 'rows',
      answer,
      select: rows.select,
      everything: [...table.columns.values()],
      extra: total ? { total } : {},
    },
    bind,
  )
}

/** Only answers that count rows at the end of a range have use for it. */
function estimateOf(plan: Plan): Statement | undefined {
  if (plan.answer.count !== 'planned' && plan.answer.count !== 'estimated') return undefined
  if (plan.kind === 'read') return statement((bind) => estimateSql(plan.rows, tableSource(plan.table), bind))
  if (plan.kind !== 'call') return undefined
  return statement((bind) => estimateSql(plan.rows, callSource, bind, withResult(plan, bind)))
}

const explainSql = (media: Media): string =>
  media.kind === 'plan' ? `explain (${[`format ${media.format}`, ...media.options].join(', ')}) ` : ''

const ARGS = 'pgrst_args'
const RESULT = 'pgrst_call'

const callSource: Source = namedSource('pgrst_source')

/** The call, and the answer from its result, as one statement. */
function callSql(plan: CallPlan, maxRows: number, bind: Bind): string {
  const { returns } = plan.routine
  const call = withResult(plan, bind)
  const total = totalSql(plan.rows, callSource, plan.answer, maxRows, bind)
  const answer = answerSql(
    {
      rows: rowsSql(plan.rows, callSource, bind),
      shape: shapeOf(plan),
      answer: plan.answer,
      select: plan.rows.select,
      everything:
        returns.kind === 'row' ? [...returns.columns.values()] : [{ name: VALUE, base: '', nullable: true }],
      extra: total ? { total } : {},
    },
    bind,
  )
  return `${call}${answer}`
}

/** The call as a part of the query that others can name. */
function withResult(plan: CallPlan, bind: Bind): string {
  // A function that gives no rows must be called even if nobody looks at its result.
  const materialized = plan.routine.returns.kind === 'row' ? '' : 'materialized '
  return `with ${callSource.from} as ${materialized}(${resultSql(plan, bind)}) `
}

function shapeOf({ routine: { returns } }: CallPlan): Shape {
  if (returns.kind === 'void') return 'value'
  if (returns.kind === 'row') return returns.many ? 'rows' : 'row'
  return returns.many ? 'values' : 'value'
}

function resultSql(plan: CallPlan, bind: Bind): string {
  const { from, list } = argumentsSql(plan, bind)
  const call = `${qualifiedName(plan.routine)}(${list})`
  if (plan.routine.returns.kind !== 'row') return `select ${call} as ${VALUE}${from ? ` from ${from}` : ''}`
  return `select ${RESULT}.* from ${from ? `${from}, lateral ` : ''}${call} as ${RESULT}`
}

/** Arguments by name; those in a JSON body become a row first, so that PostgreSQL converts them. */
function argumentsSql({ routine, args }: CallPlan, bind: Bind): { from?: string; list: string } {
  switch (args.kind) {
    case 'whole':
      return { list: `${bind(args.text)}::${routine.parameters[0]?.type}` }
    case 'direct': {
      const given = routine.parameters.filter(({ name }) => args.values.has(name))
      const value = ({ name, type }: Parameter) => `${bind(literal(args.values.get(name)))}::${type}`
      return { list: given.map((parameter) => namedArgument(parameter, value(parameter))).join(', ') }
    }
    case 'json': {
      const given = routine.parameters.filter(({ name }) => args.names.includes(name))
      if (given.length === 0) return { list: '' }
      const value = ({ name }: Parameter) => `${ARGS}.${quoteName(name)}`
      return {
        from: `json_to_record(${bind(args.text)}::json) as ${ARGS}(${typed(given)})`,
        list: given.map((parameter) => namedArgument(parameter, value(parameter))).join(', '),
      }
    }
  }
}

const namedArgument = ({ name, variadic }: Parameter, value: string): string =>
  `${variadic ? 'variadic ' : ''}${quoteName(name)} => ${value}`

const literal = (value: string | string[] = ''): string =>
  Array.isArray(value) ? arrayLiteral(value) : value

/**
 * What the session must be told before the query: the time zone that was asked for, and where functions without a
 * path of their own look for names. The usual request, in `public` and in the server's own time zone, needs nothing.
 */
export function sessionSql({ schema, prefer }: Pick<RestRequest, 'schema' | 'prefer'>): {
  session?: Statement
} {
  const settings = [
    ...(schema === 'public' ? [] : [['search_path', `${quoteName(schema)}, public`] as const]),
    ...(prefer.timezone === undefined ? [] : [['timezone', prefer.timezone] as const]),
  ]
  if (settings.length === 0) return {}
  const session = statement((bind) => {
    const calls = settings.map(([name, value]) => `set_config(${bind(name)}, ${bind(value)}, true)`)
    return `select ${calls.join(', ')}`
  })
  return { session }
}
