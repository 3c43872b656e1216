/** The demo's tool library: its tools, members and loans. The examples of the guides use it. */
import { type DemoApp, field, reference } from './app.ts'
import { day, dayMs, randomness } from './random.ts'

const resources = [
  {
    name: 'categories',
    schema: {
      fields: [
        field('id', 'integer'),
        field('name', 'string', { required: true, unique: true, maxLength: 60 }),
      ],
      primaryKey: ['id'],
    },
  },
  {
    name: 'tools',
    schema: {
      fields: [
        field('id', 'integer'),
        field('name', 'string', { required: true, maxLength: 120 }),
        field('category_id', 'integer', { required: true }),
        field('condition', 'string', { enum: ['new', 'good', 'worn', 'broken'] }, { default: 'good' }),
        field('daily_fee', 'number', { required: true, minimum: 0 }),
        field('weight_grams', 'integer', { minimum: 1 }),
        field('acquired_on', 'date'),
        field('specification', 'object'),
        field('is_deleted', 'boolean'),
        field('created_at', 'datetime'),
        field('updated_at', 'datetime'),
      ],
      primaryKey: ['id'],
      foreignKeys: [reference('category_id', 'categories')],
      indexes: [
        { name: 'condition', fields: ['condition', 'daily_fee'] },
        { name: 'words', fields: ['name'], method: 'trigram' },
        { name: 'power', fields: ['specification.power_watts::number'] },
      ],
      search_fields: [{ field: 'name', weight: 'A' }],
    },
  },
  {
    name: 'members',
    schema: {
      fields: [
        field('id', 'uuid'),
        field('name', 'string', { required: true, maxLength: 120 }),
        field('email', 'string', { required: true, unique: true }, { format: 'email' }),
        field('joined_on', 'date', { required: true }),
      ],
      primaryKey: ['id'],
    },
  },
  {
    name: 'loans',
    schema: {
      fields: [
        field('id', 'integer'),
        field('tool_id', 'integer', { required: true }),
        field('member_id', 'uuid', { required: true }),
        field('lent_at', 'datetime', { required: true }),
        field('due_on', 'date', { required: true }),
        field('returned_at', 'datetime'),
      ],
      primaryKey: ['id'],
      foreignKeys: [reference('tool_id', 'tools'), reference('member_id', 'members', 'CASCADE')],
      indexes: [{ name: 'open', fields: ['tool_id'], where: { returned_at__gt: '1970-01-01T00:00:00Z' } }],
    },
  },
]

const categories = [
  'Hand tools',
  'Power tools',
  'Garden',
  'Ladders',
  'Measuring',
  'Painting',
  'Plumbing',
  'Kitchen',
]
const makers = ['Northwick', 'Ostra', 'Bellmann', 'Kestrel', 'Tamura']
const kinds = [
  'hammer',
  'saw',
  'drill',
  'sander',
  'spade',
  'shears',
  'ladder',
  'level',
  'roller',
  'wrench',
  'pump',
  'mixer',
]
const firstNames = ['Ada', 'Bram', 'Chioma', 'Dario', 'Elif', 'Farid', 'Greta', 'Hana', 'Ivo', 'Jun']
const lastNames = ['Almeida', 'Berg', 'Castellan', 'Dube', 'Eriksen', 'Fontaine']
const conditions = ['new', 'good', 'good', 'worn', 'broken']

function rows(): ReturnType<DemoApp['rows']> {
  const { random, pick } = randomness(20_260)
  const start = Date.UTC(2026, 0, 5)

  const tools = Array.from({ length: 120 }, (_, index) => ({
    id: index + 1,
    name: `${pick(makers)} ${pick(kinds)} ${index + 1}`,
    category_id: 1 + Math.floor(random() * categories.length),
    condition: pick(conditions),
    daily_fee: Math.round(random() * 1500) / 100,
    weight_grams: 100 + Math.floor(random() * 12_000),
    acquired_on: day(start - Math.floor(random() * 2000) * dayMs),
    specification: { power_watts: Math.floor(random() * 20) * 100, cordless: random() < 0.4 },
  }))
  const members = firstNames.flatMap((first, row) =>
    lastNames.map((last, column) => ({
      id: `00000000-0000-4000-8000-${String(row * lastNames.length + column + 1).padStart(12, '0')}`,
      name: `${first} ${last}`,
      email: `${first}.${last}@example.org`.toLowerCase(),
      joined_on: day(start - Math.floor(random() * 900) * dayMs),
    })),
  )
  const loans = Array.from({ length: 300 }, (_, index) => {
    const lent = start + Math.floor(random() * 200) * dayMs + Math.floor(random() * dayMs)
    const back = lent + Math.floor(random() * 20) * dayMs
    return {
      id: index + 1,
      tool_id: pick(tools).id,
      member_id: pick(members).id,
      lent_at: new Date(lent).toISOString(),
      due_on: day(lent + 14 * dayMs),
      returned_at: random() < 0.85 ? new Date(back).toISOString() : null,
    }
  })
  return [
    ['categories', categories.map((name, index) => ({ id: index + 1, name }))],
    ['tools', tools],
    ['members', members],
    ['loans', loans],
  ]
}

export const library: DemoApp = {
  slug: 'library',
  name: 'library',
  description: 'A tool library: what it lends, to whom, and until when.',
  resources,
  rows,
}
