/** The named parts of the OpenAPI document: each schema, parameter, body and reply is told once and referred to. */
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import type { DescribedDocument } from '../documents/schema.ts';
import { buildJsonExample, buildXmlExample, type ExampleSamples, type ExampleUse } from './examples.ts';
import { shareSchemas } from './shared-schemas.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Components {
  /** What a media type object says of a document in a format: its schema and an example. */
  addDocument(document: DescribedDocument, format: 'json' | 'xml', use: ExampleUse): Json & { readonly schema: Json };
  /** Errors of a status that are an operation's own, told once for all that have the same. */
  addError(status: number, codes: readonly ProblemCode[]): Json;
  /** What many operations may meet before anything is done, told once for all that meet the same of it. */
  addSharedErrors(codes: ReadonlyMap<number, readonly ProblemCode[]>): Json;
  addParameter(parameter: Json & { readonly name: string }): Json;
  /** The same reply of several operations, called after its document. */
  addReply(name: string, reply: Json): Json;
  addBody(document: DescribedDocument, body: Json): Json;
  addHeader(name: HeaderName): Json;
  /** Everything that was referred to. */
  buildComponents(): Json;
}

const headers = {
  Location: { description: 'The new resource.', schema: { type: 'string', format: 'uri' } },
  Link: { description: 'The next page, with rel="next", where there is one.', schema: { type: 'string' } },
  'Graticule-Total': { description: 'How many there are, with count=true.', schema: { type: 'integer' } },
  ETag: { description: 'The version, for If-Match and If-None-Match.', schema: { type: 'string' } },
} as const;

export type HeaderName = keyof typeof headers;

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

export function collectComponents(words: ExampleSamples): Components {
  const schemas = new Map<string, unknown>(Object.entries(errorSchemas));
  const responses = new Map<string, unknown>();
  const parameters = new Map<string, unknown>();
  const requestBodies = new Map<string, unknown>();
  const usedHeaders = new Map<string, unknown>();
  const usedCodes = new Set<ProblemCode>();
  /** What operations may meet that is not their own, by status. */
  const shared = new Map<number, Set<ProblemCode>>();
  /** The statuses that each shared response stands for. */
  const otherwise = new Map<string, readonly number[]>();

  /** Too long to be told with every set of statuses. */
  const isLongList = (status: number): boolean => (shared.get(status)?.size ?? 0) > LONG_LIST;

  function createSharedError(statuses: readonly number[]): Json {
    const described = statuses.map((each) =>
      isLongList(each) ? `${each}: as for Error.` : formatStatuses([each], shared),
    );
    return { $ref: '#/components/responses/Error', description: described.join(' ') };
  }

  /** Two things of one name would both be called what the second is. */
  function addComponent(kind: string, named: Map<string, unknown>, name: string, value: unknown): Json {
    const known = named.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(value)) {
      throw new Error(`Two different ${kind} of the OpenAPI document are called ${name}`);
    }
    named.set(name, value);
    return { $ref: `#/components/${kind}/${name}` };
  }

  /** The resource has a name of its own, and so has the document around it. */
  function addJsonSchema(document: DescribedDocument): Json {
    const name = formatSchemaName(document);
    const { schema } = document;
    const [[key, inner] = [], ...others] = Object.entries(schema.properties ?? {});
    if (key === undefined || inner?.properties === undefined || others.length > 0) {
      return addComponent('schemas', schemas, name, schema);
    }
    const resource = addComponent('schemas', schemas, name, inner);
    return addComponent('schemas', schemas, `${name}Document`, { ...schema, properties: { [key]: resource } });
  }

  /** Which element it is, and what is in it, the example shows. */
  function addXmlSchema(): Json {
    return addComponent('schemas', schemas, 'Xml', { type: 'string', contentMediaType: 'application/xml' });
  }

  return {
    addDocument(document, format, use) {
      const json = buildJsonExample(document, use, words);
      return format === 'json'
        ? { schema: addJsonSchema(document), example: json }
        : { schema: addXmlSchema(), example: buildXmlExample(document, json) };
    },

    addError(status, codes) {
      for (const code of codes) {
        usedCodes.add(code);
      }
      const error = { $ref: '#/components/responses/Error', description: [...new Set(codes)].sort().join(', ') };
      return addComponent('responses', responses, getFreeName(responses, `E${status}`, error), error);
    },

    addSharedErrors(codes) {
      for (const [status, each] of codes) {
        const known = shared.get(status) ?? new Set();
        shared.set(status, known);
        for (const code of each) {
          usedCodes.add(code);
          known.add(code);
        }
      }
      const statuses = [...codes.keys()];
      const name = getFreeName(otherwise, 'E', statuses);
      otherwise.set(name, statuses);
      return { $ref: `#/components/responses/${name}` };
    },

    addParameter: (parameter) => {
      const name = shortNames.get(parameter.name) ?? parameter.name;
      return addComponent('parameters', parameters, getFreeName(parameters, name, parameter), parameter);
    },
    addReply: (name, reply) => addComponent('responses', responses, getFreeName(responses, name, reply), reply),
    addBody: (document, body) => {
      const name = getFreeName(requestBodies, formatSchemaName(document), body);
      return addComponent('requestBodies', requestBodies, name, body);
    },
    addHeader: (name) => addComponent('headers', usedHeaders, name, headers[name]),
    buildComponents: () => ({
      schemas: shareSchemas(Object.fromEntries([...schemas, ['ProblemCode', createCodeSchema(usedCodes)]])),
      parameters: Object.fromEntries(parameters),
      headers: Object.fromEntries(usedHeaders),
      requestBodies: Object.fromEntries(requestBodies),
      responses: {
        ...Object.fromEntries(responses),
        Error: createErrorResponse(
          `An error of its own. Everywhere: ${formatStatuses([...shared.keys()].filter(isLongList), shared)}`,
        ),
        NotModified: { description: 'The copy the client has is still good.' },
        ...Object.fromEntries([...otherwise].map(([name, statuses]) => [name, createSharedError(statuses)])),
      },
    }),
  };
}

/** Nearly every operation refers to these, by names that are kilobytes in all. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ['Idempotency-Key', 'key'],
  ['quietOnNotFound', 'quiet'],
]);

/** Codes of one status that are told wherever the status is. */
const LONG_LIST = 1;

/** Other replies with the same document differ in a header or in the formats. */
function getFreeName(named: ReadonlyMap<string, unknown>, wanted: string, value: unknown): string {
  const isSame = (name: string) => JSON.stringify(named.get(name)) === JSON.stringify(value);
  let name = wanted;
  for (let count = 2; named.has(name) && !isSame(name); count += 1) {
    name = `${wanted}${count}`;
  }
  return name;
}

/** So that a client can tell them apart by type; what each means stands in a document of its own. */
function createCodeSchema(codes: ReadonlySet<ProblemCode>): Json {
  return { type: 'string', description: 'What each means is told in docs/errors.md.', enum: [...codes].sort() };
}

/** `401: credentials-required. 403: role-missing.` */
function formatStatuses(statuses: readonly number[], shared: ReadonlyMap<number, ReadonlySet<ProblemCode>>): string {
  return statuses.map((status) => `${status}: ${[...(shared.get(status) ?? [])].join(', ')}.`).join(' ');
}

function createErrorResponse(description: string): Json {
  return {
    description,
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Error' } },
      'application/xml': { schema: { type: 'string' } },
      'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDetails' } },
      'text/plain': { schema: { type: 'string' } },
    },
  };
}

/** What a document is called: after its root, unless it says otherwise. */
export function formatSchemaName({ root, schemaName }: Pick<DescribedDocument, 'root' | 'schemaName'>): string {
  return schemaName ?? root.charAt(0).toUpperCase() + root.slice(1);
}
