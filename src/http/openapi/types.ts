/** The parts of an OpenAPI document that Tessera writes. */

export type JsonSchema = { [keyword: string]: unknown }

export interface Content {
  [mediaType: string]: { schema: JsonSchema; example?: unknown }
}
export interface Reference {
  $ref: string
}
export interface Response {
  description: string
  headers?: JsonSchema
  content?: Content
}
export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  /** Of a list in one parameter: `form`, with `explode` false for values separated by commas. */
  style?: string
  explode?: boolean
  schema: JsonSchema
}
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
export interface OpenApiDocument {
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
export type AppDocument = Omit<OpenApiDocument, 'paths'> & { paths: Record<string, Record<string, AppOperation>> }
export type AppOperation = Omit<Operation, 'parameters'> & { parameters: Reference[] }
