/** The CEL environment of filter conditions: three variables and a closed list of functions. E4. */
import { Environment } from '@marcbachmann/cel-js'
import * as texts from './texts.ts'
import * as times from './times.ts'

/** The macros: functions that iterate over a list. */
export const macros: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'filter', 'map'])

/** The functions of the library that follow the specification. */
const libraryFunctions = [
  ...['has', 'size', 'type', 'dyn', 'int', 'uint', 'double', 'string', 'bool', 'timestamp', 'duration'],
  ...['startsWith', 'endsWith', 'trim', 'of', 'none', 'hasValue', 'value', 'or', 'orValue'],
  ...[
    'getFullYear',
    'getMonth',
    'getDate',
    'getDayOfMonth',
    'getDayOfWeek',
    'getDayOfYear',
    'getHours',
    'getMinutes',
    'getSeconds',
  ],
]

// biome-ignore lint/suspicious/noExplicitAny: the library calls each handler with the types of its signature
type Handler = (...values: any[]) => unknown

const timestamp = 'google.protobuf.Timestamp'
const duration = 'google.protobuf.Duration'

/** Our own methods, one row for each signature. */
const methods: readonly [
  receiver: string,
  name: string,
  parameters: string,
  result: string,
  handler: Handler,
][] = [
  ['string', 'matches', 'string', 'bool', texts.matches],
  ['string', 'contains', 'string', 'bool', texts.contains],
  ['string', 'indexOf', 'string', 'int', texts.indexOf],
  ['string', 'indexOf', 'string, int', 'int', texts.indexOf],
  ['string', 'substring', 'int', 'string', texts.substring],
  ['string', 'substring', 'int, int', 'string', texts.substring],
  ['string', 'lowerAscii', '', 'string', texts.lowerAscii],
  ['string', 'upperAscii', '', 'string', texts.upperAscii],
  ['string', 'split', 'string', 'list<string>', texts.split],
  ['string', 'split', 'string, int', 'list<string>', texts.split],
  ['string', 'replace', 'string, string', 'string', texts.replace],
  ['string', 'replace', 'string, string, int', 'string', texts.replace],
  ['list<string>', 'join', '', 'string', texts.join],
  ['list<string>', 'join', 'string', 'string', texts.join],
  [timestamp, 'getMilliseconds', '', 'int', times.timestampMilliseconds],
  [timestamp, 'getMilliseconds', 'string', 'int', times.timestampMilliseconds],
  [duration, 'getMilliseconds', '', 'int', times.durationMilliseconds],
]

const conversions: readonly [name: string, parameter: string, result: string, handler: Handler][] = [
  ['string', timestamp, 'string', times.timestampText],
  ['string', duration, 'string', times.durationText],
  ['int', timestamp, 'int', times.timestampSeconds],
]

/**
 * The prefix of our own methods. The library has methods with the same names and does not allow to replace
 * them, so calls in conditions are rewritten to the prefixed name.
 */
export const ownPrefix = 'own__'
/** The names of our own methods, without the prefix. */
export const ownMethods: ReadonlySet<string> = new Set(methods.map(([, name]) => name))

/** The names of all functions and methods that conditions may call. */
export const functions: ReadonlySet<string> = new Set([...macros, ...libraryFunctions, ...ownMethods])

/** Parses and evaluates conditions. Throws an Error for more nodes, nesting or members than these limits. */
export const environment = new Environment({
  homogeneousAggregateLiterals: false,
  enableOptionalTypes: true,
  limits: { maxAstNodes: 200, maxDepth: 30, maxListElements: 100, maxMapEntries: 100, maxCallArguments: 8 },
})
  .registerVariable('event', 'dyn')
  .registerVariable('user', 'dyn')
  .registerVariable('time', 'map')

for (const [receiver, name, parameters, result, handler] of methods) {
  environment.registerFunction(`${receiver}.${ownPrefix}${name}(${parameters}): ${result}`, handler)
}
for (const [name, parameter, result, handler] of conversions)
  environment.registerFunction(`${name}(${parameter}): ${result}`, handler)

/**
 * Numbers of JSON are doubles, while literals in conditions are mostly integers. If both occur together, they
 * are computed as doubles.
 */
const arithmetic: readonly [sign: string, compute: (a: number, b: number) => number][] = [
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['*', (a, b) => a * b],
  ['/', (a, b) => a / b],
  ['%', (a, b) => a % b],
]
for (const [sign, compute] of arithmetic) {
  const mixed = (a: bigint | number, b: bigint | number) => compute(Number(a), Number(b))
  environment
    .registerOperator(`double ${sign} int: double`, mixed)
    .registerOperator(`int ${sign} double: double`, mixed)
}
environment.registerOperator('double % double: double', (a: number, b: number) => a % b)
