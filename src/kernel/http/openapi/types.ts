/** Types for the parts of an OpenAPI document that Tessera writes. */

/** A JSON Schema of the draft 2020-12. */
export type JsonSchema = { [keyword: string]: unknown }

/** A body by media type. */
export interface Content {
  [mediaType: string]: { schema: JsonSchema; example?: unknown }
}
/** A reference to a component. */
export interface Reference {
  $ref: string
}
/** A response of an operation. */
export interface Response {
  description: string
  headers?: JsonSchema
  content?: Content
}
/** A parameter of a path, a query string or a header. */
export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  /** `form` for a list. With `explode` false, its values are separated by commas in one parameter. */
  style?: string
  explode?: boolean
  schema: JsonSchema
}
/** A method of a path. */
export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, Response | Reference>
}
/** The whole document. */
export type OpenApiDocument = {
  openapi: string
  info: JsonSchema
  servers: JsonSchema[]
  tags: JsonSchema[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, JsonSchema>
  components: Components
}
interface Components {
  schemas: Record<string, JsonSchema>
  responses: Record<string, Response>
  parameters?: Record<string, Parameter>
  securitySchemes: JsonSchema
}
/** A document whose operations refer to shared parameters. */
export type AppDocument = Omit<OpenApiDocument, 'paths'> & {
  paths: Record<string, Record<string, AppOperation>>
}
export type AppOperation = Omit<Operation, 'parameters'> & { parameters: Reference[] }
