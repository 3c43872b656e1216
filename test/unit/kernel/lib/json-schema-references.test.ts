/** References of JSON Schema by JSON Pointer, by anchor and by URI, always within one document. */
import { describe, expect, it } from 'vitest'
import { prepareSchema } from '../../../../src/kernel/lib/json-schema/prepare-schema.ts'
import { problemsOf } from '../../../../src/kernel/lib/json-schema/validate.ts'

const draft = (name: string) => ({ $schema: `https://json-schema.org/draft/${name}/schema` })
const draft07 = { $schema: 'http://json-schema.org/draft-07/schema#' }
const draft04 = { $schema: 'http://json-schema.org/draft-04/schema#' }

const text = { type: 'string' }

const rows: [title: string, schema: unknown, valid: unknown[], invalid: unknown[]][] = [
  ['a pointer with escaped slashes, tildes, percent signs and quotes', { $defs: { 'a/b~c%"d': text }, $ref: '#/$defs/a~1b~0c%25%22d' }, ['x'], [1]],
  ['a pointer into an array', { anyOf: [text, { type: 'null' }], properties: { a: { $ref: '#/anyOf/1' } } }, ['x'], [1]],
  ['a pointer to an unknown keyword', { 'x-types': { name: text }, properties: { a: { $ref: '#/x-types/name' } } }, [{ a: 'x' }], [{ a: 1 }]],
  ['its target and the keywords next to the reference', { $defs: { a: text }, $ref: '#/$defs/a', minLength: 2 }, ['xx'], ['x', 1]],
  ['only its target in draft-07 and before', { ...draft07, definitions: { a: text }, allOf: [{ $ref: '#/definitions/a', minLength: 2 }] }, ['x'], [1]],
  ['a definition next to the reference in draft-07', { ...draft07, $ref: '#/definitions/a', definitions: { a: text } }, ['x'], [1]],
  ['the document itself, for recursion into the value', { type: 'object', additionalProperties: { $ref: '#' } }, [{ a: { b: {} } }], [{ a: { b: 1 } }]],

  ['a schema with an $anchor', { $defs: { a: { $anchor: 'name', ...text } }, $ref: '#name' }, ['x'], [1]],
  ['an $id that is an anchor in draft-07', { ...draft07, definitions: { a: { $id: '#name', ...text } }, allOf: [{ $ref: '#name' }] }, ['x'], [1]],
  ['an id in draft-04', { ...draft04, definitions: { a: { id: 'https://example.com/a#name', ...text } }, allOf: [{ $ref: 'https://example.com/a#name' }] }, ['x'], [1]],

  ['a relative URI', { $id: 'https://example.com/schemas/all', $defs: { a: { $id: 'text', ...text } }, $ref: 'text' }, ['x'], [1]],
  ['an absolute URI', { $defs: { a: { $id: 'https://example.com/text', ...text } }, $ref: 'https://example.com/text' }, ['x'], [1]],
  ['the URI of the whole document', { $id: 'https://example.com/all', properties: { a: { $ref: 'https://example.com/all#/$defs/b' } }, $defs: { b: text } }, [{ a: 'x' }], [{ a: 1 }]],
  ['a URN', { $id: 'urn:example:all', $defs: { a: { $id: 'urn:example:text', $defs: { b: text } } }, $ref: 'urn:example:text#/$defs/b' }, ['x'], [1]],
  ['a relative URI in a document without a URI', { $defs: { a: { $id: 'text', ...text } }, $ref: 'text' }, ['x'], [1]],
  ['the innermost enclosing schema with a URI, by #', { $defs: { a: { $id: 'https://example.com/a', ...text, $defs: { b: { $ref: '#' } } } }, $ref: 'https://example.com/a#/$defs/b' }, ['x'], [1]],
  ['anchors of the same name in two resources', { $id: 'https://example.com/', $defs: { a: { $id: 'a', $anchor: 'x', ...text }, b: { $id: 'b', $anchor: 'x', type: 'null' } }, $ref: 'a#x' }, ['x'], [null]],
  ['no $id in an enum, where it is a value', { enum: [{ $id: 'https://example.com/a' }, 1], properties: { $id: { $ref: '#/$defs/a' } }, $defs: { a: { $id: 'https://example.com/a', ...text } } }, [1, { $id: 'https://example.com/a' }], [2]],

  ['the target of a $dynamicRef without a dynamic anchor, like a $ref', { $defs: { a: { $anchor: 'x', ...text } }, $dynamicRef: '#x' }, ['x'], [1]],
  [
    'the schema that the outermost schema extends, for $dynamicRef',
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
    'the schema that the outermost schema extends, for $recursiveRef',
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
  ['a subschema of another draft', { $defs: { a: { $id: 'https://example.com/a', ...draft('2019-09'), items: [text] } }, $ref: 'https://example.com/a' }, [['x', 1]], [[1]]],
  ['the schema of a draft: values that are schemas', { $ref: 'https://json-schema.org/draft/2020-12/schema' }, [{ minLength: 1 }, true], [{ minLength: -1 }, { $defs: { a: { type: 'x' } } }, 1]],
] // biome-ignore format: one row for each case

describe('a reference resolves to', () => {
  it.each(rows)('%s', (_title, schema, valid, invalid) => {
    const prepared = prepareSchema(schema)
    if ('problems' in prepared) throw new Error(prepared.problems.join(' '))
    const isValid = (value: unknown) => problemsOf(prepared, value) === undefined
    const wronglyRejected = valid.filter((value) => !isValid(value))
    const wronglyAccepted = invalid.filter(isValid)
    expect({ wronglyRejected, wronglyAccepted }).toEqual({ wronglyRejected: [], wronglyAccepted: [] })
  })
})
