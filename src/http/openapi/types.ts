/** The parts of an OpenAPI document that Tessera writes. */

export type JsonSchema = { [keyword: string]: unknown }

interface Content {
  [mediaType: string]: { schema: JsonSchema }
}
export interface Reference {
  $ref: string
}
export interface Response {
  description: string
  headers?: JsonSchema
  content?: Content
}
export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: { name: string; in: string; required?: boolean; description?: string; schema: JsonSchema }[]
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
  components: { schemas: Record<string, JsonSchema>; responses: Record<string, Response>; securitySchemes: JsonSchema }
}
