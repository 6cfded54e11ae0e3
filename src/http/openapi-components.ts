/** The named parts of the OpenAPI document: each schema, example and error is told once and referred to. */
import { type ProblemCode, problemKinds } from '../lib/problem-kinds.ts';
import type { DescribedDocument } from './documents/schema.ts';
import { type ExampleUse, type ExampleWords, jsonExample, xmlExample } from './openapi-examples.ts';
import { statusTexts } from './status-texts.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Components {
  /** What a media type object says of a document in a format: its schema and an example. */
  document(document: DescribedDocument, format: 'json' | 'xml', use: ExampleUse): Json;
  /** The error of a status: what any operation may meet is told once, what is an operation's own beside the reference. */
  error(status: number, codes: readonly ProblemCode[], own: ReadonlySet<ProblemCode>): Json;
  parameter(name: string, parameter: Json): Json;
  /** The same reply of several operations, called after its document. */
  reply(name: string, reply: Json): Json;
  body(document: DescribedDocument, body: Json): Json;
  header(name: keyof typeof headers): Json;
  /** Everything that was referred to. */
  all(): Json;
}

const headers = {
  Location: { description: 'The new resource.', schema: { type: 'string', format: 'uri' } },
  ETag: { description: 'The version, for If-Match and If-None-Match.', schema: { type: 'string' } },
} as const;

const errorSchemas = {
  Error: {
    type: 'object',
    properties: { status: { type: 'integer' }, message: { type: 'string' } },
    required: ['status', 'message'],
  },
  ProblemDetails: {
    type: 'object',
    description: 'RFC 9457, for clients that accept application/problem+json.',
    properties: {
      type: { type: 'string' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      code: { $ref: '#/components/schemas/ProblemCode' },
      field: { type: 'string' },
      blockers: { type: 'array', items: { type: 'string' } },
    },
    required: ['type', 'title', 'status', 'detail', 'code'],
  },
};

export function collectComponents(words: ExampleWords): Components {
  const schemas = new Map<string, unknown>(Object.entries(errorSchemas));
  const examples = new Map<string, unknown>();
  const responses = new Map<string, unknown>();
  const parameters = new Map<string, unknown>();
  const requestBodies = new Map<string, unknown>();
  const usedHeaders = new Map<string, unknown>();
  const usedCodes = new Set<ProblemCode>();
  /** What any operation may meet, by status. */
  const shared = new Map<number, Set<ProblemCode>>();

  /** Two things of one name would both be called what the second is. */
  function put(kind: string, named: Map<string, unknown>, name: string, value: unknown): Json {
    const known = named.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(value)) {
      throw new Error(`Two different ${kind} of the OpenAPI document are called ${name}`);
    }
    named.set(name, value);
    return { $ref: `#/components/${kind}/${name}` };
  }

  /** The resource has a name of its own, and so has the document around it. */
  function jsonSchema(document: DescribedDocument): Json {
    const name = nameOf(document);
    const { schema } = document;
    const [[key, inner] = [], ...others] = Object.entries(schema.properties ?? {});
    if (key === undefined || inner?.properties === undefined || others.length > 0) {
      return put('schemas', schemas, name, schema);
    }
    const resource = put('schemas', schemas, name, inner);
    return put('schemas', schemas, `${name}Document`, { ...schema, properties: { [key]: resource } });
  }

  function xmlSchema(document: DescribedDocument): Json {
    const name = nameOf(document);
    const root = document.xmlRoot ?? document.root;
    return put('schemas', schemas, `${name}Xml`, {
      type: 'string',
      contentMediaType: 'application/xml',
      description: `The element ${root}, with the fields of ${name} as elements in it.`,
    });
  }

  return {
    document(document, format, use) {
      const name = `${nameOf(document)}${use === 'sent' ? 'Sent' : ''}${format === 'xml' ? 'Xml' : ''}`;
      const json = jsonExample(document, use, words);
      const value = format === 'json' ? json : xmlExample(document, json);
      return {
        schema: format === 'json' ? jsonSchema(document) : xmlSchema(document),
        examples: { example: put('examples', examples, name, { value }) },
      };
    },

    error(status, codes, own) {
      const common = shared.get(status) ?? new Set();
      shared.set(status, common);
      for (const code of codes) {
        usedCodes.add(code);
        if (!own.has(code)) {
          common.add(code);
        }
      }
      const owned = codes.filter((code) => own.has(code));
      const reference = { $ref: `#/components/responses/E${status}` };
      return owned.length === 0 ? reference : { ...reference, description: owned.join(', ') };
    },

    parameter: (name, parameter) => put('parameters', parameters, name, parameter),
    reply: (name, reply) => put('responses', responses, freeName(responses, name, reply), reply),
    body: (document, body) => {
      const name = freeName(requestBodies, nameOf(document), body);
      return put('requestBodies', requestBodies, name, body);
    },
    header: (name) => put('headers', usedHeaders, name, headers[name]),
    all: () => ({
      schemas: Object.fromEntries([...schemas, ['ProblemCode', codeSchema(usedCodes)]]),
      examples: Object.fromEntries(examples),
      parameters: Object.fromEntries(parameters),
      headers: Object.fromEntries(usedHeaders),
      requestBodies: Object.fromEntries(requestBodies),
      responses: {
        ...Object.fromEntries(responses),
        ...Object.fromEntries([...shared].map(([status, codes]) => [`E${status}`, errorResponse(status, codes)])),
      },
    }),
  };
}

/** Other replies with the same document differ in a header or in the formats. */
function freeName(named: ReadonlyMap<string, unknown>, wanted: string, value: unknown): string {
  const isSame = (name: string) => JSON.stringify(named.get(name)) === JSON.stringify(value);
  let name = wanted;
  for (let count = 2; named.has(name) && !isSame(name); count += 1) {
    name = `${wanted}${count}`;
  }
  return name;
}

/** Each code with its meaning, so that a client can tell them apart by type. */
function codeSchema(codes: ReadonlySet<ProblemCode>): Json {
  return {
    type: 'string',
    oneOf: [...codes].sort().map((code) => ({ const: code, description: problemKinds[code].when })),
  };
}

function errorResponse(status: number, codes: ReadonlySet<ProblemCode>): Json {
  if (status === 304) {
    return { description: 'The copy the client has is still good.' };
  }
  const error = { schema: { $ref: '#/components/schemas/Error' } };
  return {
    description: [...codes].join(', ') || statusTexts[status],
    content: {
      'application/json': error,
      'application/xml': { schema: { type: 'string' } },
      'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDetails' } },
      'text/plain': { schema: { type: 'string' } },
    },
  };
}

/** What a document is called: after its root, unless it says otherwise. */
export function nameOf({ root, schemaName }: Pick<DescribedDocument, 'root' | 'schemaName'>): string {
  return schemaName ?? root.charAt(0).toUpperCase() + root.slice(1);
}
