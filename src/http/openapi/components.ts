/** The components of the OpenAPI document: schemas, parameters, bodies and responses that operations refer to. */
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import type { DescribedDocument } from '../documents/schema.ts';
import { buildJsonExample, buildXmlExample, type ExampleSamples, type ExampleUse } from './examples.ts';
import { shareSchemas } from './shared-schemas.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Components {
  /** Returns the media type object of a document in a format: its schema and an example. */
  addDocument(document: DescribedDocument, format: 'json' | 'xml', use: ExampleUse): Json & { readonly schema: Json };
  /** Adds the errors of an operation for one status; operations with the same errors share a response. */
  addError(status: number, codes: readonly ProblemCode[]): Json;
  /** Adds the errors of the pipeline; operations with the same statuses share a response. */
  addSharedErrors(codes: ReadonlyMap<number, readonly ProblemCode[]>): Json;
  addParameter(parameter: Json & { readonly name: string }): Json;
  /** Adds a response that is named after its document. */
  addReply(name: string, reply: Json): Json;
  addBody(document: DescribedDocument, body: Json): Json;
  addHeader(name: HeaderName): Json;
  /** Builds everything that was referred to. */
  buildComponents(): Json;
}

const headers = {
  Location: { description: 'URL of the new resource.', schema: { type: 'string', format: 'uri' } },
  Link: { description: 'Link to the next page, with rel="next", if there is one.', schema: { type: 'string' } },
  'Graticule-Total': { description: 'Total number of items, with count=true.', schema: { type: 'integer' } },
  ETag: { description: 'Version of the resource, for If-Match and If-None-Match.', schema: { type: 'string' } },
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
  /** The errors of the pipeline by status. */
  const shared = new Map<number, Set<ProblemCode>>();
  /** The statuses of each shared response. */
  const otherwise = new Map<string, readonly number[]>();

  /** Too long to repeat for every set of statuses. */
  const isLongList = (status: number): boolean => (shared.get(status)?.size ?? 0) > LONG_LIST;

  function createSharedError(statuses: readonly number[]): Json {
    const described = statuses.map((each) =>
      isLongList(each) ? `${each}: see Error.` : formatStatuses([each], shared),
    );
    return { $ref: '#/components/responses/Error', description: described.join(' ') };
  }

  /** Rejects two different components of the same name. */
  function addComponent(kind: string, named: Map<string, unknown>, name: string, value: unknown): Json {
    const known = named.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(value)) {
      throw new Error(`Duplicate name ${name} in the ${kind} of the OpenAPI document`);
    }
    named.set(name, value);
    return { $ref: `#/components/${kind}/${name}` };
  }

  /** Names both the resource and the document around it. */
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

  /** The example shows the element and its content. */
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
          `Error. All operations: ${formatStatuses([...shared.keys()].filter(isLongList), shared)}`,
        ),
        NotModified: { description: "The client's copy is current." },
        ...Object.fromEntries([...otherwise].map(([name, statuses]) => [name, createSharedError(statuses)])),
      },
    }),
  };
}

/** Nearly every operation refers to them; long names would add kilobytes. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ['Idempotency-Key', 'key'],
  ['quietOnNotFound', 'quiet'],
]);

/** Longer lists of codes are described once, in the Error response. */
const LONG_LIST = 1;

/** Appends a number if the name is taken: responses with the same document can differ in headers or formats. */
function getFreeName(named: ReadonlyMap<string, unknown>, wanted: string, value: unknown): string {
  const isSame = (name: string) => JSON.stringify(named.get(name)) === JSON.stringify(value);
  let name = wanted;
  for (let count = 2; named.has(name) && !isSame(name); count += 1) {
    name = `${wanted}${count}`;
  }
  return name;
}

/** An enumeration, so that generated clients have a type for codes. */
function createCodeSchema(codes: ReadonlySet<ProblemCode>): Json {
  return { type: 'string', description: 'docs/errors.md describes each code.', enum: [...codes].sort() };
}

/** Returns `401: credentials-required. 403: role-missing.` */
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

/** Returns the name of a document: its root, unless it sets another name. */
export function formatSchemaName({ root, schemaName }: Pick<DescribedDocument, 'root' | 'schemaName'>): string {
  return schemaName ?? root.charAt(0).toUpperCase() + root.slice(1);
}
