/** The route tables -> OpenAPI 3.1. */
import { type ProblemCode, problemKinds } from '../lib/problem-kinds.ts';
import { ANYONE } from './authorization.ts';
import { formats } from './formats/format.ts';
import { quietOnNotFound } from './query.ts';
import type { Route, RouteTable, Takes } from './route.ts';
import { dryRunParameter } from './session.ts';
import { statusTexts } from './status-texts.ts';
import type { WireDialect } from './wire-dialect.ts';

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly serverUrl: string;
}

type Json = Readonly<Record<string, unknown>>;

/** The problems the door itself can end an operation in. */
function doorProblems<S>(route: Route<S>): readonly ProblemCode[] {
  const isRead = route.method === 'GET';
  const hasQuery = Object.keys(route.query).length > 0;
  return [
    'url-malformed',
    'names-unknown',
    'unexpected',
    ...(route.role === ANYONE ? [] : (['credentials-required', 'role-missing', 'too-many-attempts'] as const)),
    ...(isRead ? [] : (['cross-site'] as const)),
    ...(isRead && route.answers !== undefined ? (['not-acceptable'] as const) : []),
    ...(isRead ? (['dry-run-on-read'] as const) : (['storage-full'] as const)),
    'storage-busy',
    'storage-unavailable',
    ...(hasQuery || !isRead ? (['query-invalid'] as const) : []),
    ...(route.versioned ? (['precondition-failed'] as const) : []),
    ...(route.takes === undefined ? [] : problemsOfBody[route.takes.kind]),
  ];
}

const bodyProblems = [
  'xml-malformed',
  'xml-doctype',
  'json-malformed',
  'text-undecodable',
  'document-too-deep',
  'document-too-busy',
  'document-missing',
  'document-root',
  'document-invalid',
  'body-too-large',
  'body-incomplete',
  'body-type-unknown',
  'body-encoding-unknown',
] as const satisfies readonly ProblemCode[];

const uploadProblems = [
  'text-undecodable',
  'body-too-large',
  'body-incomplete',
  'body-encoding-unknown',
] as const satisfies readonly ProblemCode[];

const problemsOfBody: Readonly<Record<Takes['kind'], readonly ProblemCode[]>> = {
  document: bodyProblems,
  text: bodyProblems,
  upload: uploadProblems,
  'document or file': [...bodyProblems, 'body-type-missing'],
};

/** Every status an operation can answer with, and the problems behind each. */
export function statusesOf<S>(route: Route<S>, dialect: WireDialect): ReadonlyMap<number, readonly ProblemCode[]> {
  const statuses = new Map<number, readonly ProblemCode[]>([[route.success, []]]);
  if (route.method === 'GET' && route.versioned) {
    statuses.set(304, []);
  }
  for (const code of [...doorProblems(route), ...route.problems]) {
    const status = dialect.statuses[code] ?? problemKinds[code].status;
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return new Map([...statuses].sort(([a], [b]) => a - b));
}

export function openApiDocument<S>(tables: readonly RouteTable<S>[], dialect: WireDialect, info: OpenApiInfo): Json {
  const routes = tables.flatMap((table) => table.routes);
  const byPath = Map.groupBy(routes, (route) => route.path.replace(/[:*](\w+)/g, '{$1}') || '/');
  return {
    openapi: '3.1.0',
    info: {
      title: info.title,
      version: info.version,
      description:
        'The REST configuration interface. Every path also takes an extension (.xml, .json, .html) that chooses the format of the reply and wins over Accept.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: info.serverUrl }],
    security: [{ basic: [] }],
    tags: tables.map((table) => ({ name: table.family, description: table.description })),
    paths: Object.fromEntries(
      [...byPath].map(([path, rows]) => [
        path,
        Object.fromEntries(rows.map((route) => [route.method.toLowerCase(), operation(route, dialect)])),
      ]),
    ),
    components: {
      securitySchemes: { basic: { type: 'http', scheme: 'basic' } },
      schemas: {
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
            code: { type: 'string' },
            field: { type: 'string' },
            blockers: { type: 'array', items: { type: 'string' } },
          },
          required: ['type', 'title', 'status', 'detail', 'code'],
        },
      },
    },
  };
}

function operation<S>(route: Route<S>, dialect: WireDialect): Json {
  const parameters = [...pathParameters(route), ...queryParameters(route)];
  const { takes } = route;
  return {
    operationId: operationId(route),
    summary: route.summary,
    tags: [route.family],
    ...(route.role === ANYONE ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(takes === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: bodyContent(takes),
          },
        }),
    responses: Object.fromEntries(
      [...statusesOf(route, dialect)].map(([status, codes]) => [String(status), response(route, status, codes)]),
    ),
  };
}

function bodyContent(takes: Takes): Json {
  switch (takes.kind) {
    case 'text':
      return { 'text/plain': { schema: { type: 'string' } } };
    case 'upload':
      return { '*/*': { schema: { type: 'string', format: 'binary', description: takes.what } } };
    case 'document or file':
      return {
        ...bodyContent({ ...takes, kind: 'document' }),
        ...Object.fromEntries(
          takes.mediaTypes.map((type) => [
            type,
            { schema: { type: 'string', format: 'binary', description: takes.what } },
          ]),
        ),
      };
    case 'document':
      return Object.fromEntries(
        [...formats.json.mediaTypes, ...formats.xml.mediaTypes].map((type) => [
          type,
          { schema: takes.document.schema },
        ]),
      );
  }
}

function operationId<S>(route: Route<S>): string {
  const words = route.path.split('/').filter((word) => word !== '');
  const name = words.map((word) => (/^[:*]/.test(word) ? `By${capital(word.slice(1))}` : capital(word))).join('');
  return `${route.method.toLowerCase()}${name || 'Index'}`.replaceAll(/[^\w]/g, '');
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function pathParameters<S>(route: Route<S>): readonly Json[] {
  return [...route.path.matchAll(/[:*](\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters<S>(route: Route<S>): readonly Json[] {
  const declared =
    route.method === 'GET' ? { ...route.query, quietOnNotFound } : { ...route.query, dryRun: dryRunParameter };
  return Object.entries(declared).map(([name, parameter]) => ({
    name,
    in: 'query',
    description: parameter.description,
    schema: parameter.schema,
  }));
}

function response<S>(route: Route<S>, status: number, codes: readonly ProblemCode[]): Json {
  if (status === route.success) {
    return { description: statusTexts[status], ...successContent(route) };
  }
  if (status === 304) {
    return { description: 'The copy the client has is still good.' };
  }
  const error = { schema: { $ref: '#/components/schemas/Error' } };
  return {
    description: codes.map((code) => `${code}: ${problemKinds[code].when}`).join('\n'),
    content: {
      'application/json': error,
      'application/xml': error,
      'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDetails' } },
      'text/plain': { schema: { type: 'string' } },
    },
  };
}

function successContent<S>(route: Route<S>): Json {
  const headers = {
    ...(route.success === 201
      ? { headers: { Location: { description: 'The new resource.', schema: { type: 'string', format: 'uri' } } } }
      : {}),
    ...(route.method === 'GET' && route.versioned
      ? {
          headers: {
            ETag: { description: 'The version, for If-Match and If-None-Match.', schema: { type: 'string' } },
          },
        }
      : {}),
  };
  const { answers, answersText } = route;
  if (answersText !== undefined) {
    return {
      ...headers,
      content: { [answersText]: { schema: { type: answersText.endsWith('json') ? 'object' : 'string' } } },
    };
  }
  if (answers === undefined) {
    return route.success === 201
      ? { ...headers, content: { 'text/plain': { schema: { type: 'string', description: 'The new name.' } } } }
      : headers;
  }
  const types = route.formats.map((format) => [
    formats[format].mediaTypes[0],
    { schema: format === 'html' ? { type: 'string' } : answers.schema },
  ]);
  const files = route.renditions
    .flatMap(({ mediaTypes }) => mediaTypes.slice(0, 1))
    .map((type) => [type, { schema: { type: 'string', format: 'binary' } }]);
  return { ...headers, content: Object.fromEntries([...types, ...files]) };
}
