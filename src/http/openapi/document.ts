/** The route tables -> OpenAPI 3.1. */
import { problemKinds } from '../../lib/problems/problem-kinds.ts';
import { ANYONE } from '../auth/authorization.ts';
import type { DescribedDocument } from '../documents/schema.ts';
import type { WireDialect } from '../negotiate/wire-dialect.ts';
import { returnMethods } from '../request/prefer.ts';
import { quietOnNotFound } from '../request/query.ts';
import { statusTexts } from '../response/status-texts.ts';
import { keyHeader } from '../retries.ts';
import type { RequestBodySpec, Route, RouteTable } from '../routes/route.ts';
import { formats } from '../serialization/format.ts';
import { dryRunParameter } from '../session/session.ts';
import { type Components, collectComponents, formatSchemaName, type HeaderName } from './components.ts';
import { inlineSingleUse } from './inline-components.ts';
import { canBeUnchanged, groupByStatus, listFrameworkProblems } from './statuses.ts';

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly serverUrl: string;
  /** A name for each kind of thing, for examples: by the variables of paths, in lower case. */
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
      description: `The REST configuration interface. Every path also takes an extension (.xml, .json, .html) that chooses the format of the reply and wins over Accept. XML replies have links as atom:link elements, which the examples leave out.${formatJsonHabits(dialect)}${withCurl}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: info.serverUrl }],
    security: [{ basic: [] }],
    tags: tables.map((table) => ({ name: table.family, description: table.description })),
    paths,
    components: { securitySchemes: { basic: { type: 'http', scheme: 'basic' } }, ...components.buildComponents() },
  });
}

/** How any operation is asked, told once: with `REST` and `ADMIN` as the README sets them. */
const withCurl = [
  '\n\nWith curl, where REST is the address of the server, ADMIN a name and its password with a colon between them,',
  'and PATH the path of an operation with the examples of its variables:',
  '`curl -u "$ADMIN" $REST/PATH.json` reads,',
  '`curl -u "$ADMIN" --json @document.json $REST/PATH` sends a document (with `-X PUT` where it is put),',
  '`curl -u "$ADMIN" -X PUT -H \'Content-Type: application/zip\' --data-binary @data.zip $REST/PATH` a file,',
  '`curl -u "$ADMIN" -H \'Content-Type: text/plain\' -d TEXT $REST/PATH` a line of text,',
  'and `curl -u "$ADMIN" -X DELETE $REST/PATH` deletes.',
].join(' ');

/** What no schema tells. */
function formatJsonHabits({ emptyJsonList, singleJsonItem }: WireDialect): string {
  return [
    emptyJsonList === 'empty string' ? ' In JSON a list without items is the empty string.' : '',
    singleJsonItem === 'bare item' ? ' In JSON a list of one item inside a document is that item.' : '',
  ].join('');
}

/** The first path that ends with a thing of this kind. */
function buildExamplePath<S>(kind: string, routes: readonly Route<S>[], info: OpenApiInfo): string {
  const wanted = kind.toLowerCase();
  const found = routes.find(({ path }) => wanted.endsWith(readLastVariable(path)));
  return found === undefined ? '' : buildSamplePath(found, info);
}

function readLastVariable(path: string): string {
  return /\/:(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '/';
}

function buildSamplePath<S>({ path }: Route<S>, { samples }: OpenApiInfo): string {
  return path.replaceAll(/[:*](\w+)/g, (_all, name: string) => encodeURIComponent(getSample(name, samples)));
}

function getSample(name: string, samples: OpenApiInfo['samples']): string {
  return samples[name.toLowerCase()] ?? name;
}

function buildOperation<S>(route: Route<S>, dialect: WireDialect, info: OpenApiInfo, components: Components): Json {
  const { takes } = route;
  return {
    operationId: buildOperationId(route),
    summary: route.summary,
    tags: [route.family],
    ...(route.role === ANYONE ? { security: [] } : {}),
    ...buildQueryParameters(route, components),
    ...(takes === undefined ? {} : { requestBody: buildRequestBody(takes, info, components) }),
    responses: {
      ...Object.fromEntries(
        [route.success, ...(route.otherSuccesses ?? [])].map((status) => [
          status,
          buildSuccess(route, status, components),
        ]),
      ),
      ...(canBeUnchanged(route) ? { 304: { $ref: '#/components/responses/NotModified' } } : {}),
      ...buildErrors(route, dialect, components),
    },
  };
}

/** Statuses with errors of its own one by one; what the door says to many operations as all the rest. */
function buildErrors<S>(route: Route<S>, dialect: WireDialect, components: Components): Json {
  const own = [...groupByStatus(route.problems, dialect)];
  const others = components.addSharedErrors(groupByStatus(listFrameworkProblems(route), dialect));
  return {
    ...Object.fromEntries(own.map(([status, codes]) => [status, components.addError(status, codes)])),
    // Who reads no further than the keys is to see that clients can be at fault.
    ...(own.some(([status]) => status < 500) ? {} : { '4XX': others }),
    default: others,
  };
}

/** Bodies with a document are the same for several operations. */
function buildRequestBody(takes: RequestBodySpec, info: OpenApiInfo, components: Components): Json {
  const body = { required: true, content: buildBodyContent(takes, info, components) };
  return 'document' in takes ? components.addBody(takes.document, body) : body;
}

function buildBodyContent(takes: RequestBodySpec, info: OpenApiInfo, components: Components): Json {
  switch (takes.kind) {
    case 'text':
      return { 'text/plain': { schema: { type: 'string' }, example: getSample(takes.what, info.samples) } };
    case 'upload':
      return { '*/*': { schema: { type: 'string', format: 'binary', description: takes.what } } };
    case 'document or file':
      return {
        ...buildBodyContent({ ...takes, kind: 'document' }, info, components),
        ...Object.fromEntries(
          takes.mediaTypes.map((type) => [
            type,
            { schema: { type: 'string', format: 'binary', description: takes.what } },
          ]),
        ),
      };
    case 'json':
      return buildDocumentContent(takes.shape, ['json'], 'sent', components);
    case 'document':
      return buildDocumentContent(takes.document, ['json', 'xml'], 'sent', components);
  }
}

/**
 * A document in each media type of these formats, with its schema and an example in the first: the others are but other
 * names. JSON has types; XML is text to whoever generates a client. What is read is shown once.
 */
function buildDocumentContent(
  document: DescribedDocument,
  wanted: readonly ('json' | 'xml')[],
  use: 'sent' | 'read',
  components: Components,
): Json {
  return Object.fromEntries(
    wanted.flatMap((format) => {
      const [usual = '', ...others] = formats[format].mediaTypes;
      const { schema, ...example } = components.addDocument(document, format, use);
      const isShown = use === 'sent' || format === 'xml' || !wanted.includes('xml');
      return [
        [usual, { schema, ...(isShown ? example : {}) }],
        ...(use === 'sent' ? others : []).map((type) => [type, {}]),
      ];
    }),
  );
}

function buildOperationId<S>(route: Route<S>): string {
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
  description: 'Sent again with the same key within a day, a request is not done again but answered the same.',
  schema: { type: 'string' },
} as const;

const preferParameter = {
  name: 'Prefer',
  in: 'header',
  description: 'return=representation for the resource as it is then, return=minimal for no body; handling=strict.',
  schema: { type: 'string' },
} as const;

const lastEventParameter = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The number of the last event that was read of a stream, which goes on after it.',
  schema: { type: 'integer', minimum: 0 },
} as const;

function buildQueryParameters<S>(route: Route<S>, components: Components): Json {
  const isSometimesMissing = route.problems.some((code) => problemKinds[code].status === 404);
  const ofReads = isSometimesMissing ? { quietOnNotFound } : {};
  const everywhere = route.method === 'GET' ? ofReads : { dryRun: dryRunParameter };
  const parameters = Object.entries({ ...route.query, ...everywhere }).map(([name, { description, schema }]) =>
    components.addParameter({ name, in: 'query', description, schema }),
  );
  const headers = [
    ...(route.method === 'GET' ? [] : [retryKeyParameter]),
    ...(returnMethods.has(route.method) ? [preferParameter] : []),
    ...(route.follows === true ? [lastEventParameter] : []),
  ].map((header) => components.addParameter(header));
  const all = [...parameters, ...headers];
  return all.length === 0 ? {} : { parameters: all };
}

function buildSuccess<S>(route: Route<S>, status: number, components: Components): Json {
  const description = statusTexts[status];
  if (route.answers === undefined) {
    const reply = { description, ...buildSuccessContent(route, components) };
    return status === 201 ? components.addReply('Created', reply) : reply;
  }
  const usual = { description: statusTexts[route.success], ...buildSuccessContent(route, components) };
  const reply = components.addReply(formatSchemaName(route.answers), usual);
  return status === route.success ? reply : { ...reply, description };
}

function buildSuccessContent<S>(route: Route<S>, components: Components): Json {
  const names: readonly HeaderName[] = [
    ...(route.success === 201 ? (['Location'] as const) : []),
    ...(route.method === 'GET' && route.versioned ? (['ETag'] as const) : []),
    ...(route.lists === true ? (['Link', 'Graticule-Total'] as const) : []),
  ];
  const told = Object.fromEntries(names.map((name) => [name, components.addHeader(name)]));
  const headers = names.length === 0 ? {} : { headers: told };
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
  const forPrograms = route.formats.filter((format) => format !== 'html');
  const files = route.renditions
    .flatMap(({ mediaTypes }) => mediaTypes.slice(0, 1))
    .map((type) => [type, { schema: { type: 'string', format: 'binary' } }]);
  return {
    ...headers,
    content: {
      ...buildDocumentContent(answers, forPrograms, 'read', components),
      ...(route.formats.includes('html') ? { 'text/html': {} } : {}),
      ...Object.fromEntries(files),
    },
  };
}
