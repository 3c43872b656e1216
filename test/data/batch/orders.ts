/** Tables that reference each other in every way: orders with customers, lines, notes and tags; a tree. */

export const resources = [
  {
    name: 'customers',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'string', constraints: { required: true, unique: true } },
        { name: 'is_deleted', type: 'boolean' },
      ],
    },
  },
  {
    name: 'goods',
    schema: {
      primaryKey: 'code',
      fields: [
        { name: 'code', type: 'string' },
        { name: 'price', type: 'number', constraints: { minimum: 0 } },
      ],
    },
  },
  {
    name: 'orders',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'customer_id', type: 'integer' },
        { name: 'total', type: 'number', default: 0 },
        { name: 'about', type: 'object' },
      ],
      foreignKeys: [{ fields: 'customer_id', reference: { resource: 'customers', fields: 'id' } }],
    },
  },
  {
    name: 'lines',
    schema: {
      primaryKey: ['order_id', 'place'],
      fields: [
        { name: 'order_id', type: 'integer' },
        { name: 'place', type: 'integer' },
        { name: 'pieces', type: 'integer', constraints: { minimum: 1, required: true } },
        { name: 'good', type: 'string' },
      ],
      foreignKeys: [
        { fields: 'order_id', reference: { resource: 'orders', fields: 'id' } },
        { fields: 'good', reference: { resource: 'goods', fields: 'code' } },
      ],
    },
  },
  {
    name: 'notes',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'order_id', type: 'integer' },
        { name: 'place', type: 'integer' },
        { name: 'text', type: 'string' },
      ],
      foreignKeys: [
        {
          fields: ['order_id', 'place'],
          reference: { resource: 'lines', fields: ['order_id', 'place'] },
        },
      ],
    },
  },
  {
    name: 'tags',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'string' },
      ],
    },
  },
  {
    name: 'taggings',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'order_id', type: 'integer' },
        { name: 'tag_id', type: 'integer' },
      ],
      foreignKeys: [
        { fields: 'order_id', reference: { resource: 'orders', fields: 'id' } },
        { fields: 'tag_id', reference: { resource: 'tags', fields: 'id' } },
      ],
    },
  },
  {
    name: 'nodes',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'string' },
        { name: 'above_id', type: 'integer' },
      ],
      foreignKeys: [{ fields: 'above_id', reference: { resource: '', fields: 'id' } }],
    },
  },
]

/** The names of the tables. Each one comes before the tables that it references. */
export const tables = ['notes', 'taggings', 'lines', 'orders', 'customers', 'goods', 'tags', 'nodes']
