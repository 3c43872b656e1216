/** The demo's company: departments, and people with their managers and mentors as edges. */
import { type DemoApp, field, reference } from './app.ts'
import { day, dayMs, randomness } from './random.ts'

const departments = [
  'Management',
  'Sales',
  'Purchasing',
  'Warehouse',
  'Engineering',
  'Support',
  'Finance',
  'People',
]

const resources = [
  {
    name: 'departments',
    schema: {
      fields: [
        field('id', 'integer'),
        field('name', 'string', { required: true, unique: true, maxLength: 60 }),
        field('budget', 'number', { minimum: 0 }, { description: 'In euros a year.' }),
      ],
      primaryKey: 'id',
    },
  },
  {
    name: 'people',
    schema: {
      description: 'Who works here. An edge `manager` leads to somebody’s manager, `mentor` to a mentor.',
      fields: [
        field('id', 'integer'),
        field('name', 'string', { required: true, maxLength: 120 }),
        field('title', 'string', { required: true, maxLength: 80 }),
        field('department_id', 'integer', { required: true }),
        field('hired_on', 'date', { required: true }),
        field('skills', 'array'),
        field('is_remote', 'boolean', undefined, { default: false }),
      ],
      primaryKey: 'id',
      foreignKeys: [reference('department_id', 'departments')],
      hierarchy: true,
      graph: {
        enabled: true,
        types: [
          {
            name: 'manager',
            inverse: 'reports',
            constraints: { max_outgoing: 1 },
            description: 'Reports to',
          },
          {
            name: 'mentor',
            inverse: 'mentees',
            constraints: { max_incoming: 3 },
            description: 'Learns from',
          },
        ],
      },
      search_fields: ['name', 'title'],
    },
  },
]

const firstNames = [
  'Aline',
  'Bo',
  'Carla',
  'Dov',
  'Esther',
  'Finn',
  'Gita',
  'Hugo',
  'Ilse',
  'Jamal',
  'Kaja',
  'Luan',
]
const lastNames = ['Moreau', 'Nilsen', 'Okoro', 'Petrov', 'Quist']
const skills = [
  'negotiation',
  'sql',
  'welding',
  'first aid',
  'forecasting',
  'typescript',
  'french',
  'driving',
]
const size = firstNames.length * lastNames.length

/**
 * Person 1 leads everybody. Persons 2 to 8 lead a department each, the next seven a team in one each, and the
 * others are in these teams.
 */
const heads = departments.length
const teams = heads - 1

const departmentOf = (id: number): number => (id <= heads ? id : 2 + (id % teams))

function managerOf(id: number): number {
  if (id <= heads) return 1
  const firstLeader = heads + 1
  return id < firstLeader + teams ? departmentOf(id) : firstLeader + ((id - firstLeader) % teams)
}

function rows(): ReturnType<DemoApp['rows']> {
  const { random, pick, between } = randomness(1_789)
  const start = Date.UTC(2026, 0, 5)
  const people = Array.from({ length: size }, (_, index) => {
    const id = index + 1
    const department = departments[departmentOf(id) - 1] as string
    return {
      id,
      name: `${firstNames[index % firstNames.length]} ${lastNames[index % lastNames.length]}`,
      title: titleOf(id, department),
      department_id: departmentOf(id),
      hired_on: day(start - between(30, 4000) * dayMs),
      skills: [...new Set([pick(skills), pick(skills)])],
      is_remote: random() < 0.25,
    }
  })
  return [
    [
      'departments',
      departments.map((name, index) => ({ id: index + 1, name, budget: between(10, 90) * 10_000 })),
    ],
    ['people', people],
  ]
}

function titleOf(id: number, department: string): string {
  if (id === 1) return 'Managing director'
  return id <= heads ? `Head of ${department}` : `${department} specialist`
}

/**
 * Everybody’s manager, and a mentor for every fifth person. Both have smaller numbers, so there is no cycle.
 */
function edges(): [table: string, edges: Record<string, unknown>[]][] {
  const people = Array.from({ length: size }, (_, index) => index + 1)
  return [
    [
      'people',
      [
        ...people
          .filter((id) => id > 1)
          .map((id) => ({ from_id: id, to_id: managerOf(id), type: 'manager' })),
        ...people
          .filter((id) => id > heads && id % 5 === 0)
          .map((id) => ({ from_id: id, to_id: id / 5 + 1, type: 'mentor', metadata: { since: 2025 } })),
      ],
    ],
  ]
}

export const company: DemoApp = {
  slug: 'company',
  name: 'Company',
  description: 'An organization chart: departments, and who reports to whom.',
  resources,
  rows,
  edges,
}
