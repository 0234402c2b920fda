import pg from 'pg'

/** What becomes of a value's text form, by the OID of its type. Types not named here stay text. */
type Parsers = Readonly<Record<number, (text: string) => unknown>>

const text = (value: string): string => value
const json = (value: string): unknown => JSON.parse(value)

/**
 * How result values are read: numbers up to 64 bits, booleans and JSON as JavaScript has them, and
 * everything else as PostgreSQL writes it. In particular dates and times stay text: a Date would lose microseconds,
 * and a date without a time would get a time zone that it never had. Integers beyond 2^53 lose their last digits.
 */
const scalarParsers: Parsers = {
  16: (value) => value === 't', // bool
  20: Number, // int8
  21: Number, // int2
  23: Number, // int4
  26: Number, // oid
  700: Number, // float4
  701: Number, // float8
  114: json,
  3802: json, // jsonb
  17: text, // bytea
  1082: text, // date
  1114: text, // timestamp
  1184: text, // timestamptz
}

/** Array types of PostgreSQL itself whose values become arrays, by the OID of the array, with that of its elements. */
const arrayElements: Readonly<Record<number, number>> = {
  1000: 16,
  1016: 20,
  1005: 21,
  1007: 23,
  1021: 700,
  1022: 701,
  199: 114,
  3807: 3802,
  1009: 25, // text
  1015: 1043, // varchar
  1182: 1082,
  1185: 1184,
  1231: 1700, // numeric
  2951: 2950, // uuid
}

/** How to read a type that is no array. */
const scalarParser = (oid: number): ((value: string) => unknown) => scalarParsers[oid] ?? text

/** For the driver. We only ever ask for the text form of values, so the format is of no interest. */
export function getTypeParser(oid: number): (value: string) => unknown {
  const element = arrayElements[oid]
  if (element === undefined) return scalarParser(oid)
  return (value) => readElements(splitArray(value), scalarParser(element))
}

const TEXT_ARRAY: number = 1009
const splitArray = pg.types.getTypeParser(TEXT_ARRAY) as (value: string) => Nested

/** The elements of an array as text, to any depth. */
type Nested = ReadonlyArray<string | null | Nested>

const readElements = (elements: Nested, read: (value: string) => unknown): unknown[] =>
  elements.map((element) =>
    element === null ? null : typeof element === 'string' ? read(element) : readElements(element, read),
  )
