/** The reasons for which JSON must not be parsed (json-scan.ts). */
import { quoteValue } from './quote-value.ts'

/** A reason. `path` leads to the array, as in `scopes.0.can`; it is empty for the whole text. */
export type JsonFault =
  | { kind: 'repeated'; name: string }
  | { kind: 'members' | 'names' | 'values' | 'levels' | 'number'; max: number }
  | { kind: 'elements' | 'rows'; max: number; path: string }

/** Returns the reason as a sentence. */
export function faultText(fault: JsonFault): string {
  switch (fault.kind) {
    case 'repeated':
      return `The name ${quoteValue(fault.name)} is repeated in one object.`
    case 'members':
      return `An object has more than ${fault.max} members.`
    case 'names':
      return `The records have more than ${fault.max} different members.`
    case 'values':
      return `The values have more than ${fault.max} members and elements together.`
    case 'levels':
      return `It is nested deeper than ${fault.max} levels.`
    case 'number':
      return `A number has more than ${fault.max} characters.`
    case 'elements':
    case 'rows':
      return `${arrayAt(fault.path)} has more than ${fault.max} elements.`
  }
}

const arrayAt = (path: string): string => (path === '' ? 'An array' : `The array ${quoteValue(path)}`)
