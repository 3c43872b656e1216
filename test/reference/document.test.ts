/** The quality of the OpenAPI document: everything has a description, and the examples are valid. W3. */
import { Validator } from '@cfworker/json-schema'
import { describe, expect, it } from 'vitest'
import { loadRoutes } from '../../src/app.ts'
import { operators } from '../../src/data/query/operators.ts'
import { documentOf } from '../../src/kernel/http/openapi/document.ts'
import type { Content, JsonSchema, Operation, Response } from '../../src/kernel/http/openapi/types.ts'
import { withExamples } from '../../src/operation/reference/examples.ts'
import { type SharedComponents, shareFilters } from '../../src/operation/reference/filter-parameters.ts'
import { webhooks } from '../../src/runtime/events/schema.ts'

const document = withExamples(documentOf(await loadRoutes(), webhooks))
const { schemas, responses: shared } = document.components
const operations: Operation[] = Object.values(document.paths).flatMap((methods) => Object.values(methods))

/** Returns the component that a reference points to. */
const target = <Value>(
  { $ref }: { $ref?: unknown },
  of: Readonly<Record<string, Value>>,
): Value | undefined => (typeof $ref === 'string' ? of[$ref.slice($ref.lastIndexOf('/') + 1)] : undefined)

/** Returns the properties of all schemas within a value: the path of each, and its schema. */
function propertiesIn(value: unknown, place: string): [string, JsonSchema][] {
  if (Array.isArray(value)) return value.flatMap((member) => propertiesIn(member, place))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([keyword, member]): [string, JsonSchema][] => {
    if (['example', 'default', 'enum', 'const'].includes(keyword)) return []
    if (keyword !== 'properties') return propertiesIn(member, place)
    return Object.entries(member as Record<string, JsonSchema>).flatMap(([name, schema]) => [
      [`${place}.${name}`, schema] as [string, JsonSchema],
      ...propertiesIn(schema, `${place}.${name}`),
    ])
  })
}

describe('the descriptions in the OpenAPI document', () => {
  it('exist for every operation, which also has a summary', () => {
    expect(
      operations
        .filter(({ summary, description }) => !summary || !description)
        .map(({ operationId }) => operationId),
    ).toEqual([])
  })

  it('exist for every parameter', () => {
    const silent = operations.flatMap(({ operationId, parameters }) =>
      parameters.filter(({ description }) => !description).map(({ name }) => `${operationId} ${name}`),
    )
    expect(silent).toEqual([])
  })

  it('exist for every answer', () => {
    const all = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses).map(
        ([status, response]) =>
          [`${operationId} ${status}`, '$ref' in response ? target(response, shared) : response] as const,
      ),
    )
    expect(all.filter(([, response]) => !response?.description).map(([name]) => name)).toEqual([])
  })

  it('exist for at least 95 of 100 properties', () => {
    const all = [
      ...Object.entries(schemas).flatMap(([name, schema]) => propertiesIn(schema, name)),
      ...operations.flatMap(({ operationId, requestBody, responses }) =>
        propertiesIn([requestBody, responses], operationId),
      ),
      ...propertiesIn([shared, document.webhooks], 'shared'),
    ]
    const silent = all
      .filter(([, schema]) => !schema.description && !target(schema, schemas)?.description)
      .map(([place]) => place)
    expect([silent.length / all.length <= 0.05, silent]).toEqual([true, expect.anything()])
  })
})

/** Each media type of a body or of a successful answer, with its name in test titles. */
const media: [string, Content[string]][] = operations.flatMap(({ operationId, requestBody, responses }) => [
  ...Object.entries(requestBody?.content ?? {}).map(
    ([type, content]) => [`${operationId} body ${type}`, content] as [string, Content[string]],
  ),
  ...Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, response]) =>
      Object.entries((response as Response).content ?? {}).map(
        ([type, content]) => [`${operationId} ${status} ${type}`, content] as [string, Content[string]],
      ),
    ),
])

/** The same for errors, which are components. */
const errors = Object.entries(shared).flatMap(([name, { content = {} }]) =>
  Object.entries(content).map(([type, one]) => [`${name} ${type}`, one] as [string, Content[string]]),
)

describe('the names in the OpenAPI document', () => {
  const wordsOf = (id: string) => id.match(/[A-Z]?[a-z0-9]+/g) ?? []

  it('have at most four words in the ids of operations', () => {
    const ids = [
      ...operations,
      ...Object.values(document.webhooks as Record<string, { post: Operation }>).map(({ post }) => post),
    ].map(({ operationId }) => operationId)
    expect(ids.filter((id) => wordsOf(id).length > 4)).toEqual([])
  })

  it('are those of components for every failure', () => {
    const inlined = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([status, response]) => !/^[23]/.test(status) && !('$ref' in response))
        .map(([status]) => `${operationId} ${status}`),
    )
    expect(inlined).toEqual([])
  })

  it('are described in one way for the sizes of pages', () => {
    const sizes = operations.flatMap(({ operationId, parameters }) =>
      parameters.filter(({ name }) => name === 'page_size').map((one) => ({ ...one, operationId })),
    )
    expect(sizes.length).toBeGreaterThan(30)
    for (const { description, schema, operationId } of sizes)
      expect([operationId, schema, description]).toEqual([
        operationId,
        { type: 'integer', minimum: 1 },
        expect.stringMatching(
          /^The number of items on a page\. Default: \d+\. Maximum: \d+; a larger number is reduced to it\.$/,
        ),
      ])
  })

  it('have the forms that the service accepts', () => {
    const parameter = (id: string, name: string) =>
      operations.find(({ operationId }) => operationId === id)?.parameters.find((one) => one.name === name)
    const key = new RegExp(String(parameter('createRecord', 'Idempotency-Key')?.schema.pattern))
    expect(
      ['a', '~!', 'x'.repeat(255), '', 'a b', 'ä', 'x'.repeat(256)].map((text) => key.test(text)),
    ).toEqual([...[true, true, true], ...[false, false, false, false]])
    const person = new RegExp(String(parameter('listRecords', 'X-View-As')?.schema.pattern))
    expect(['1', '12', '0', '01', 'x', '-1'].map((text) => person.test(text))).toEqual([
      ...[true, true],
      ...[false, false, false, false],
    ])
    const propertyOf = (schema: string, name: string) =>
      (schemas[schema]?.properties as Record<string, JsonSchema> | undefined)?.[name]
    const table = new RegExp(String(propertyOf('RestoreDatatableBody', 'name')?.pattern))
    expect(['tools', 'a_1', 'A', '1a', 'a-b', ''].map((text) => table.test(text))).toEqual([
      ...[true, true],
      ...[false, false, false, false],
    ])
    expect(propertyOf('CreateDatatableBody', 'json_schema')?.type).toBe('object')
    const text = new RegExp(String(propertyOf('CreateDatatableBody', 'description')?.pattern))
    expect(['', 'a\nb', 'a\0b'].map((one) => text.test(one))).toEqual([true, true, false])
    expect(parameter('listRecords', 'include')?.schema.enum).toEqual(['descendants', 'ancestors', 'both'])
  })
})

describe('the examples in the OpenAPI document', () => {
  it('exist for every JSON body and for every answer', () => {
    const isBody = (name: string) => name.includes(' body ')
    expect(
      [...media, ...errors]
        .filter(([name]) => !isBody(name) || name.endsWith('application/json'))
        .filter(([, { example }]) => example === undefined)
        .map(([name]) => name),
    ).toEqual([])
  })

  it.each([...media, ...errors].filter(([, content]) => 'example' in content))(
    'match their schema: %s',
    (_name, { schema, example }) => {
      const { valid, errors } = new Validator(
        { ...schema, components: document.components } as object,
        '2020-12',
      ).validate(example)
      expect([valid, valid ? [] : errors]).toEqual([true, []])
    },
  )

  it('contain no token or secret that was ever valid', () => {
    const text = JSON.stringify(media.map(([, { example }]) => example))
    expect(
      text
        .match(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g)
        ?.filter((token) => token !== 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl') ?? [],
    ).toEqual([])
    expect(text).not.toMatch(/127\.0\.0\.1|localhost/)
  })
})

describe('the filter parameters of a field', () => {
  const sharedBy = (...fields: { name: string; type: string; constraints?: Record<string, unknown> }[]) => {
    const components: SharedComponents = { parameters: {}, schemas: {} }
    for (const field of fields) shareFilters(field, 'things', components)
    return components
  }
  const parameter = (type: string, name: string) => {
    const components = sharedBy({ name: 'a', type })
    const found = Object.values(components.parameters).find((one) => one.name === name)
    return found && { ...found, schema: target(found.schema, components.schemas) ?? found.schema }
  }
  const namesOf = (name: string, type: string) =>
    Object.values(sharedBy({ name, type }).parameters).map((one) => one.name)

  it('declare the values that each operator accepts, and say what it means', () => {
    const equal = { type: 'number', description: 'The field equals this value.' }
    expect(parameter('number', 'a')).toEqual({ name: 'a', in: 'query', schema: equal })
    expect(parameter('number', 'a__gte')?.schema).toMatchObject({ type: 'number' })
    expect(parameter('number', 'a__icontains')).toBeUndefined()
    expect(parameter('string', 'a__icontains')?.schema).toMatchObject({ type: 'string' })
    expect(parameter('date', 'a__null')?.schema).toMatchObject({ type: 'boolean' })
    expect(parameter('uuid', 'a__in')).toMatchObject({
      style: 'form',
      explode: false,
      schema: { type: 'array', items: { type: 'string', format: 'uuid' } },
    })
    expect(parameter('number', 'a__between')?.schema).toEqual({
      description: 'The field is in this range, both ends included.',
      type: 'array',
      items: { type: 'number' },
      minItems: 2,
      maxItems: 2,
    })
    expect(parameter('object', 'a__has_any_keys')?.schema).toMatchObject({
      type: 'array',
      items: { type: 'string' },
    })
    expect(parameter('object', 'a__gt')).toBeUndefined()
  })

  it('share one description for each operator and type, but for values of their own', () => {
    const condition = { name: 'state', type: 'string', constraints: { enum: ['new', 'old'] } }
    const { parameters, schemas: values } = sharedBy({ name: 'a', type: 'string' }, condition)
    expect(parameters['filter.string.a__ne']).toEqual({
      name: 'a__ne',
      in: 'query',
      schema: { $ref: '#/components/schemas/string.ne' },
    })
    expect(values['string.ne']).toEqual({
      type: 'string',
      description: 'The field does not equal this value.',
    })
    expect(parameters['filter.things.string.state__ne']).toEqual({
      name: 'state__ne',
      in: 'query',
      description: 'The field does not equal this value.',
      schema: { type: 'string', enum: ['new', 'old'] },
    })
    expect(parameters['filter.string.state__icontains']?.schema).toEqual({
      $ref: '#/components/schemas/string.icontains',
    })
  })

  it('exist for a field that has the name of another parameter, except for the name alone', () => {
    const names = namesOf('page', 'number')
    expect(names).toContain('page__exact')
    expect(names).not.toContain('page')
  })

  it('exist for every operator except synonyms', () => {
    const named = new Set(
      ['string', 'number', 'datetime', 'object']
        .flatMap((type) => namesOf('a', type))
        .map((name) => name.slice(3) || 'exact'),
    )
    expect([...operators.keys()].filter((name) => !named.has(name))).toEqual([
      'ins',
      'nins',
      'containss',
      'ncontainss',
      'startswiths',
      'nstartswiths',
      'endswiths',
      'nendswiths',
    ])
  })
})
