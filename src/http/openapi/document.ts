/** Builds the OpenAPI 3.1 document from the route tables. */
import { ROLE_AUTHENTICATED } from '../../lib/identity/principal.ts';
import { problemKinds } from '../../lib/problems/problem-kinds.ts';
import { ANYONE } from '../auth/auth.ts';
import { viewAsParameter } from '../auth/view-as.ts';
import type { DescribedDocument } from '../documents/schema.ts';
import type { WireDialect } from '../negotiate/wire-dialect.ts';
import { dryRunParameter, quietOnNotFound } from '../request/query.ts';
import { returnMethods } from '../response/reply.ts';
import { statusTexts } from '../response/status-texts.ts';
import {
  type DocumentRoute,
  findAccepted,
  findReturned,
  listSuccesses,
  type RequestBodySpec,
  type RouteTable,
} from '../routes/route.ts';
import { formats } from '../serialization/format.ts';
import { keyHeader } from '../steps/retries.ts';
import { type Components, collectComponents, formatSchemaName, type HeaderName } from './components.ts';
import { inlineSingleUse } from './inline-components.ts';
import { canBeUnchanged, groupByStatus, isList, listFrameworkProblems } from './statuses.ts';

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly serverUrl: string;
  /** Example names by path variable, in lower case. */
  readonly samples: Readonly<Record<string, string>>;
}

type Json = Readonly<Record<string, unknown>>;

export function buildOpenApiDocument<S>(
  tables: readonly RouteTable<S>[],
  dialect: WireDialect,
  info: OpenApiInfo,
): Json {
  const routes = tables.flatMap((table) => table.routes);
  const byPath = Map.groupBy(routes, (route) => route.path.replace(/[:*](\w+)/g, '{$1}') || '/');
  const words = {
    samples: info.samples,
    buildLink: (kind: string) => `${info.serverUrl}${buildExamplePath(kind, routes, info)}`,
  };
  const components = collectComponents(words);
  const paths = Object.fromEntries(
    [...byPath].map(([path, rows]) => [
      path,
      {
        ...buildPathParameters(path, info, components),
        ...Object.fromEntries(
          rows.map((route) => [route.method.toLowerCase(), buildOperation(route, dialect, info, components)]),
        ),
      },
    ]),
  );
  return inlineSingleUse({
    openapi: '3.1.0',
    info: {
      title: info.title,
      version: info.version,
      description: `The REST configuration interface. Every path accepts an extension (.xml, .json, .html) that sets the response format and takes precedence over Accept. XML responses contain links as atom:link elements, which the examples omit.${formatJsonHabits(dialect)}${withCurl}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: info.serverUrl }],
    security: [{ basic: [] }],
    tags: tables.map((table) => ({ name: table.family, description: table.description })),
    paths,
    components: { securitySchemes: { basic: { type: 'http', scheme: 'basic' } }, ...components.buildComponents() },
  });
}

/** Usage with curl; `REST` and `ADMIN` are defined as in the README. */
const withCurl = [
  '\n\nWith curl, where REST is the address of the server, ADMIN is user:password',
  'and PATH is the path of an operation with values for its variables:',
  '`curl -u "$ADMIN" $REST/PATH.json` reads,',
  '`curl -u "$ADMIN" --json @document.json $REST/PATH` sends a document (add `-X PUT` for PUT),',
  '`curl -u "$ADMIN" -X PUT -H \'Content-Type: application/zip\' --data-binary @data.zip $REST/PATH` sends a file,',
  '`curl -u "$ADMIN" -H \'Content-Type: text/plain\' -d TEXT $REST/PATH` sends a line of text,',
  'and `curl -u "$ADMIN" -X DELETE $REST/PATH` deletes.',
].join(' ');

/** Describes JSON conventions that schemas cannot express. */
function formatJsonHabits({ emptyJsonList, singleJsonItem }: WireDialect): string {
  return [
    emptyJsonList === 'empty string' ? ' In JSON, an empty list is the empty string.' : '',
    singleJsonItem === 'bare item' ? ' In JSON, a nested list of one item is that item.' : '',
  ].join('');
}

/** Returns the first path that ends with a variable of this kind. */
function buildExamplePath<S>(kind: string, routes: readonly DocumentRoute<S>[], info: OpenApiInfo): string {
  const wanted = kind.toLowerCase();
  const found = routes.find(({ path }) => wanted.endsWith(readLastVariable(path)));
  return found === undefined ? '' : buildSamplePath(found, info);
}

function readLastVariable(path: string): string {
  return /\/:(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '/';
}

function buildSamplePath<S>({ path }: DocumentRoute<S>, { samples }: OpenApiInfo): string {
  return path.replaceAll(/[:*](\w+)/g, (_all, name: string) => encodeURIComponent(getSample(name, samples)));
}

function getSample(name: string, samples: OpenApiInfo['samples']): string {
  return samples[name.toLowerCase()] ?? name;
}

function buildOperation<S>(
  route: DocumentRoute<S>,
  dialect: WireDialect,
  info: OpenApiInfo,
  components: Components,
): Json {
  const accepted = findAccepted(route);
  return {
    operationId: buildOperationId(route),
    summary: route.summary,
    tags: [route.family],
    ...(route.role === ANYONE ? { security: [] } : {}),
    ...buildQueryParameters(route, components),
    ...(accepted === undefined ? {} : { requestBody: buildRequestBody(accepted, info, components) }),
    responses: {
      ...Object.fromEntries(listSuccesses(route).map((status) => [status, buildSuccess(route, status, components)])),
      ...(canBeUnchanged(route) ? { 304: { $ref: '#/components/responses/NotModified' } } : {}),
      ...buildErrors(route, dialect, components),
    },
  };
}

/** Lists the operation's own errors by status, and the errors of the pipeline as the default. */
function buildErrors<S>(route: DocumentRoute<S>, dialect: WireDialect, components: Components): Json {
  const own = [...groupByStatus(route.problems, dialect)];
  const others = components.addSharedErrors(groupByStatus(listFrameworkProblems(route), dialect));
  return {
    ...Object.fromEntries(own.map(([status, codes]) => [status, components.addError(status, codes)])),
    // Clients that only read the keys must see that 4xx responses exist.
    ...(own.some(([status]) => status < 500) ? {} : { '4XX': others }),
    default: others,
  };
}

/** Documents are shared by several operations. */
function buildRequestBody(accepted: RequestBodySpec, info: OpenApiInfo, components: Components): Json {
  const body = { required: true, content: buildBodyContent(accepted, info, components) };
  return 'document' in accepted ? components.addBody(accepted.document, body) : body;
}

function buildBodyContent(accepted: RequestBodySpec, info: OpenApiInfo, components: Components): Json {
  switch (accepted.kind) {
    case 'text':
      return { 'text/plain': { schema: { type: 'string' }, example: getSample(accepted.what, info.samples) } };
    case 'upload':
      return { '*/*': { schema: { type: 'string', format: 'binary', description: accepted.what } } };
    case 'document or file':
      return {
        ...buildBodyContent({ ...accepted, kind: 'document' }, info, components),
        ...Object.fromEntries(
          accepted.mediaTypes.map((type) => [
            type,
            { schema: { type: 'string', format: 'binary', description: accepted.what } },
          ]),
        ),
      };
    case 'json':
      return buildDocumentContent(accepted.shape, ['json'], 'sent', components);
    case 'document':
      return buildDocumentContent(accepted.document, ['json', 'xml'], 'sent', components);
  }
}

/**
 * Returns a document in each media type of the formats. Only the first type has a schema and an example, because the
 * others are synonyms. XML is a string for generated clients. Documents that are read have one example.
 */
function buildDocumentContent(
  document: DescribedDocument,
  wanted: readonly ('json' | 'xml')[],
  use: 'sent' | 'read',
  components: Components,
): Json {
  // Many generators of clients use the first content only, and a content without a schema makes the others untyped.
  const jsonFirst = wanted.toSorted();
  return Object.fromEntries(
    jsonFirst.flatMap((format) => {
      const [usual = '', ...others] = formats[format].mediaTypes;
      const { schema, ...example } = components.addDocument(document, format, use);
      const isShown = use === 'sent' || format === 'xml' || !wanted.includes('xml');
      return [
        [usual, { schema, ...(isShown ? example : {}) }],
        ...(use === 'sent' ? others : []).map((type) => [type, { schema }]),
      ];
    }),
  );
}

function buildOperationId<S>(route: DocumentRoute<S>): string {
  const words = route.path.split('/').filter((word) => word !== '');
  const name = words.map((word) => (/^[:*]/.test(word) ? `By${capitalize(word.slice(1))}` : capitalize(word))).join('');
  return `${route.method.toLowerCase()}${name || 'Index'}`.replaceAll(/[^\w]/g, '');
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** They are the same for all operations of a path. */
function buildPathParameters(path: string, { samples }: OpenApiInfo, components: Components): Json {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    components.addParameter({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
      example: getSample(name, samples),
    }),
  );
  return parameters.length === 0 ? {} : { parameters };
}

const retryKeyParameter = {
  name: keyHeader,
  in: 'header',
  description: 'Makes retries safe: a request repeated with the same key within a day returns the stored response.',
  schema: { type: 'string' },
} as const;

const preferParameter = {
  name: 'Prefer',
  in: 'header',
  description:
    'return=representation returns the resource after the change, return=minimal no body; handling=strict rejects unknown names.',
  schema: { type: 'string' },
} as const;

const lastEventParameter = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'Number of the last event received; the stream continues after it.',
  schema: { type: 'integer', minimum: 0 },
} as const;

function buildQueryParameters<S>(route: DocumentRoute<S>, components: Components): Json {
  const isSometimesMissing = route.problems.some((code) => problemKinds[code].status === 404);
  const ofReads = isSometimesMissing ? { quietOnNotFound } : {};
  const everywhere = route.method === 'GET' ? ofReads : { dryRun: dryRunParameter };
  const parameters = Object.entries({ ...route.query, ...everywhere }).map(
    ([name, { description, schema, isRequired }]) =>
      components.addParameter({ name, in: 'query', description, schema, ...(isRequired ? { required: true } : {}) }),
  );
  const headers = [
    ...(route.method === 'GET' ? [] : [retryKeyParameter]),
    ...(returnMethods.has(route.method) ? [preferParameter] : []),
    ...(route.method === 'GET' && route.role === ROLE_AUTHENTICATED ? [viewAsParameter] : []),
    ...(route.access === 'live' && route.kind === 'resource' ? [lastEventParameter] : []),
  ].map((header) => components.addParameter(header));
  const all = [...parameters, ...headers];
  return all.length === 0 ? {} : { parameters: all };
}

function buildSuccess<S>(route: DocumentRoute<S>, status: number, components: Components): Json {
  const description = statusTexts[status];
  const returned = findReturned(route);
  const [usualStatus] = listSuccesses(route);
  if (returned === undefined) {
    const reply = { description, ...buildSuccessContent(route, components) };
    return status === 201 ? components.addReply('Created', reply) : reply;
  }
  const usual = { description: statusTexts[usualStatus], ...buildSuccessContent(route, components) };
  const reply = components.addReply(formatSchemaName(returned), usual);
  return status === usualStatus ? reply : { ...reply, description };
}

function buildSuccessContent<S>(route: DocumentRoute<S>, components: Components): Json {
  const isCreated = listSuccesses(route)[0] === 201;
  const names: readonly HeaderName[] = [
    ...(isCreated ? (['Location'] as const) : []),
    ...(canBeUnchanged(route) ? (['ETag'] as const) : []),
    ...(isList(route) ? (['Link', 'Graticule-Total'] as const) : []),
  ];
  const described = Object.fromEntries(names.map((name) => [name, components.addHeader(name)]));
  const headers = names.length === 0 ? {} : { headers: described };
  if (route.kind === 'content') {
    const { mediaType } = route;
    return {
      ...headers,
      content: { [mediaType]: { schema: { type: mediaType.endsWith('json') ? 'object' : 'string' } } },
    };
  }
  const returned = findReturned(route);
  if (returned === undefined) {
    return isCreated
      ? {
          ...headers,
          content: { 'text/plain': { schema: { type: 'string', description: 'Name of the new resource.' } } },
        }
      : headers;
  }
  const forPrograms = route.formats.filter((format) => format !== 'html');
  const files = (route.kind === 'resource' ? route.renditions : [])
    .flatMap(({ mediaTypes }) => mediaTypes.slice(0, 1))
    .map((type) => [type, { schema: { type: 'string', format: 'binary' } }]);
  return {
    ...headers,
    content: {
      ...buildDocumentContent(returned, forPrograms, 'read', components),
      ...(route.formats.includes('html') ? { 'text/html': { schema: { type: 'string' } } } : {}),
      ...Object.fromEntries(files),
    },
  };
}
