/** A Map that forgets what was not used for longest. */
export class LruCache<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #weightMax: number
  readonly #weightOf: (value: Value) => number
  #weight = 0

  /** Without `weightOf`, as many entries as `weightMax`. What is heavier than that alone is kept until the next one comes. */
  constructor(weightMax: number, weightOf: (value: Value) => number = () => 1) {
    this.#weightMax = weightMax
    this.#weightOf = weightOf
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) {
      this.#entries.delete(key)
      this.#entries.set(key, value)
    }
    return value
  }

  set(key: Key, value: Value): void {
    this.delete(key)
    this.#entries.set(key, value)
    this.#weight += this.#weightOf(value)
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#weightMax || this.#entries.size === 1) return
      this.delete(oldest)
    }
  }

  delete(key: Key): void {
    const value = this.#entries.get(key)
    if (value === undefined) return
    this.#entries.delete(key)
    this.#weight -= this.#weightOf(value)
  }
}
