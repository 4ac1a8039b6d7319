/** Tools for each kind of content that a result can have, for structured results, and for failures. */
import { type JsonObject, textAt } from '../../wire/json-rpc.ts'
import { PIXEL, SILENCE } from './media.ts'
import { type Tool, text, tool } from './tool.ts'

const image: JsonObject = { type: 'image', data: PIXEL, mimeType: 'image/png' }

const resource = (uri: string, mimeType: string, content: string): JsonObject => ({
  type: 'resource',
  resource: { uri, mimeType, text: content },
})

/** The words that say most about a schema of 2020-12; a server must list them as they are. */
const addressBook: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

const forecast: { input: JsonObject; output: JsonObject } = {
  input: {
    type: 'object',
    properties: {
      city: { type: 'string', minLength: 1 },
      days: { type: 'integer', minimum: 1, maximum: 7 },
      note: { type: 'string' },
    },
    required: ['city', 'days'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      city: { type: 'string' },
      highs: { type: 'array', items: { type: 'number' } },
      warning: { type: 'string' },
    },
    required: ['city', 'highs'],
  },
}

export const contentTools: Tool[] = [
  tool('test_image_content', 'Returns one picture', () => ({ content: [image] })),
  tool('test_audio_content', 'Returns one sound', () => ({
    content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }],
  })),
  tool('test_embedded_resource', 'Returns one resource', () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  })),
  tool('test_multiple_content_types', 'Returns a text, a picture and a resource', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  })),
  tool('test_resource_link', 'Returns a link to a resource', () => ({
    content: [{ type: 'resource_link', uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' }],
  })),
  tool(
    'test_structured_content',
    'Returns a forecast as text and as structured content',
    args => {
      const structuredContent = {
        city: textAt(args, 'city') ?? '',
        highs: Array.from({ length: Number(args.days) }, (_, day) => 20.5 + day),
      }
      return { ...text(JSON.stringify(structuredContent)), structuredContent }
    },
    forecast.input,
    { outputSchema: forecast.output },
  ),
  tool('json_schema_2020_12_tool', 'Takes what a rich schema describes', () => text('accepted'), addressBook),
]
