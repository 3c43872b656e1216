/** A table whose values are easily changed by conversions, and its records as JSON text. */

const field = (name: string, type: string, more: object = {}) => ({ name, type, ...more })

/** The table, for `create_schema`. */
export const hardTable = {
  name: 'cases',
  schema: {
    fields: [
      field('id', 'integer'),
      field('whole', 'integer'),
      field('exact', 'number'),
      field('text', 'string'),
      field('filled', 'string', { default: 'filled' }),
      field('on', 'date', { format: '%d.%m.%Y' }),
      field('at', 'datetime'),
      field('clock', 'time'),
      field('flag', 'boolean', { trueValues: ['yes'] }),
      field('facts', 'object'),
      field('parts', 'array'),
      field('value', 'any'),
      field('created_at', 'datetime'),
      field('updated_at', 'datetime'),
      field('is_deleted', 'boolean'),
    ],
    primaryKey: 'id',
    missingValues: ['', '-'],
  },
}

const times = '"created_at":"2001-02-03T04:05:06Z","updated_at":"2002-03-04T05:06:07.000008Z"'

/**
 * Its records: the largest numbers and times, digits that a double loses, empty texts next to nulls, a null
 * in a field with a default, texts that mean a missing value in files, and a deleted record.
 */
export const hardRecords = `[
  {"id": 1, "whole": 9223372036854775807, "exact": 12345678901234567890.123456789012345678,
   "text": "", "filled": null, "on": "9999-12-31", "at": "9999-12-31T23:59:59.999999Z",
   "clock": "23:59:59.999999", "flag": false, "facts": {"n": 9007199254740993.10, "": ""},
   "parts": ["", null, 0.10], "value": "", ${times}, "is_deleted": false},
  {"id": 2, "whole": -9223372036854775808, "exact": 0.000000000000000000000000000001,
   "text": null, "filled": "", "on": "0001-01-01", "at": "0001-01-01T00:00:00Z", "clock": "00:00:00",
   "flag": true, "facts": {}, "parts": [], "value": 9007199254740993, ${times}, "is_deleted": true},
  {"id": 9007199254740993, "whole": null, "exact": null, "text": "-", "filled": "x", "on": null, "at": null,
   "clock": null, "flag": null, "facts": null, "parts": null, "value": [null, "yes"], ${times},
   "is_deleted": false},
  {"id": 4, "whole": 0, "exact": 1E+30, "text": " \\u2028\\"\\\\\\t\\uD83D\\uDE00,;'\\r\\n ", "filled": "NULL",
   "on": "2000-02-29", "at": "1970-01-01T00:00:00Z", "clock": "12:00:00", "flag": false,
   "facts": {"a": {"b": [1e2, "1"]}}, "parts": [[[]]], "value": "5", ${times}, "is_deleted": false}
]`
