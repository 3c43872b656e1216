/** The results of the scenario on every platform. */
export const expected = {
  written: [1, 2, 3, 4, 5],
  reads: {
    page: {
      data: [
        { id: 3, name: 'Lamp 3', category: { name: 'Lamps' } },
        { id: 2, name: 'Lamp 2', category: { name: 'Lamps' } },
      ],
      total: 2,
      hasMore: false,
    },
    related: {
      name: 'Lamps',
      n: 5,
      dearest: 50,
      products: [{ sku: 'LAM-1004' }, { sku: 'LAM-1003' }],
      _count: { products: 4 },
    },
    found: [[true, '<mark>Lamp</mark> 1']],
    pages: [[5, 4], [3, 2], [1]],
    each: ['LAM-1001', 'LAM-1005'],
    lines: [
      { id: 1, name: 'Lamp 1' },
      { id: 2, name: 'Lamp 2' },
    ],
    rows: [
      ['id', 'name', 'description'],
      ['1', 'Lamp 1', null],
    ],
    count: 3,
    missing: undefined,
    sums: { n: 5, sum: 150, least: 10 },
    groups: { data: [{ shelf: 'Lamps', supplier_id: 1, n: 5 }], total: 1, hasMore: false },
  },
  writes: {
    updated: 20.5,
    stale: 'StaleError',
    partial: [1, [[1, 400]]],
    upserted: [false, 'Runner'],
    dry: 'RUG-1002',
    composite: { product_id: 2, warehouse_id: 1, quantity: 4 },
    changed: 1,
    many: [{ product_id: 1, warehouse_id: 1, quantity: 5 }],
    deleted: [1, 1],
    left: 6,
  },
  orders: { batch: ['cart', true], status: 'paid', lines: 2 },
  staff: {
    edges: [
      [2, 1, 'manager'],
      [3, 2, 'manager'],
    ],
    listed: 1,
    uncounted: null,
    walk: [
      ['Bram', 1],
      ['Chioma', 2],
    ],
    tree: ['Ada', ['Bram']],
    graph: [3, 2],
    removed: 2,
  },
  errors: { refused: ['InvalidRequestError', ['price', 'sku']], missing: 'NotFoundError' },
  other: { me: true, secret: 'k-1', secrets: ['MAIL'], events: true, functions: 0, invocations: 0 },
}
