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
  return new ComponentCollector(words);
}

class ComponentCollector implements Components {
  readonly #words: ExampleSamples;
  readonly #schemas = new NamedComponents('schemas', Object.entries(errorSchemas));
  readonly #responses = new NamedComponents('responses');
  readonly #parameters = new NamedComponents('parameters');
  readonly #requestBodies = new NamedComponents('requestBodies');
  readonly #headers = new NamedComponents('headers');
  readonly #usedCodes = new Set<ProblemCode>();
  /** The errors of the pipeline by status. */
  readonly #shared = new Map<number, Set<ProblemCode>>();
  /** The statuses of each shared response. */
  readonly #otherwise = new Map<string, readonly number[]>();

  constructor(words: ExampleSamples) {
    this.#words = words;
  }

  addDocument(document: DescribedDocument, format: 'json' | 'xml', use: ExampleUse) {
    const json = buildJsonExample(document, use, this.#words);
    return format === 'json'
      ? { schema: this.#addJsonSchema(document), example: json }
      : { schema: this.#addXmlSchema(), example: buildXmlExample(document, json) };
  }

  addError(status: number, codes: readonly ProblemCode[]): Json {
    for (const code of codes) {
      this.#usedCodes.add(code);
    }
    const error = { $ref: '#/components/responses/Error', description: [...new Set(codes)].sort().join(', ') };
    return this.#responses.addNumbered(`E${status}`, error);
  }

  addSharedErrors(codes: ReadonlyMap<number, readonly ProblemCode[]>): Json {
    for (const [status, each] of codes) {
      const known = this.#shared.get(status) ?? new Set();
      this.#shared.set(status, known);
      for (const code of each) {
        this.#usedCodes.add(code);
        known.add(code);
      }
    }
    const statuses = [...codes.keys()];
    const name = getFreeName(this.#otherwise, 'E', statuses);
    this.#otherwise.set(name, statuses);
    return { $ref: `#/components/responses/${name}` };
  }

  addParameter(parameter: Json & { readonly name: string }): Json {
    return this.#parameters.addNumbered(shortNames.get(parameter.name) ?? parameter.name, parameter);
  }

  addReply(name: string, reply: Json): Json {
    return this.#responses.addNumbered(name, reply);
  }

  addBody(document: DescribedDocument, body: Json): Json {
    return this.#requestBodies.addNumbered(formatSchemaName(document), body);
  }

  addHeader(name: HeaderName): Json {
    return this.#headers.add(name, headers[name]);
  }

  buildComponents(): Json {
    const long = [...this.#shared.keys()].filter((status) => this.#isLongList(status));
    return {
      schemas: shareSchemas({ ...this.#schemas.toObject(), ProblemCode: createCodeSchema(this.#usedCodes) }),
      parameters: this.#parameters.toObject(),
      headers: this.#headers.toObject(),
      requestBodies: this.#requestBodies.toObject(),
      responses: {
        ...this.#responses.toObject(),
        Error: createErrorResponse(`Error. All operations: ${formatStatuses(long, this.#shared)}`),
        NotModified: { description: "The client's copy is current." },
        ...Object.fromEntries(
          [...this.#otherwise].map(([name, statuses]) => [name, this.#createSharedError(statuses)]),
        ),
      },
    };
  }

  /** Too long to repeat for every set of statuses. */
  #isLongList(status: number): boolean {
    return (this.#shared.get(status)?.size ?? 0) > LONG_LIST;
  }

  #createSharedError(statuses: readonly number[]): Json {
    const described = statuses.map((each) =>
      this.#isLongList(each) ? `${each}: see Error.` : formatStatuses([each], this.#shared),
    );
    return { $ref: '#/components/responses/Error', description: described.join(' ') };
  }

  /** Names both the resource and the document around it. */
  #addJsonSchema(document: DescribedDocument): Json {
    const name = formatSchemaName(document);
    const { schema } = document;
    const [[key, inner] = [], ...others] = Object.entries(schema.properties ?? {});
    if (key === undefined || inner?.properties === undefined || others.length > 0) {
      return this.#schemas.add(name, schema);
    }
    const resource = this.#schemas.add(name, inner);
    return this.#schemas.add(`${name}Document`, { ...schema, properties: { [key]: resource } });
  }

  /** The example shows the element and its content. */
  #addXmlSchema(): Json {
    return this.#schemas.add('Xml', { type: 'string', contentMediaType: 'application/xml' });
  }
}

/** The components of one kind. */
class NamedComponents {
  readonly #kind: string;
  readonly #named: Map<string, unknown>;

  constructor(kind: string, initial: Iterable<readonly [string, unknown]> = []) {
    this.#kind = kind;
    this.#named = new Map(initial);
  }

  /** Rejects two different components of the same name. */
  add(name: string, value: unknown): Json {
    const known = this.#named.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(value)) {
      throw new Error(`Duplicate name ${name} in the ${this.#kind} of the OpenAPI document`);
    }
    this.#named.set(name, value);
    return { $ref: `#/components/${this.#kind}/${name}` };
  }

  /** Appends a number if the name is taken by a different component. */
  addNumbered(name: string, value: unknown): Json {
    return this.add(getFreeName(this.#named, name, value), value);
  }

  toObject(): Json {
    return Object.fromEntries(this.#named);
  }
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
