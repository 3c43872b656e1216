/**
 * An app with every kind of field and of relationship: works that hang in shows, their artists and
 * restorers, and the teachers of artists.
 */

const key = { name: 'id', type: 'integer' }
const to = (fields: string, resource: string) => ({ fields, reference: { resource, fields: 'id' } })

/** Returns the works as documents, which have no references. */
export const documents = (collection: { resources: { name: string; schema: object }[] }) => ({
  resources: collection.resources
    .filter(({ name }) => name === 'works')
    .map(({ name, schema }) => ({ name, schema: { ...schema, foreignKeys: [] } })),
})

/** Returns the fields of a table's primary key. */
export const keyOfTable = (table: string): string[] =>
  table === 'hangings' ? ['show_id', 'work_id'] : ['id']

export const collection = {
  resources: [
    {
      name: 'cities',
      schema: {
        fields: [
          key,
          { name: 'name', type: 'string', constraints: { required: true } },
          { name: 'population', type: 'integer' },
        ],
        primaryKey: 'id',
      },
    },
    {
      name: 'artists',
      schema: {
        fields: [
          key,
          { name: 'name', type: 'string' },
          { name: 'born', type: 'date' },
          { name: 'city_id', type: 'integer' },
          { name: 'mentor', type: 'integer' },
          { name: 'is_deleted', type: 'boolean' },
        ],
        primaryKey: 'id',
        foreignKeys: [to('city_id', 'cities'), to('mentor', '')],
      },
    },
    {
      name: 'works',
      schema: {
        fields: [
          key,
          { name: 'title', type: 'string' },
          { name: 'price', type: 'number' },
          { name: 'year', type: 'integer' },
          { name: 'sold', type: 'boolean' },
          { name: 'made_at', type: 'datetime' },
          { name: 'hour', type: 'time' },
          { name: 'code', type: 'uuid' },
          { name: 'about', type: 'object' },
          { name: 'tags', type: 'array' },
          { name: 'artist_id', type: 'integer' },
          { name: 'restorer_id', type: 'integer' },
          { name: 'is_deleted', type: 'boolean' },
        ],
        primaryKey: 'id',
        foreignKeys: [to('artist_id', 'artists'), to('restorer_id', 'artists')],
        search_fields: [{ field: 'title', weight: 'A' }],
      },
    },
    {
      name: 'shows',
      schema: {
        fields: [
          key,
          { name: 'name', type: 'string' },
          { name: 'city_id', type: 'integer' },
          { name: 'opens', type: 'date' },
          { name: 'closes', type: 'date' },
        ],
        ranges: { period: ['opens', 'closes'] },
        primaryKey: 'id',
        foreignKeys: [to('city_id', 'cities')],
      },
    },
    {
      name: 'hangings',
      schema: {
        fields: [
          { name: 'show_id', type: 'integer' },
          { name: 'work_id', type: 'integer' },
          { name: 'wall', type: 'string' },
          { name: 'is_deleted', type: 'boolean' },
        ],
        primaryKey: ['show_id', 'work_id'],
        foreignKeys: [to('show_id', 'shows'), to('work_id', 'works')],
      },
    },
  ],
}
