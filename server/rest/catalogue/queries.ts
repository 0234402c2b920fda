/** Each type beside the one beneath its domains. */
const baseTypes = `
  base (oid, beneath) as (
    select oid, oid from pg_type where typtype <> 'd'
    union all
    select t.oid, b.beneath from pg_type t join base b on b.oid = t.typbasetype where t.typtype = 'd'
  )`

/** The columns of a relation, as JSON in their order. */
const columnsOf = (relation: string) => `(
  select coalesce(json_agg(json_build_object(
    'name', a.attname,
    'type', format_type(a.atttypid, a.atttypmod),
    'base', format_type(base.beneath, null),
    'nullable', not (a.attnotnull or t.typnotnull),
    'default', case
      when a.attidentity = 'd' then format('nextval(%L)', pg_get_serial_sequence(a.attrelid::regclass::text, a.attname))
      when a.attgenerated = '' then coalesce(pg_get_expr(d.adbin, d.adrelid), t.typdefault)
    end,
    'identity', case a.attidentity when 'a' then 'always' when 'd' then 'by default' end,
    'generated', a.attgenerated <> ''
  ) order by a.attnum), '[]')
  from pg_attribute a
    join pg_type t on t.oid = a.atttypid
    join base on base.oid = t.oid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = ${relation} and a.attnum > 0 and not a.attisdropped)`

/** Tables, views, materialised views, foreign and partitioned tables of the schemas in $1. */
export const tablesQuery = `
  with recursive ${baseTypes}
  select n.nspname as schema, c.relname as name, format_type(c.reltype, null) as "rowType",
    ${columnsOf('c.oid')} as columns,
    (select coalesce(json_agg(a.attname order by array_position(k.conkey, a.attnum)), '[]')
     from pg_constraint k join pg_attribute a on a.attrelid = c.oid and a.attnum = any (k.conkey)
     where k.conrelid = c.oid and k.contype = 'p') as "primaryKey"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'v', 'm', 'f', 'p') and n.nspname = any ($1::text[])
  order by 1, 2`

/** The arguments of function p that have one of the modes: i(n), b(oth), v(ariadic), o(ut), t(able). */
const argumentsOf = (modes: string, shape: string) => `(
  select json_agg(${shape} order by a.place)
  from (
    select coalesce(p.proargnames[i], '') as name, type, coalesce(p.proargmodes[i], 'i') as mode,
      row_number() over (order by i) as place
    from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as u (type, i)
    where coalesce(p.proargmodes[i], 'i') = any ('${modes}')
  ) a join base on base.oid = a.type)`

const parameterShape = `json_build_object('name', a.name, 'type', format_type(a.type, -1),
  'optional', a.place > p.pronargs - p.pronargdefaults, 'variadic', a.mode = 'v')`

const resultColumnShape = `json_build_object('name', a.name, 'type', format_type(a.type, -1),
  'base', format_type(base.beneath, null), 'nullable', true, 'generated', false)`

/** Functions of the schemas in $1 that can be called by name, without those that only triggers may call. */
export const routinesQuery = `
  with recursive ${baseTypes}
  select n.nspname as schema, p.proname as name, p.provolatile as volatility, p.proretset as many,
    p.prorettype = 'void'::regtype as void, format_type(p.prorettype, null) as type,
    coalesce(${argumentsOf('{i,b,v}', parameterShape)}, '[]') as parameters,
    coalesce(${argumentsOf('{o,b,t}', resultColumnShape)},
      case when r.typtype = 'c' then ${columnsOf('r.typrelid')} end) as columns
  from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    left join base on base.oid = p.prorettype
    left join pg_type r on r.oid = base.beneath
  where p.prokind = 'f' and n.nspname = any ($1::text[])
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
  order by 1, 2, p.oid`

/** Types that a value can be cast to, under PostgreSQL's own name and under SQL's. */
export const typesQuery = `
  select t.typname as name, format_type(t.oid, null) as alias, format_type(t.oid, -1) as sql
  from pg_type t join pg_namespace n on n.oid = t.typnamespace
  where t.typtype in ('b', 'd', 'e', 'r', 'm') and t.typisdefined
    and n.nspname = any ('{pg_catalog,public,extensions}'::text[] || $1::text[])
  order by n.nspname = 'pg_catalog'`
