/** The formats that a `string` field can declare: one row each. D4. */

import { isDate, isDatetime } from '../../kernel/lib/date-texts.ts'
import { isBase64 } from '../../kernel/lib/is-base64.ts'

/** The conditions that a string of a format must meet. */
export interface Format {
  /** Checks the conditions that the expression cannot express. */
  test?(text: string): boolean
  /** Checks what the expression means, if JavaScript cannot match it against long texts. */
  matches?(text: string): boolean
  /**
   * An expression that JavaScript and Postgres read alike: plain ASCII, no look-around, no character classes.
   */
  pattern: string
  /** The most characters a text may have. */
  lengthMax: number
  /** The message for other strings. */
  problem: string
}

const label = '[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'

/** The formats by name. */
export const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  [
    'email',
    {
      pattern: `^[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${label}(\\.${label})+$`,
      lengthMax: 254,
      problem: 'An e-mail address is required.',
    },
  ],
  [
    'binary',
    {
      pattern: '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
      matches: isBase64,
      lengthMax: 10_000_000,
      problem: 'Base64 is required.',
    },
  ],
  [
    'uri',
    {
      pattern: '^[a-zA-Z][a-zA-Z0-9+.-]*:[!-~]+$',
      lengthMax: 4096,
      problem: 'A URI is required, for example https://example.com/.',
    },
  ],
  [
    'uuid',
    {
      pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
      lengthMax: 36,
      problem: 'A UUID is required.',
    },
  ],
  [
    'date',
    {
      pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$',
      lengthMax: 10,
      problem: 'A date is required, for example 2026-01-31.',
      test: isDate,
    },
  ],
  [
    'datetime',
    {
      pattern:
        '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T' +
        '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})$',
      lengthMax: 40,
      test: isDatetime,
      problem: 'A date and time is required, for example 2026-01-31T18:30:00Z.',
    },
  ],
])
