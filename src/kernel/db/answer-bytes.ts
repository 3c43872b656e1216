/**
 * The most bytes of JSON in an answer. Postgres needs about five times as many to make and to send it, and
 * the isolate, which has 128 MB, to read it. T9.
 */
export const answerBytesMax = 12 * 1024 * 1024

/**
 * The most bytes of JSON of the records that are related to one record, or of a list of their values. Each
 * level of an answer copies the levels in it, so 64 MB in a session allow less here.
 */
export const relatedBytesMax = 3 * 1024 * 1024

/**
 * The most bytes of JSON of all rows of a call: twice an answer, because the JSON of a row has texts that are
 * JSON. tessera.run refuses more.
 */
export const rowBytesMax = 24 * 1024 * 1024
