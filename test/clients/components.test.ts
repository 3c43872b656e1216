/**
 * Components of react-admin, refine and TanStack Query show and change records with the package
 * tessera-client.
 */
import { Refine, useForm, useList } from '@refinedev/core'
import { QueryClient, QueryClientProvider, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import {
  CoreAdminContext,
  CreateBase,
  Form,
  ListBase,
  ReferenceFieldBase,
  useInput,
  useListContext,
  useReferenceFieldContext,
} from 'ra-core'
import { createElement as h, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createClient } from '../../client/dist/index.js'
import { dataProvider as adminProvider } from '../../client/dist/react-admin.js'
import { dataProvider as refineProvider } from '../../client/dist/refine.js'
import { tableQueries } from '../../client/dist/tanstack-query.js'
import { until } from '../support/until.ts'
import { app, type Stack, startStack } from './stack.ts'

/**
 * A page that exists before the libraries are imported, because they check then if they run in one. Requests
 * use the `fetch` of Node: the libraries get only the necessary parts of the page.
 */
const page = await vi.hoisted(async () => {
  const { Window } = await import('happy-dom')
  const made = new Window({ url: 'http://localhost/' })
  const { document, HTMLElement, HTMLIFrameElement, Node, localStorage } = made
  Object.assign(globalThis, { window: made, document, HTMLElement, HTMLIFrameElement, Node, localStorage })
  return made
})

let stack: Stack
const client = () => createClient({ url: stack.base, auth: { token: stack.token } })

beforeAll(async () => {
  stack = await startStack()
  const tables = client().app(app)
  const { id } = await tables.$table('makers').create({ name: 'Ostra' })
  const names = ['Axe', 'Drill', 'File', 'Plane', 'Saw']
  await tables.$table('tools').createMany(names.map((name, fee) => ({ name, fee, maker_id: id })))
})
afterAll(async () => {
  await page.close()
  await stack.stop()
})

/** Renders components. Returns functions that read their text and press their buttons. */
function rendered(element: ReactNode) {
  const place = page.document.createElement('main')
  page.document.body.append(place)
  const root = createRoot(place as never)
  root.render(element)
  return {
    shows: (text: string) =>
      until(
        () => place.textContent.includes(text),
        () => `${text}\n${place.innerHTML}`,
      ),
    press: (name: string) =>
      [...place.querySelectorAll('button')].find(({ textContent }) => textContent === name)?.click(),
    end: () => root.unmount(),
  }
}
const button = (name: string, onClick?: () => unknown) =>
  onClick ? h('button', { type: 'button', onClick }, name) : h('button', { type: 'submit' }, name)
const namesOf = (records: readonly object[] | undefined) =>
  (records ?? []).map((record) => (record as { name: string }).name).join(' ')

describe('react-admin', () => {
  const admin = (...children: ReactNode[]) =>
    h(CoreAdminContext, { dataProvider: adminProvider(client(), { app }) }, ...children)

  it('shows the invalid fields of a new record, and creates it when they are valid', async () => {
    const Fee = ({ defaultValue }: { defaultValue: number }) => {
      const { fieldState, field } = useInput({ source: 'fee', defaultValue })
      return h(
        'p',
        null,
        `fee: ${fieldState.error?.message ?? 'good'} `,
        button('Free', () => field.onChange(0)),
      )
    }
    const created: object[] = []
    const form = h(Form, null, h(Fee, { defaultValue: -1 }), button('Save'))
    const mutationOptions = { onSuccess: (record: object) => void created.push(record) }
    const record = { name: 'Rasp' }
    const { shows, press, end } = rendered(
      admin(h(CreateBase, { resource: 'tools', record, mutationOptions, redirect: false, children: form })),
    )
    await shows('fee: good')
    press('Save')
    await shows('fee: Ensure this value is greater than or equal to 0.')
    press('Free')
    press('Save')
    await until(
      () => created.length > 0,
      () => 'created',
    )
    expect(created).toMatchObject([{ id: expect.any(Number), name: 'Rasp', fee: 0 }])
    end()
  })

  it('lists records with references to other tables, from page to page', async () => {
    const Maker = () => h('i', null, `by ${useReferenceFieldContext().referenceRecord?.name}`)
    const Rows = () => {
      const { data = [], total, setPage } = useListContext()
      return h(
        'section',
        null,
        `${namesOf(data)} of ${total} `,
        data.map((record) =>
          h(ReferenceFieldBase, {
            key: record.id,
            record,
            source: 'maker_id',
            reference: 'makers',
            children: h(Maker),
          }),
        ),
        button('Next', () => setPage(2)),
      )
    }
    const { shows, press, end } = rendered(
      admin(
        h(ListBase, {
          ...{ resource: 'tools', perPage: 2, disableSyncWithLocation: true, children: h(Rows) },
          ...{ sort: { field: 'name', order: 'DESC' }, filter: { fee__gte: 1 } },
        }),
      ),
    )
    await shows('Saw Plane of 4 by Ostraby Ostra')
    press('Next')
    await shows('File Drill of 4')
    end()
  })
})

describe('refine', () => {
  const refine = (child: ReactNode) =>
    h(Refine, {
      dataProvider: refineProvider(client(), { app }),
      resources: [{ name: 'tools' }],
      options: { disableTelemetry: true },
      children: child,
    })

  it('gets the invalid fields of a new record, and the status', async () => {
    const New = () => {
      const { onFinish, mutation } = useForm({ resource: 'tools', action: 'create', redirect: false })
      const { error } = mutation
      return h(
        'section',
        null,
        error ? `${error.statusCode} ${JSON.stringify(error.errors)}` : 'nothing wrong',
        button('Save', () => onFinish({ name: 'Adze', fee: -2 }).catch(() => undefined)),
      )
    }
    const { shows, press, end } = rendered(refine(h(New)))
    await shows('nothing wrong')
    press('Save')
    await shows('400 {"fee":["Ensure this value is greater than or equal to 0."]}')
    end()
  })

  it('lists records with filters and an order', async () => {
    const Rows = () => {
      const { result } = useList({
        resource: 'tools',
        pagination: { pageSize: 2 },
        sorters: [{ field: 'name', order: 'desc' }],
        filters: [
          {
            operator: 'or',
            value: [
              { field: 'fee', operator: 'gte', value: 3 },
              { field: 'name', operator: 'eqs', value: 'Axe' },
            ],
          },
        ],
      })
      return h('section', null, `${namesOf(result.data)} of ${result.total}`)
    }
    const { shows, end } = rendered(refine(h(Rows)))
    await shows('Saw Plane of 3')
    end()
  })
})

describe('TanStack Query', () => {
  it('shows a list and pages with cursors in components', async () => {
    const { list, infinite } = tableQueries(client().app(app).$table('tools'), [app, 'tools'])
    const where = { fee__gte: 3 }
    const Rows = () => {
      const { data } = useQuery(
        list({ where }, (table, options) => table.list({ where, ordering: ['name'], ...options })),
      )
      const pages = useInfiniteQuery(
        infinite('by name', (table, options) => table.list({ ordering: ['name'], pageSize: 2, ...options })),
      )
      const walked = namesOf(pages.data?.pages.flatMap((one) => one.data))
      return h(
        'section',
        null,
        `${namesOf(data?.data)}; ${walked}`,
        button('More', () => pages.fetchNextPage()),
      )
    }
    const queries = new QueryClient()
    const { shows, press, end } = rendered(h(QueryClientProvider, { client: queries }, h(Rows)))
    await shows('Plane Saw; Axe Drill')
    press('More')
    await shows('Plane Saw; Axe Drill File Plane')
    end()
    queries.clear()
  })
})
