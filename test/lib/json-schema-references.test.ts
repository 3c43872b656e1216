/** References of JSON Schema: by place, by anchor and by address; always within the schema itself. */
import { describe, expect, it } from 'vitest'
import { prepareSchema } from '../../src/lib/json-schema/prepare.ts'
import { problemsOf } from '../../src/lib/json-schema/validate.ts'

const draft = (name: string) => ({ $schema: `https://json-schema.org/draft/${name}/schema` })
const draft07 = { $schema: 'http://json-schema.org/draft-07/schema#' }
const draft04 = { $schema: 'http://json-schema.org/draft-04/schema#' }

const text = { type: 'string' }

const rows: [what: string, schema: unknown, fitting: unknown[], others: unknown[]][] = [
  ['a place whose name has slashes, tildes, percents and quotes', { $defs: { 'a/b~c%"d': text }, $ref: '#/$defs/a~1b~0c%25%22d' }, ['x'], [1]],
  ['a place in a list', { anyOf: [text, { type: 'null' }], properties: { a: { $ref: '#/anyOf/1' } } }, ['x'], [1]],
  ['a place where no keyword is', { 'x-types': { name: text }, properties: { a: { $ref: '#/x-types/name' } } }, [{ a: 'x' }], [{ a: 1 }]],
  ['what stands beside a reference counts', { $defs: { a: text }, $ref: '#/$defs/a', minLength: 2 }, ['xx'], ['x', 1]],
  ['but in draft-07 and before', { ...draft07, definitions: { a: text }, allOf: [{ $ref: '#/definitions/a', minLength: 2 }] }, ['x'], [1]],
  ['in draft-07 a definition beside the reference to it', { ...draft07, $ref: '#/definitions/a', definitions: { a: text } }, ['x'], [1]],
  ['recursion that goes into the value', { type: 'object', additionalProperties: { $ref: '#' } }, [{ a: { b: {} } }], [{ a: { b: 1 } }]],

  ['$anchor', { $defs: { a: { $anchor: 'name', ...text } }, $ref: '#name' }, ['x'], [1]],
  ['an $id in draft-07 that is an anchor', { ...draft07, definitions: { a: { $id: '#name', ...text } }, allOf: [{ $ref: '#name' }] }, ['x'], [1]],
  ['an id in draft-04', { ...draft04, definitions: { a: { id: 'https://example.com/a#name', ...text } }, allOf: [{ $ref: 'https://example.com/a#name' }] }, ['x'], [1]],

  ['a relative address', { $id: 'https://example.com/schemas/all', $defs: { a: { $id: 'text', ...text } }, $ref: 'text' }, ['x'], [1]],
  ['an absolute one', { $defs: { a: { $id: 'https://example.com/text', ...text } }, $ref: 'https://example.com/text' }, ['x'], [1]],
  ['the address of the whole', { $id: 'https://example.com/all', properties: { a: { $ref: 'https://example.com/all#/$defs/b' } }, $defs: { b: text } }, [{ a: 'x' }], [{ a: 1 }]],
  ['a URN', { $id: 'urn:example:all', $defs: { a: { $id: 'urn:example:text', $defs: { b: text } } }, $ref: 'urn:example:text#/$defs/b' }, ['x'], [1]],
  ['addresses without that of the whole', { $defs: { a: { $id: 'text', ...text } }, $ref: 'text' }, ['x'], [1]],
  ['# is the schema with the address that is next outside', { $defs: { a: { $id: 'https://example.com/a', ...text, $defs: { b: { $ref: '#' } } } }, $ref: 'https://example.com/a#/$defs/b' }, ['x'], [1]],
  ['two anchors of one name below two addresses', { $id: 'https://example.com/', $defs: { a: { $id: 'a', $anchor: 'x', ...text }, b: { $id: 'b', $anchor: 'x', type: 'null' } }, $ref: 'a#x' }, ['x'], [null]],
  ['an $id in an enum is a value', { enum: [{ $id: 'https://example.com/a' }, 1], properties: { $id: { $ref: '#/$defs/a' } }, $defs: { a: { $id: 'https://example.com/a', ...text } } }, [1, { $id: 'https://example.com/a' }], [2]],

  ['$dynamicRef without a dynamic anchor is a $ref', { $defs: { a: { $anchor: 'x', ...text } }, $dynamicRef: '#x' }, ['x'], [1]],
  [
    '$dynamicRef finds what the outermost schema extends',
    {
      $id: 'https://example.com/of-texts',
      $ref: 'list',
      $defs: {
        texts: { $dynamicAnchor: 'item', ...text },
        list: { $id: 'list', type: 'array', items: { $dynamicRef: '#item' }, $defs: { any: { $dynamicAnchor: 'item' } } },
      },
    },
    [['x']],
    [[1]],
  ],
  [
    '$recursiveRef, too',
    {
      ...draft('2019-09'),
      $id: 'https://example.com/closed',
      $recursiveAnchor: true,
      $ref: 'tree',
      unevaluatedProperties: false,
      $defs: { tree: { $id: 'tree', $recursiveAnchor: true, type: 'object', properties: { below: { type: 'array', items: { $recursiveRef: '#' } } } } },
    },
    [{ below: [{ below: [] }] }],
    [{ below: [{ odd: 1 }] }],
  ],
  ['a part that is of another draft', { $defs: { a: { $id: 'https://example.com/a', ...draft('2019-09'), items: [text] } }, $ref: 'https://example.com/a' }, [['x', 1]], [[1]]],
  ['the schema of a draft: values that are schemas', { $ref: 'https://json-schema.org/draft/2020-12/schema' }, [{ minLength: 1 }, true], [{ minLength: -1 }, { $defs: { a: { type: 'x' } } }, 1]],
] // biome-ignore format: one row for each case

describe('a reference leads to', () => {
  it.each(rows)('%s', (_what, schema, fitting, others) => {
    const prepared = prepareSchema(schema)
    if ('problems' in prepared) throw new Error(prepared.problems.join(' '))
    const fits = (value: unknown) => problemsOf(prepared, value) === undefined
    expect({ fitting: fitting.filter((value) => !fits(value)), others: others.filter(fits) }).toEqual({ fitting: [], others: [] })
  })
})
