/**
 * A model of the writes that access rules allow guests, without code of the service: boxes, the items in
 * them, and edges between boxes. An attempt returns the expected response, and the state after it.
 */

export interface Row {
  id: number
  [field: string]: unknown
}
export interface Edge {
  id: string
  from_id: number
  to_id: number
}
export interface State {
  boxes: readonly Row[]
  items: readonly Row[]
  edges: readonly Edge[]
}
export type TableName = 'boxes' | 'items'

/** A condition in the form of a rule, and as a function. */
export interface Part {
  where: object
  has(row: Row, state: State): boolean
}
export interface Rule {
  who: 'anyone' | 'signed-in'
  can: string[]
  where: Part
  check: Part | undefined
  set: Record<string, unknown> | undefined
  read: string[] | undefined
  write: string[] | undefined
}
export type World = Readonly<Record<TableName, readonly Rule[]>>

/** The writable fields. */
const givable: Record<TableName, readonly string[]> = {
  boxes: ['code', 'colour', 'size'],
  items: ['label', 'box_id'],
}

export type Data = Readonly<Record<string, unknown>>
/** A negative number stands for the record of an operation: -1 for that of the first. */
export type Operation =
  | { op: 'create'; table: TableName; data: Data }
  | { op: 'update'; table: TableName; id: number; data: Data }
  | { op: 'upsert'; table: 'boxes'; data: Data }
  | { op: 'delete'; table: TableName; id: number }
  | { op: 'create_edge'; from_id: number; to_id: number }
  | { op: 'delete_edge'; id: string }

/** An error for which nothing is written. */
export class Refusal {
  readonly status: number
  /** The position of the operation; undefined if the response names none. */
  readonly index: number | undefined

  constructor(status: number, index?: number) {
    this.status = status
    this.index = index
  }
}

const forbidden = 401
const invalid = 400
const refused = 403

/** A guest in a state that its writes change. */
export class Guest {
  state: State
  private created = 0
  private readonly world: World
  private readonly isSignedIn: boolean

  constructor(world: World, isSignedIn: boolean, state: State) {
    this.world = world
    this.isSignedIn = isSignedIn
    this.state = state
  }

  /** Runs operations in their order, or none of them. Returns the results: records as the guest sees them. */
  batch(operations: readonly Operation[]): (Data | undefined)[] | Refusal {
    // The body is not read, so no operation is named.
    if (!this.mayWrite()) return new Refusal(this.status(forbidden))
    const first = (status: number, isWrong: (one: Operation) => boolean) => {
      const index = operations.findIndex(isWrong)
      return index === -1 ? undefined : new Refusal(status, index)
    }
    const early =
      first(this.status(forbidden), (one) => !this.mayTry(one)) ??
      first(invalid, (one) => one.op === 'upsert' && !this.findsByCode()) ??
      first(invalid, (one) => 'data' in one && !this.fits(one))
    if (early) return early
    const ids: number[] = []
    const results: (Data | undefined)[] = []
    const real = (value: unknown) =>
      typeof value === 'number' && value < 0 && value > -100 ? ids[-value - 1] : value
    for (const [index, one] of operations.entries()) {
      const operation = Object.fromEntries(
        Object.entries(one).map(([name, value]) => [
          name,
          name === 'data'
            ? Object.fromEntries(Object.entries(value as Data).map(([field, of]) => [field, real(of)]))
            : real(value),
        ]),
      ) as unknown as Operation
      const done = this.carryOut(operation)
      if (typeof done === 'number') return new Refusal(done, index)
      ids.push(done.id ?? 0)
      results.push(done.shown)
    }
    return results
  }

  /** Upserts boxes by their codes, the updates first. */
  upserts(all: readonly Data[]): (Data | undefined)[] | Refusal {
    if (!this.mayTry({ op: 'upsert', table: 'boxes', data: {} })) return new Refusal(this.status(forbidden))
    if (!this.findsByCode() || all.some((data) => !this.fits({ op: 'upsert', table: 'boxes', data })))
      return new Refusal(invalid)
    if (new Set(all.map(({ code }) => code)).size < all.length) return new Refusal(invalid)
    const found = all.map((data) => this.boxWithCode(data.code))
    const results: (Data | undefined)[] = []
    for (const isChange of [true, false]) {
      const problems = all.flatMap((data, index) => {
        const box = found[index]
        if ((box !== undefined) !== isChange) return []
        const done = box ? this.update('boxes', box.id, without(data, 'code')) : this.create('boxes', data)
        if (typeof done === 'number') return [done]
        results[index] = done.shown
        return []
      })
      // For several records, an invalid one is reported first.
      const problem = [invalid, refused, 409].find((status) => problems.includes(status))
      if (problem !== undefined) return new Refusal(problem)
    }
    return results
  }

  /** Creates records with nested ones: boxes with items, or items with their box. */
  nested(table: TableName, records: readonly Data[]): (Data | undefined)[] | Refusal {
    const inside = table === 'boxes' ? 'items' : 'box'
    if (this.rules(table, 'create').length === 0) return new Refusal(this.status(forbidden))
    const hasInside = records.some((record) => record[inside] !== undefined)
    const canNest =
      this.rules('boxes', 'create').length > 0 &&
      this.rules('boxes', 'read').length > 0 &&
      this.known('items', ['create']).has('box_id')
    if (hasInside && !canNest) return new Refusal(invalid)
    const boxes: [Data, number | undefined][] = []
    const items: [Data, number | undefined][] = []
    for (const [root, record] of records.entries()) {
      const own = without(record, inside)
      if (table === 'boxes') {
        boxes.push([own, root])
        for (const item of (record[inside] ?? []) as Data[])
          items.push([{ ...item, box_id: -boxes.length }, undefined])
      } else {
        const box = record[inside] as Data | undefined
        if (box) boxes.push([box, undefined])
        items.push([box ? { ...own, box_id: -boxes.length } : own, root])
      }
    }
    const operations = [
      ...boxes.map(([data]): Operation => ({ op: 'create', table: 'boxes', data })),
      ...items.map(([data]): Operation => ({ op: 'create', table: 'items', data })),
    ]
    const done = this.batch(operations)
    if (done instanceof Refusal) return new Refusal(done.status)
    const roots = [...boxes, ...items].map(([, root]) => root)
    return records.map((_, root) => done[roots.indexOf(root)])
  }

  /** Creates edges between boxes, all or none. */
  createEdges(all: readonly (readonly [number, number])[]): number {
    if (!this.mayConnect()) return this.status(forbidden)
    const each = all.map(([from, to]) => this.edgeStatus(from, to))
    const problem = [invalid, refused].find((status) => each.includes(status))
    if (problem !== undefined) return problem
    for (const [from_id, to_id] of all) {
      const done = this.carryOut({ op: 'create_edge', from_id, to_id })
      if (typeof done === 'number') return done
    }
    return 201
  }

  /** Deletes edges. Returns their number, or an error. */
  deleteEdges(ids: readonly string[]): number | Refusal {
    if (!this.mayConnect()) return new Refusal(this.status(forbidden))
    const seen = this.state.edges.filter((edge) => ids.includes(edge.id) && this.seesEdge(edge))
    if (seen.some((edge) => !this.writesEdge(edge))) return new Refusal(refused)
    this.state = { ...this.state, edges: this.state.edges.filter((edge) => !seen.includes(edge)) }
    return seen.length
  }

  /** Replaces an edge. */
  replaceEdge(id: string, from_id: number, to_id: number): number {
    if (!this.mayConnect()) return this.status(forbidden)
    const edge = this.state.edges.find((one) => one.id === id)
    if (!edge || !this.seesEdge(edge)) return 404
    const status = this.edgeStatus(from_id, to_id)
    if (status === invalid) return invalid
    if (status === refused || !this.writesEdge(edge)) return refused
    if (this.hasEdge(from_id, to_id, id)) return 409
    const edges = this.state.edges.map((one) => (one === edge ? { id, from_id, to_id } : one))
    this.state = { ...this.state, edges }
    return 200
  }

  /** Returns the status, which is 401 instead of 403 without credentials. */
  private status(status: number): number {
    return status === forbidden && this.isSignedIn ? 403 : status
  }

  private rules(table: TableName, action: string): Rule[] {
    return this.world[table].filter(
      ({ who, can }) => (this.isSignedIn || who === 'anyone') && can.includes(action),
    )
  }

  private mayTry(operation: Operation): boolean {
    if (operation.op === 'create_edge' || operation.op === 'delete_edge') return this.mayConnect()
    const { op, table } = operation
    const needed = op === 'upsert' ? ['create', 'update', 'read'] : [op]
    return needed.every((action) => this.rules(table, action).length > 0)
  }

  private mayWrite(): boolean {
    const actions = ['create', 'update', 'delete']
    const isGiven = (table: TableName) => actions.some((action) => this.rules(table, action).length > 0)
    return isGiven('boxes') || isGiven('items') || this.mayConnect()
  }

  private mayConnect(): boolean {
    return ['edges', 'read'].every((action) => this.rules('boxes', action).length > 0)
  }

  /** Returns the fields that any rule lets the guest set, or sets itself. */
  private known(table: TableName, actions: readonly string[]): Set<string> {
    const rules = actions.flatMap((action) => this.rules(table, action))
    return new Set(
      rules.flatMap(({ write = givable[table], set = {} }) => [
        ...write.filter((name) => givable[table].includes(name)),
        ...Object.keys(set),
      ]),
    )
  }

  private findsByCode(): boolean {
    const isShown = this.rules('boxes', 'read').some(({ read }) => !read || read.includes('code'))
    return isShown && this.known('boxes', ['create', 'update']).has('code')
  }

  private fits(operation: Extract<Operation, { data: Data }>): boolean {
    const { op, table, data } = operation
    const known = this.known(table, op === 'upsert' ? ['create', 'update'] : [op])
    return (
      Object.keys(data).every((name) => known.has(name)) && (op !== 'upsert' || typeof data.code === 'string')
    )
  }

  private isRead(table: TableName, row: Row): boolean {
    return this.rules(table, 'read').some(({ where }) => where.has(row, this.state))
  }

  private reads(table: TableName, row: Row, name: string): boolean {
    return this.rules(table, 'read').some(
      ({ where, read }) => where.has(row, this.state) && (!read || read.includes(name)),
    )
  }

  /**
   * Returns a record as the guest sees it. Without the right to read it, that is the sent data and the key.
   */
  private shown(table: TableName, row: Row, sent: Data): Data {
    const rules = this.rules(table, 'read')
    const passing = rules.filter(({ where }) => where.has(row, this.state))
    if (passing.length === 0) return { ...sent, id: row.id }
    const gives = (name: string) => (rule: Rule) => !rule.read || rule.read.includes(name)
    const names = ['id', ...givable[table]].filter((name) => rules.some(gives(name)))
    return Object.fromEntries(names.map((name) => [name, passing.some(gives(name)) ? row[name] : null]))
  }

  private boxWithCode(code: unknown): Row | undefined {
    return this.state.boxes.find(
      (box) => this.isRead('boxes', box) && this.shown('boxes', box, {}).code === code,
    )
  }

  private carryOut(operation: Operation): { id?: number; shown: Data | undefined } | number {
    switch (operation.op) {
      case 'create':
        return this.create(operation.table, operation.data)
      case 'update':
        return this.update(operation.table, operation.id, operation.data)
      case 'upsert': {
        const { data } = operation
        const box = this.boxWithCode(data.code)
        return box ? this.update('boxes', box.id, without(data, 'code')) : this.create('boxes', data)
      }
      case 'delete':
        return this.delete(operation.table, operation.id)
      case 'create_edge': {
        const { from_id, to_id } = operation
        const status = this.edgeStatus(from_id, to_id)
        if (status !== 201) return status
        if (this.hasEdge(from_id, to_id)) return 409
        this.created++
        const edge = { id: `new ${this.created}`, from_id, to_id }
        this.state = { ...this.state, edges: [...this.state.edges, edge] }
        return { shown: { from_id, to_id } }
      }
      case 'delete_edge': {
        const edge = this.state.edges.find(({ id }) => id === operation.id)
        if (!edge || !this.seesEdge(edge)) return 404
        if (!this.writesEdge(edge)) return refused
        this.state = { ...this.state, edges: this.state.edges.filter((one) => one !== edge) }
        return { shown: undefined }
      }
    }
  }

  private create(table: TableName, data: Data): { id: number; shown: Data } | number {
    const id = 1_000_000 + this.created
    const nothing = Object.fromEntries(givable[table].map((name) => [name, null]))
    const row = this.written(table, 'create', { ...nothing, id }, data)
    if (typeof row === 'number') return row
    this.created++
    this.put(table, [...this.state[table], row])
    return { id, shown: this.shown(table, row, data) }
  }

  private update(table: TableName, id: number, data: Data): { id: number; shown: Data } | number {
    const before = this.state[table].find((row) => row.id === id)
    if (!before || !this.isRead(table, before)) return 404
    const row = this.written(table, 'update', before, data)
    if (typeof row === 'number') return row
    this.put(
      table,
      this.state[table].map((one) => (one === before ? row : one)),
    )
    return { id, shown: this.shown(table, row, data) }
  }

  /** Returns the new record by the first rule that allows the write, or the status of the error. */
  private written(table: TableName, action: 'create' | 'update', before: Row, data: Data): Row | number {
    const rules = this.rules(table, action)
    const tolerates = ({ set, write }: Rule, name: string) =>
      set && name in set ? set[name] === data[name] : !write || write.includes(name)
    const filled = rules.flatMap(({ set }) => Object.keys(set ?? {}))
    if (filled.some((name) => name in data && !rules.some((rule) => tolerates(rule, name)))) return invalid
    const box = this.state.boxes.find(({ id }) => id === data.box_id)
    // The response must not reveal that a hidden value equals the sent one.
    const isKept = action === 'update' && data.box_id === before.box_id && this.reads(table, before, 'box_id')
    const isNew = (data.box_id ?? null) !== null && !isKept
    const isUnseen = isNew && !(box && this.isRead('boxes', box))
    // A change that no rule allows keeps the old value.
    if (isUnseen && action === 'create') return invalid
    for (const rule of rules) {
      if (!Object.keys(data).every((name) => tolerates(rule, name))) continue
      const after: Row = { ...before, ...data, ...rule.set, id: before.id }
      const isLet = action === 'create' || rule.where.has(before, this.state)
      if (!isLet || !(rule.check ?? rule.where).has(after, this.state)) continue
      if (isUnseen) return invalid
      const isTaken =
        table === 'boxes' &&
        after.code !== null &&
        this.state.boxes.some(({ id, code }) => id !== after.id && code === after.code)
      return isTaken ? 409 : after
    }
    return refused
  }

  private delete(table: TableName, id: number): { shown: undefined } | number {
    const row = this.state[table].find((one) => one.id === id)
    if (!row || !this.isRead(table, row)) return 404
    if (!this.rules(table, 'delete').some(({ where }) => where.has(row, this.state))) return refused
    // Items reference their box, even if the guest cannot read them.
    if (table === 'boxes' && this.state.items.some(({ box_id }) => box_id === id)) return refused
    this.put(
      table,
      this.state[table].filter((one) => one !== row),
    )
    if (table === 'boxes') {
      const edges = this.state.edges.filter(({ from_id, to_id }) => from_id !== id && to_id !== id)
      this.state = { ...this.state, edges }
    }
    return { shown: undefined }
  }

  private put(table: TableName, rows: readonly Row[]): void {
    this.state = { ...this.state, [table]: rows }
  }

  private box(id: number): Row | undefined {
    const box = this.state.boxes.find((one) => one.id === id)
    return box && this.isRead('boxes', box) ? box : undefined
  }

  private connects(box: Row): boolean {
    return this.rules('boxes', 'edges').some(({ where }) => where.has(box, this.state))
  }

  private edgeStatus(from: number, to: number): number {
    const boxes = [this.box(from), this.box(to)]
    if (boxes.some((box) => !box)) return invalid
    return boxes.every((box) => box && this.connects(box)) ? 201 : refused
  }

  private hasEdge(from: number, to: number, but?: string): boolean {
    return this.state.edges.some(({ id, from_id, to_id }) => id !== but && from_id === from && to_id === to)
  }

  private seesEdge({ from_id, to_id }: Edge): boolean {
    return [from_id, to_id].every((id) => this.box(id))
  }

  private writesEdge({ from_id, to_id }: Edge): boolean {
    return this.edgeStatus(from_id, to_id) === 201
  }
}

const without = (data: Data, member: string): Data =>
  Object.fromEntries(Object.entries(data).filter(([name]) => name !== member))
