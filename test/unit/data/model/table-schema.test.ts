/** Table schemas: their problems and their stored form. D4–D6. */
import { describe, expect, it } from 'vitest'
import type { TableSchema } from '../../../../src/data/model/schema-form.ts'
import { schemaHash } from '../../../../src/data/model/table-schema.ts'
import { typeNames } from '../../../../src/data/model/types.ts'
import { problemsOf } from '../../../support/tables.ts'

const id = { name: 'id', type: 'integer' }
const withFields = (...fields: unknown[]) => ({ fields: [id, ...fields], primaryKey: 'id' })

describe('the validation of a table schema', () => {
  it('names all problems at once', () => {
    expect(
      problemsOf({
        fields: [
          id,
          { name: 'price', type: 'number', constraints: { minLength: 1, pattern: '^x' } },
          { name: 'price', type: 'string' },
          { name: 'a__b', type: 'date', format: '%d.%m.%Y' },
          { name: 'b', type: 'year', format: 'email' },
        ],
        primaryKey: ['nope'],
        foreignKeys: [{ fields: ['gone', 'id'], reference: { resource: 'x', fields: ['id'] } }],
        indexes: [{ name: 'i', fields: ['id'], method: 'gin' }],
        search_fields: ['price', 'missing'],
      }),
    ).toEqual([
      'fields[1] ("price").constraints.minLength: does not apply to type number',
      'fields[1] ("price").constraints.pattern: does not apply to type number',
      'fields: there are two fields named "price"',
      'fields[3] ("a__b"): a field name may not have two underscores in a row',
      'fields[4] ("b").format: there is no format "email" of type year. Formats: default',
      'primaryKey: there is no field "nope"',
      'foreignKeys[0]: has 2 fields but references 1',
      'foreignKeys[0].fields: there is no field "gone"',
      'indexes[0]: a gin index supports only fields of type object or array; "id" is of type integer',
      'search_fields[0]: "price" is of type number; only strings can be searched',
      'search_fields[1]: there is no field "missing"',
    ])
  })

  it('accepts an index only on fields and properties that its method supports', () => {
    const fields = [id, { name: 'title', type: 'string' }, { name: 'about', type: 'object' }]
    const index = (name: string, of: string[], method = 'btree', more = {}) => ({
      name,
      fields: of,
      method,
      ...more,
    })
    const indexes = [
      index('a', ['about.power']),
      index('b', ['about.power::money', 'title.x::string', 'title::string']),
      index('c', ['about..power::number', 'gone.power::number']),
      index('d', ['id', 'about.power::number', 'about'], 'trigram'),
      index('e', ['about.power::number'], 'gin'),
      index('f', ['about.serial::string'], 'btree', { unique: true }),
      index('g', ['about.on::boolean'], 'brin'),
      index('h', ['about.a::number', 'about.a::number'], 'hash'),
      index('i', ['title'], 'hash', { descending: ['a'] }),
    ]
    const fine = [
      index('a', ['about.power::number', 'id']),
      index('b', ['title', 'about.colour::string', 'about."a.b"::text'], 'trigram'),
      index('c', ['about', 'about.tags'], 'gin'),
      index('d', ['title', 'about.power::number'], 'btree', { descending: ['about.power::number'] }),
    ]
    const known = 'Types: string, number, integer, boolean, date, time, datetime, uuid'
    expect(problemsOf({ fields, primaryKey: 'id', indexes })).toEqual([
      'indexes[0]: a btree index takes no objects or arrays; "about.power" is of type JSON; ' +
        'write its type after it: about.power::string',
      `indexes[1].fields: "about.power::money": unknown type. ${known}`,
      'indexes[1].fields: "title" is of type string, which has no properties',
      'indexes[1].fields: "title::string": only a property has a type of its own; "title" is a field',
      'indexes[2].fields: "about..power::number": A property name between two "." is empty.',
      'indexes[2].fields: there is no field "gone"',
      'indexes[3]: a trigram index takes only strings; "id" is of type integer',
      'indexes[3]: a trigram index takes only strings; "about.power::number" is of type number',
      'indexes[3]: a trigram index takes only strings; "about" is of type object',
      'indexes[4]: a gin index supports only fields of type object or array; ' +
        '"about.power::number" is of type number',
      'indexes[5]: a unique index can contain fields, but not properties',
      'indexes[6]: a brin index does not support booleans',
      'indexes[7].fields: "about.a::number" is listed twice',
      'indexes[7]: a hash index can contain only one field',
      'indexes[8]: descending: "a" is not one of the fields',
      'indexes[8]: only a btree index can be descending',
    ])
    expect(problemsOf({ fields, primaryKey: 'id', indexes: fine })).toMatchObject({ primaryKey: ['id'] })
  })

  it('reports problems of form in one part together with problems in others', () => {
    expect(
      problemsOf({
        fields: [
          id,
          { name: 'price', type: 'money', unit: 'EUR' },
          { name: 'constructor', type: 'number', constraints: { minimum: 'x', maxLength: 2 } },
          { type: 'string' },
          'title',
          { name: '__proto__', type: 'string' },
        ],
        primaryKey: ['price', 'gone'],
        foreignKeys: [
          { fields: 'price' },
          { fields: ['price', 'lost'], reference: { resource: 'x', fields: ['id', 'id'] } },
        ],
        indexes: [
          { name: 'Bad', fields: 'id' },
          { name: 'i', fields: 'nowhere' },
          { name: 'j', fields: 'price', unique: true, method: 'hash' },
        ],
        search_fields: [7, 'id'],
        search_language: 'klingon',
      }),
    ).toEqual([
      `fields[1] ("price").type: Must be one of: ${typeNames.join(', ')}.`,
      'fields[1] ("price"): unknown key "unit"',
      'fields[3].name: This field is required.',
      'fields[4]: Must be an object.',
      'fields[5] ("__proto__").name: a field name begins with a letter and has up to 63 letters, digits and underscores',
      'foreignKeys[0].reference: This field is required.',
      'indexes[0].name: an index name begins with a lower-case letter and has up to 48 lower-case letters, digits and underscores',
      'search_fields[0]: Must be the name of a field, or {"field", "weight"} with a weight of A, B, C or D.',
      expect.stringContaining('search_language: Must be one of: arabic'),
      'fields[2] ("constructor").constraints.maxLength: does not apply to type number',
      'fields[2] ("constructor").constraints.minimum: A number is required.',
      'primaryKey: there is no field "gone"',
      'foreignKeys[1].fields: there is no field "lost"',
      'indexes[1].fields: there is no field "nowhere"',
      'search_fields[1]: "id" is of type integer; only strings can be searched',
    ])
  })

  it('does not check the elements of a list that is too long', () => {
    expect(problemsOf({ fields: Array(20_000).fill({ name: 1 }), primaryKey: 'id' })).toEqual([
      'fields: Ensure this field has no more than 1000 elements.',
    ])
    expect(problemsOf({ ...withFields(), foreignKeys: Array(50_000).fill({}) })).toEqual([
      'foreignKeys: Ensure this field has no more than 50 elements.',
    ])
  })

  it.each<[string, unknown, string[]]>([
    ['no schema', undefined, ['This field is required.']],
    ['a value that is not an object', [], ['Must be an object.']],
    ['no fields', {}, ['fields: This field is required.']],
    ['an empty list of fields', { fields: [] }, ['fields: Ensure this field has at least 1 elements.']],
    [
      'an unknown type',
      { fields: [{ name: 'a', type: 'money' }] },
      [`fields[0] ("a").type: Must be one of: ${typeNames.join(', ')}.`],
    ],
    [
      'a hostile name',
      { fields: [{ name: 'Country Name', type: 'string' }] },
      [
        'fields[0] ("Country Name").name: a field name begins with a letter and has up to 63 letters, digits and underscores',
      ],
    ],
    [
      'an unknown key',
      { fields: [{ name: 'a', type: 'string', nullable: true }], extra: 1 },
      ['fields[0] ("a"): unknown key "nullable"', 'unknown key "extra"'],
    ],
    [
      'an enum of another type',
      withFields({ name: 'a', type: 'integer', constraints: { enum: [1, 'two'] } }),
      ['fields[1] ("a").constraints.enum[1]: A whole number is required.'],
    ],
    [
      'bounds in the wrong order',
      withFields({ name: 'a', type: 'number', constraints: { minimum: 3, maximum: 2 } }),
      ['fields[1] ("a").constraints.minimum: is greater than the maximum'],
    ],
    [
      'lengths in the wrong order',
      withFields({ name: 'a', type: 'string', constraints: { minLength: 3, maxLength: 2 } }),
      ['fields[1] ("a").constraints.minLength: is greater than maxLength'],
    ],
    [
      'a default of another type',
      withFields({ name: 'a', type: 'boolean', default: 'yes' }),
      ['fields[1] ("a").default: true or false is required.'],
    ],
    [
      'a default that breaks its own constraint',
      withFields({ name: 'a', type: 'string', constraints: { maxLength: 2 }, default: 'abc' }),
      ['fields[1] ("a").default: Ensure this field has no more than 2 characters.'],
    ],
    [
      'an object with a pattern',
      withFields({ name: 'a', type: 'object', constraints: { pattern: 'x' } }),
      ['fields[1] ("a").constraints.pattern: does not apply to type object'],
    ],
    [
      'a key of a type without an order',
      { fields: [{ name: 'a', type: 'array' }], primaryKey: 'a' },
      ['primaryKey: "a" is of type array, which cannot be a key'],
    ],
    [
      'SET NULL of a required field',
      {
        ...withFields({ name: 'a', type: 'integer', constraints: { required: true } }),
        foreignKeys: [
          { fields: 'a', reference: { resource: '', fields: 'id' }, 'x-actions': { onDelete: 'SET NULL' } },
        ],
      },
      ['foreignKeys[0]: onDelete is SET NULL, but "a" may not be null'],
    ],
    [
      'SET DEFAULT without a default',
      {
        ...withFields({ name: 'a', type: 'integer' }),
        foreignKeys: [
          {
            fields: 'a',
            reference: { resource: '', fields: 'id' },
            'x-actions': { onDelete: 'SET DEFAULT' },
          },
        ],
      },
      ['foreignKeys[0]: onDelete is SET DEFAULT, but "a" has no default'],
    ],
    [
      'a column name that Postgres has in every table',
      withFields({ name: 'ctid', type: 'string' }),
      ['fields[1] ("ctid"): the name is reserved: every Postgres table has a column with this name'],
    ],
    [
      'two foreign keys of one field',
      {
        ...withFields({ name: 'a', type: 'integer' }),
        foreignKeys: ['x', 'y'].map((resource) => ({ fields: 'a', reference: { resource, fields: 'id' } })),
      },
      ['foreignKeys[1]: there are two foreign keys of a'],
    ],
    [
      'a brin index of booleans',
      {
        ...withFields({ name: 'a', type: 'boolean' }),
        indexes: [{ name: 'i', fields: 'a', method: 'brin' }],
      },
      ['indexes[0]: a brin index does not support booleans'],
    ],
    [
      'a key that is not a name',
      { fields: [id], primaryKey: 5 },
      ['primaryKey: Must be the name of a field, or an array of 1 to 32 of them.'],
    ],
    [
      'a look-around, which no linear-time engine supports',
      withFields({ name: 'a', type: 'string', constraints: { pattern: '(?=a)' } }),
      [
        'fields[1] ("a").constraints.pattern: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
      ],
    ],
  ])('rejects %s', (_, schema, problems) => {
    expect(problemsOf(schema)).toEqual(problems)
  })
})

describe('the stored form of a table schema', () => {
  it('has a uuid field id if there is no primary key', () => {
    expect(problemsOf({ fields: [{ name: 'title', type: 'string' }] })).toEqual({
      fields: [
        { name: 'id', type: 'uuid' },
        { name: 'title', type: 'string' },
      ],
      primaryKey: ['id'],
    })
  })

  it('has a declared field id as primary key', () => {
    expect(problemsOf({ fields: [{ name: 'title', type: 'string' }, id] })).toEqual({
      fields: [{ name: 'title', type: 'string' }, id],
      primaryKey: ['id'],
    })
  })

  it('has a delete rule for every foreign key, by default RESTRICT', () => {
    const schema = {
      ...withFields({ name: 'a', type: 'integer' }),
      foreignKeys: [{ fields: 'a', reference: { resource: 'b', fields: 'id' } }],
    }
    expect(problemsOf(schema)).toMatchObject({
      foreignKeys: [
        {
          fields: ['a'],
          reference: { resource: 'b', fields: ['id'] },
          'x-actions': { onDelete: 'RESTRICT' },
        },
      ],
    })
  })

  it('has a hash that does not depend on the order of members', () => {
    const a = problemsOf({ primaryKey: ['id'], fields: [{ type: 'integer', name: 'id' }] }) as TableSchema
    const b = problemsOf({ fields: [{ name: 'id', type: 'integer' }], primaryKey: 'id' }) as TableSchema
    const c = problemsOf({ fields: [{ name: 'id', type: 'string' }], primaryKey: 'id' }) as TableSchema
    expect(schemaHash(a)).toBe(schemaHash(b))
    expect(schemaHash(a)).not.toBe(schemaHash(c))
    expect(schemaHash(a)).toMatch(/^[0-9a-f]{64}$/)
  })
})
