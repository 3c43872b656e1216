/** What is said of a value that does not fit: of each keyword, in words of ours, which quote the schema and never the value. */
import type { OutputUnit } from '@cfworker/json-schema'

const required = 'This field is required.'

/** From the validator's sentence, which names the schema's limit last. */
const messages: ReadonlyMap<string, (limit: string) => string> = new Map<string, (limit: string) => string>([
  ['type', (types) => `Must be of type ${types.replace(/"/g, '')}.`],
  ['const', (value) => `Must be ${value}.`],
  ['enum', (values) => `Must be one of: ${values}.`],
  ['minimum', (limit) => `Ensure this value is greater than or equal to ${limit}.`],
  ['maximum', (limit) => `Ensure this value is less than or equal to ${limit}.`],
  ['exclusiveMinimum', (limit) => `Ensure this value is greater than ${limit}.`],
  ['exclusiveMaximum', (limit) => `Ensure this value is less than ${limit}.`],
  ['multipleOf', (limit) => `Must be a multiple of ${limit}.`],
  ['minLength', (limit) => `Ensure this field has at least ${limit} characters.`],
  ['maxLength', (limit) => `Ensure this field has no more than ${limit} characters.`],
  ['minItems', (limit) => `Ensure this field has at least ${limit} elements.`],
  ['maxItems', (limit) => `Ensure this field has no more than ${limit} elements.`],
  ['minProperties', (limit) => `Ensure this field has at least ${limit} members.`],
  ['maxProperties', (limit) => `Ensure this field has no more than ${limit} members.`],
  ['uniqueItems', () => 'The elements must differ from each other.'],
  ['contains', () => 'The elements that are wanted are not all there, or are too many.'],
  ['minContains', () => 'The elements that are wanted are not all there.'],
  ['oneOf', () => 'Must fit one of the alternatives, and no more than one.'],
  ['not', () => 'This value is not allowed.'],
  ['false', () => 'This field is not allowed.'],
])

/** Where the limit stands in the validator's sentences. */
const limits: readonly RegExp[] = [
  /Expected (.*)\.$/s,
  /[<>] (\d+)\)\.$/,
  /at least (\d+) properties\.$/,
  /any of \[(.*)\]\.$/s,
  /match (.*)\.$/s,
  / (?:than|to|of) (-?[\d.e+-]+)\.$/,
]

export interface Message {
  /** To the field that it is about. */
  path: string[]
  message: string
}

export function messageOf({ keyword, keywordLocation, instanceLocation, error }: OutputUnit): Message {
  const path = instanceLocation.split('/').slice(1).map(decodePointer)
  if (keywordLocation.includes('/propertyNames/')) return { path, message: 'A field of this name is not allowed.' }
  if (keyword === 'format') return { path, message: formatMessage(error) }
  const missing = /(?:required property|does not have) "(.*)"\.$/s.exec(error)?.[1]
  if (missing !== undefined) return { path: [...path, missing], message: required }
  const limit = limits.flatMap((pattern) => pattern.exec(error)?.[1] ?? [])[0] ?? ''
  return { path, message: messages.get(keyword)?.(limit) ?? 'This value is not allowed.' }
}

/** A pattern is checked as a format of its own name (prepare.ts). */
function formatMessage(error: string): string {
  const name = /format "(.*)"\.$/s.exec(error)?.[1] ?? ''
  return name.startsWith('pattern ') ? `Must match the pattern ${name.slice('pattern '.length)}` : `Must be in the format ${name}.`
}

const decodePointer = (part: string): string => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
