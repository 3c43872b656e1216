/** A map that evicts the least recently used entries. */
export class LruCache<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #weightMax: number
  readonly #weightOf: (value: Value) => number
  #weight = 0

  /**
   * The cache evicts entries when their weights exceed `weightMax`. By default each entry weighs 1. An entry
   * that alone exceeds the maximum is kept until the next one is set.
   */
  constructor(weightMax: number, weightOf: (value: Value) => number = () => 1) {
    this.#weightMax = weightMax
    this.#weightOf = weightOf
  }

  /** Returns the value and marks it as used. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) {
      this.#entries.delete(key)
      this.#entries.set(key, value)
    }
    return value
  }

  /** Returns all values. They do not count as used. */
  values(): Value[] {
    return [...this.#entries.values()]
  }

  /** Sets a value, and evicts others if necessary. */
  set(key: Key, value: Value): void {
    this.delete(key)
    this.#entries.set(key, value)
    this.#weight += this.#weightOf(value)
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#weightMax || this.#entries.size === 1) return
      this.delete(oldest)
    }
  }

  /** Removes an entry, if there is one. */
  delete(key: Key): void {
    const value = this.#entries.get(key)
    if (value === undefined) return
    this.#entries.delete(key)
    this.#weight -= this.#weightOf(value)
  }
}
