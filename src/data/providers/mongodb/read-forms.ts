/** What the Worker of MongoDB is told of tables, filters, orders and computed values. */

/** A field: its path in a document, and the type that its values are stored as. */
export interface FieldForm {
  name: string
  path: string
  /** The name of a type of `fieldTypes`, or a way of model/adopted.ts. */
  type: string
}

/** A collection, as far as a question is about it. */
export interface CollectionForm {
  name: string
  fields: readonly FieldForm[]
  /** The names of the fields of the primary key. */
  key: readonly string[]
  /** Whether it was there before its table, so that others write to it, too. Omitted: no. */
  isAdopted?: boolean
}

/** What the value of a field is compared with, or a property inside it. */
export interface OperandForm {
  path: string
  /** The type of the values that it is compared with, or as which a property is read. */
  type: string
  /** The names that lead to a property inside the field. Empty: the field itself. */
  inside: readonly string[]
}

/** Paths of two documents that have the same value where their records are related. */
export interface PairForm {
  near: string
  far: string
}

/** Which records of another collection are related to a record. */
export interface RelatedForm {
  /** The name of the collection. */
  from: string
  /** The pairs of the record and of the other, or of the one that joins them. */
  pairs: readonly PairForm[]
  /** The records that join them, with the pairs of these and of the other. */
  via?: { from: string; pairs: readonly PairForm[]; where: PredicateForm }
  /** The filter of the other records. */
  where: PredicateForm
}

/** A planned filter. */
export type PredicateForm =
  | { is: 'and' | 'or'; of: readonly PredicateForm[] }
  | { is: 'not'; of: PredicateForm }
  | { is: 'has value'; operand: OperandForm; wanted: boolean }
  | { is: 'true'; path: string; wanted: boolean }
  /** Whether a related record exists. */
  | { is: 'related'; related: RelatedForm; wanted: boolean }
  | { is: 'compared'; operand: OperandForm; by: string; values: readonly string[] }

/** A term of an order. */
export interface TermForm {
  operand: OperandForm
  descending: boolean
  nullable: boolean
  nullsFirst: boolean
}

/** The content of a record. */
export interface ShownForm {
  /** The fields, in their order. */
  shown: readonly FieldForm[]
  /** Omitted: none. */
  populate?: readonly PopulateForm[]
  /** Whether values may be of other types than their fields, which is then told. Omitted: no. */
  tellsMisfits?: boolean
}

/** Related records in a record. */
export interface PopulateForm extends ShownForm {
  name: string
  to: 'one' | 'many'
  related: RelatedForm
  order: readonly TermForm[]
  offset: number
  /** Null: as many as an array has at most, with the number of all if there are more. */
  limit: number | null
  /** Whether the record has the number of all that match, too. */
  isCounted: boolean
}

/** Text of records: a JSON array, or lines. */
export interface TextForm {
  /** Omitted: a JSON array. */
  form?: 'ndjson' | 'csv'
  bytesMax: number
}

/** A page of a list. */
export interface PageForm extends ShownForm, TextForm {
  where: PredicateForm
  order: readonly TermForm[]
  offset: number
  limit: number
  countOnly: boolean
  total: 'exact' | 'limited' | 'none'
  /** The most records that a limited total counts. */
  countedMax: number
  /** A page at a position. */
  seek?: { isBackward: boolean; values: readonly (string | null)[] | null }
  /** The computed fields, with their paths, and whether the filter uses them. */
  computed?: readonly { path: string; of: ExpressionForm }[]
  filtersComputed?: boolean
  /** The values of which each combination is listed once. */
  distinct?: readonly ExpressionForm[]
}

/** A computed value. Each has the name of a type of values. */
export type ExpressionForm =
  | { is: 'value'; type: string; text: string | null }
  | { is: 'field'; type: string; operand: OperandForm }
  | { is: 'call'; type: string; name: string; of: readonly ExpressionForm[] }
  | {
      is: 'aggregate'
      type: string
      name: string
      distinct: boolean
      of: readonly ExpressionForm[]
      /** A separator, a fraction. */
      options: readonly string[]
      filter?: ExpressionForm
      order: readonly { of: ExpressionForm; descending: boolean; nullsFirst: boolean }[]
    }

/** A value of a group. */
export interface ResultForm {
  name: string
  type: string
  /** The type of the items of a list. */
  items?: string
  of: ExpressionForm
}

/** Aggregates of records. Conditions and orders name results by their places: `r0`, `r1`, … */
export interface GroupForm extends TextForm {
  where: PredicateForm
  /** Null: all records are one group. */
  keys: readonly ResultForm[] | null
  aggregates: readonly ResultForm[]
  having: PredicateForm
  order: readonly TermForm[]
  offset: number
  limit: number
  countOnly: boolean
}
