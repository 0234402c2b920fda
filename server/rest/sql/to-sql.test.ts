import { describe, expect, test } from 'vitest'
import { parameter, planOf, routine } from '#tests/support/rest-requests.ts'
import { toSql } from './to-sql.ts'

const sqlOf = (request: Parameters<typeof planOf>[0]) => toSql(planOf(request), 1000)

/** What is the same in every statement, so that the tests show the rest. */
const ANSWER = `select count(*) as page`
const FITTING = 'filter (where pgrst_bytes <= 33554432)'
const BODY = `max(pgrst_bytes) > 33554432 as oversized, coalesce((json_agg(pgrst_item) ${FITTING}), '[]')::text as body`
const SETTINGS = `nullif(current_setting('response.headers', true), '') as headers, nullif(current_setting('response.status', true), '') as status`
const UPDATED = `coalesce(nullif(current_setting('pgrst.updated', true), ''), '0')::int`
const things = '"public"."things" as t'

describe('a read', () => {
  test('is one statement, whose body PostgreSQL writes', () =>
    expect(
      sqlOf({ path: '/things?select=id,n:name&id=gt.5&order=name.desc.nullslast,id&limit=8&offset=2' }),
    ).toEqual({
      main: {
        text: `${ANSWER}, ${BODY}, ${SETTINGS} from (select pgrst_row as pgrst_item, sum((40::bigint + coalesce(octet_length(pgrst_row."n"), 0))::double precision) over (rows unbounded preceding) as pgrst_bytes from (select t."id", t."name" as "n" from ${things} where (t."id" > $1) order by t."name" desc nulls last, t."id" limit 8 offset $2) pgrst_row) pgrst_measured`,
        values: ['5', 2],
      },
    }))

  test.each([
    ['exact', `(select count(*) from ${things} where (t."id" = $5)) as total`, false],
    ['planned', undefined, true],
    [
      'estimated',
      `(select count(*) from (select from ${things} where (t."id" = $5) limit 1001) pgrst_counted) as total`,
      true,
    ],
  ])('counts: %s', (count, total, estimates) => {
    const { main, estimate } = sqlOf({
      path: '/things?id=eq.1&limit=8&offset=2',
      headers: { prefer: `count=${count}` },
    })
    if (total) expect(main.text.replace(/\$\d/g, '$')).toContain(total.replace(/\$\d/g, '$'))
    else expect(main.text).not.toContain('as total')
    expect(estimate?.statement.text).toBe(
      estimates ? `explain (format json) select from ${things} where (t."id" = $1)` : undefined,
    )
  })

  test('without a body only counts its rows', () =>
    expect(sqlOf({ method: 'HEAD' }).main.text).toBe(
      `${ANSWER}, ${SETTINGS} from (select t.* from ${things} limit 1000) pgrst_row`,
    ))

  test.each([
    [
      'application/vnd.pgrst.object+json',
      `coalesce((json_agg(pgrst_item) ${FITTING}) -> 0, 'null')::text as body`,
    ],
    [
      'application/vnd.pgrst.array+json;nulls=stripped',
      `coalesce(json_strip_nulls(json_agg(pgrst_item) ${FITTING}), '[]')::text as body`,
    ],
  ])('as %s', (accept, body) => expect(sqlOf({ headers: { accept } }).main.text).toContain(body))

  test.each([
    ['name,data', '(40::bigint + coalesce(octet_length(pgrst_row."name"), 0) + coalesce(pg_column_size('],
    ['a:name,a:data', '(pg_column_size(pgrst_row))'],
    ['id', '(20::bigint)'],
  ])('of %s is measured by what its rows hold', (select, bytes) =>
    expect(sqlOf({ path: `/things?select=${select}` }).main.text).toContain(`sum(${bytes}`),
  )

  test('as CSV has a first line of names', () => {
    const { main } = sqlOf({ path: '/things?select=*,x:id,"a,b":name', headers: { accept: 'text/csv' } })
    expect(main.values).toEqual(['id,name,data,tags,words,"odd ""name""",x,"a,b"'])
    expect(main.text).toContain(`$1 || E'\\n' || coalesce(string_agg(`)
  })

  test('groups by what is no aggregate', () =>
    expect(sqlOf({ path: '/things?select=name,s:id.sum(),data->a,count()' }).main.text).toContain(
      `select t."name", sum(t."id") as "s", (t."data"->$1::text) as "a", count(*) as "count" from ${things} group by 1, 3 limit 1000`,
    ))

  test('writes the client’s names for columns only in quotes', () => {
    const select = encodeURIComponent('"a\\"; drop table things; --":id,data->"b\\"c"')
    expect(sqlOf({ path: `/things?select=${select}` }).main.text).toContain(
      `select t."id" as "a""; drop table things; --", (t."data"->$1::text) as "b""c" from`,
    )
  })

  test('can be explained', () =>
    expect(
      sqlOf({ headers: { accept: 'application/vnd.pgrst.plan+json; options=analyze|buffers' } }).main.text,
    ).toMatch(/^explain \(format json, analyze, buffers\) select count/))
})

describe('an insert', () => {
  const insert = (more: Parameters<typeof planOf>[0]) => sqlOf({ method: 'POST', ...more }).main

  test('takes its rows from one JSON parameter', () =>
    expect(insert({ body: { id: 1, name: 'x' } })).toEqual({
      text: `with pgrst_source as (insert into ${things} ("id", "name") select pgrst_body."id", pgrst_body."name" from json_to_record($1::json) as pgrst_body("id" integer, "name" text)  returning 1) ${ANSWER}, ${UPDATED} as updated, ${SETTINGS} from (select pgrst_source.* from pgrst_source) pgrst_row`,
      values: ['{"id":1,"name":"x"}'],
    }))

  test('evaluates defaults where an object lacks the key', () =>
    expect(
      insert({ path: '/things?columns=id,name', body: [{}], headers: { prefer: 'missing=default' } }).text,
    ).toContain(
      `select case when pgrst_item.value ? $2 then pgrst_body."id" else cast(nextval('public.things_id_seq') as integer) end, pgrst_body."name" from (select value from jsonb_array_elements($1::jsonb)) as pgrst_item, jsonb_to_record(pgrst_item.value) as pgrst_body("id" integer, "name" text)`,
    ))

  test.each([
    [{}, `insert into ${things} default values returning 1`],
    [[], `insert into ${things} select from json_array_elements($1::json) returning 1`],
  ])('of %j', (body, text) => expect(insert({ body }).text).toContain(text))

  test('merges duplicates and counts them', () =>
    expect(insert({ body: { id: 1 }, headers: { prefer: 'resolution=merge-duplicates' } }).text).toContain(
      `on conflict ("id") do update set "id" = excluded."id" where set_config('pgrst.updated', (${UPDATED} + 1)::text, true) <> '' returning 1`,
    ))

  test('ignores duplicates', () =>
    expect(
      insert({
        path: '/things?on_conflict=name',
        body: { id: 1 },
        headers: { prefer: 'resolution=ignore-duplicates' },
      }).text,
    ).toContain('on conflict ("name") do nothing'))

  test.each([
    [
      'id,n:name',
      `returning t."id", t."name")`,
      'select pgrst_source."id", pgrst_source."name" as "n" from pgrst_source',
    ],
    [
      '*,shout',
      `returning t.*, "public"."shout"(t.*) as "shout")`,
      'select pgrst_source.*, pgrst_source."shout" as "shout" from pgrst_source',
    ],
    [
      'name->a',
      `returning t."name")`,
      'select (to_jsonb(pgrst_source."name")->$2::text) as "a" from pgrst_source',
    ],
  ])('gives back %s and reads nothing else', (select, returning, rows) => {
    const path = `/things?select=${encodeURIComponent(select)}`
    const { text } = insert({ path, body: { id: 1 }, headers: { prefer: 'return=representation' } })
    expect(text).toContain(returning)
    expect(text).toContain(rows)
  })

  test('tells where the new row is', () =>
    expect(insert({ body: { id: 1 }, headers: { prefer: 'return=headers-only' } }).text).toContain(
      `case when count(*) = 1 then (json_agg(json_build_array(to_json(pgrst_row."id") #>> '{}')) -> 0)::text end as location`,
    ))
})

describe('other writes', () => {
  test('PUT inserts only what the address names', () =>
    expect(sqlOf({ method: 'PUT', path: '/things?id=eq.7', body: { id: 7 } }).main).toMatchObject({
      text: expect.stringContaining('where (pgrst_body."id" = $2) on conflict ("id") do update'),
      values: ['{"id":7}', '7'],
    }))

  test('PATCH sets the columns of the first object', () =>
    expect(sqlOf({ method: 'PATCH', path: '/things?id=eq.1', body: [{ name: 'x' }] }).main.text).toContain(
      `update ${things} set "name" = pgrst_body."name" from (select * from json_to_recordset($1::json) as _("name" text) limit 1) as pgrst_body where (t."id" = $2) returning 1`,
    ))

  test('PATCH with nothing to set does nothing', () =>
    expect(sqlOf({ method: 'PATCH', body: {} }).main.text).toContain(`select 1 from ${things} where false`))

  test('DELETE', () =>
    expect(sqlOf({ method: 'DELETE', path: '/things?id=in.(1,2)' }).main).toMatchObject({
      text: expect.stringContaining(`delete from ${things} where (t."id" = any($1)) returning 1`),
      values: ['{"1","2"}'],
    }))
})

describe('a call', () => {
  const add = routine('add', { parameters: [parameter('a', 'integer'), parameter('b b', 'text')] })
  const rows = routine('rows', { returns: { kind: 'row', many: true, columns: new Map() } })

  test('by GET passes its arguments one by one', () =>
    expect(sqlOf({ path: '/rpc/add?a=1&b%20b=x', routines: [add] }).main).toMatchObject({
      text: expect.stringContaining(
        `with pgrst_source as materialized (select "public"."add"("a" => $1::integer, "b b" => $2::text) as pgrst_scalar)`,
      ),
      values: ['1', 'x'],
    }))

  test('by POST has its arguments converted from JSON', () =>
    expect(
      sqlOf({ method: 'POST', path: '/rpc/add', body: { a: 1, 'b b': 'x' }, routines: [add] }).main.text,
    ).toContain(
      `"public"."add"("a" => pgrst_args."a", "b b" => pgrst_args."b b") as pgrst_scalar from json_to_record($1::json) as pgrst_args("a" integer, "b b" text)`,
    ))

  test('of rows can be a part of a larger query', () =>
    expect(sqlOf({ path: '/rpc/rows', routines: [rows] }).main.text).toContain(
      `with pgrst_source as (select pgrst_call.* from "public"."rows"() as pgrst_call) ${ANSWER}, ${BODY}`,
    ))

  test('with a variadic argument', () => {
    const total = routine('total', { parameters: [parameter('n', 'integer[]', { variadic: true })] })
    expect(sqlOf({ path: '/rpc/total?n=1&n=2', routines: [total] }).main).toMatchObject({
      text: expect.stringContaining('(variadic "n" => $1::integer[])'),
      values: ['{"1","2"}'],
    })
  })
})
