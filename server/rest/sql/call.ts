import type { CallPlan } from '../plan/types.ts'
import type { Parameter } from '../schema.ts'
import { answerSql, type Shape, VALUE } from './answer.ts'
import { typed } from './body.ts'
import { totalSql } from './count.ts'
import { arrayLiteral, namedSource, qualifiedName, quoteName, type Source } from './identifier.ts'
import { rowsSql } from './rows.ts'
import type { Bind } from './statement.ts'

const ARGS = 'pgrst_args'
const RESULT = 'pgrst_call'

export const callSource: Source = namedSource('pgrst_source')

/** The call, and the answer from its result, as one statement. */
export function callSql(plan: CallPlan, maxRows: number, bind: Bind): string {
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
export function withResult(plan: CallPlan, bind: Bind): string {
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
