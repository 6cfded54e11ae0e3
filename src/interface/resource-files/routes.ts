/** Routes for files: the styles and data of the data directory, by path. */

import {
  createUnknownResourceProblem,
  formatResourcePath,
  type ResourceChild,
  type ResourceEntry,
  type ResourceFolder,
  type ResourcePath,
} from '../../catalog/resource-files/resource.ts';
import {
  deleteResourceFile,
  findResourceEntry,
  putResourceFile,
  type ResourceUser,
  type ResourceWrite,
  transferResource,
} from '../../catalog/resource-files/resource-files.ts';
import type { QueryParameter } from '../../http/request/query.ts';
import type { FurtherHeaders, OpenFileResult, ReadResult } from '../../http/routes/outcome.ts';
import { type PageQuery, pagingParameters, readPage } from '../../http/routes/paging.ts';
import type { Call, RouteTable } from '../../http/routes/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import { selectPage } from '../../lib/text/page.ts';
import { formatChoices } from '../../lib/text/wording.ts';
import type { Dialect } from '../common/dialects.ts';
import { del, family, getOpenFile, type Services, upload } from '../common/services.ts';
import { getFileMediaType } from './media-types.ts';
import { buildFileUrl, type FileRepresentation, resourceDocument } from './representation.ts';

const role = WORKSPACE_ADMINISTRATOR;

function createChoiceParameter<V extends string, A extends V | null>(
  description: string,
  choices: readonly V[],
  absent: A,
): QueryParameter<V | A> {
  return {
    description,
    schema: { type: 'string', enum: choices },
    expected: formatChoices(choices),
    parse: (value) => choices.find((choice) => choice === value.toLowerCase()),
    absent,
  };
}

const readQuery = {
  ...pagingParameters,
  operation: createChoiceParameter('Return the content or the metadata.', ['default', 'metadata'], 'default'),
  format: createChoiceParameter('Format of the document; default: the Accept header.', ['xml', 'json', 'html'], null),
};

const writeQuery = {
  operation: createChoiceParameter(
    'Store the body (default), or move or copy the file whose path is the body.',
    ['default', 'move', 'copy'],
    'default',
  ),
};

const wrongPath: readonly ProblemCode[] = ['resource-unknown', 'path-refused', 'file-name-illegal'];
const contentProblems: readonly ProblemCode[] = ['style-content-purged', 'style-content-lost', 'vector-file-missing'];
/** One list for all writes, so that the API description contains it once. */
const wrongWrite: readonly ProblemCode[] = [
  ...wrongPath,
  ...contentProblems,
  'resource-folder',
  'resource-place',
  'resource-uploaded',
  'resource-on-one-node',
  'resource-in-use',
  'resource-not-empty',
  'resource-source',
  'resource-kind',
  'font-invalid',
  'layout-invalid',
  'template-invalid',
  'style-invalid',
  'style-content-mismatch',
  'style-layer-unknown',
  'work-too-large',
  'work-too-slow',
  'work-refused',
  'xml-malformed',
  'xml-doctype',
  'document-too-deep',
  'document-too-busy',
];

export function resourceFileRoutes(dialect: Dialect): RouteTable<Services> {
  const readResource = async (call: Call<Services, unknown, ReadQuery>, path: ResourcePath) => {
    const { services, query, restUrl, format = 'xml' } = call;
    const found = await findResourceEntry(services.catalog, services, await loadResourceUser(call), path);
    const isMetadata = query.operation === 'metadata';
    if (found === undefined && (!isMetadata || dialect.missingFile === 'unknown')) {
      throw createUnknownResourceProblem(path);
    }
    if (found?.kind === 'folder' && !isMetadata) {
      return toFolderReply(found, { path, restUrl, format }, query);
    }
    return toFileReply(found, { path, restUrl, format }, isMetadata);
  };
  return family(
    'Files',
    {
      description:
        'Files of styles, palettes, templates of feature info, layouts of maps, data below the data directory, and uploads of stores. Paths include extensions.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'dataDirectory',
    },
    [
      getOpenFile('/resource', 'List the top folders', { returns: resourceDocument, query: readQuery }, (call) =>
        readResource(call, []),
      ),

      getOpenFile(
        '/resource/*path',
        'Read a file, a folder or the metadata of either',
        {
          returns: resourceDocument,
          query: readQuery,
          role,
          endsInFileName: true,
          problems: [...wrongPath, ...contentProblems, 'range-outside'],
        },
        (call) => readResource(call, splitPath(call.params.path)),
      ),

      upload(
        '/resource/*path',
        'Store, move or copy a file',
        {
          what: 'Content of the file; or the path of the source as text, with operation=move or operation=copy.',
          otherSuccesses: [200],
          query: writeQuery,
          role,
          endsInFileName: true,
          problems: wrongWrite,
        },
        async (call) => {
          const { services, body, query, precondition, isStrict: strict } = call;
          const path = splitPath(call.params.path);
          const user = await loadResourceUser(call);
          const layers = { viewer: user, unknown: dialect.unknownStyledLayers };
          const write: ResourceWrite = { precondition, strict, layers };
          const { isNew, warnings } =
            query.operation === 'default'
              ? await putResourceFile(services.catalog, services, user, { ...write, path, body })
              : await transferResource(services.catalog, services, user, {
                  ...write,
                  how: query.operation,
                  from: await readSource(body),
                  to: path,
                });
          return { location: ['resource', ...path], text: '', warnings, status: isNew ? 201 : 200 };
        },
      ),

      del(
        '/resource/*path',
        'Delete a file or an empty folder',
        {
          role,
          endsInFileName: true,
          problems: wrongWrite,
        },
        async (call) => {
          const { services, precondition } = call;
          const path = splitPath(call.params.path);
          await deleteResourceFile(services.catalog, services, await loadResourceUser(call), { path, precondition });
        },
      ),
    ],
  );
}

interface ReadQuery extends PageQuery {
  readonly operation: 'default' | 'metadata';
}

export async function loadResourceUser({
  services,
  principal,
}: Pick<Call<Services>, 'services' | 'principal'>): Promise<ResourceUser> {
  return { principal, permissions: await services.access.getPermissions(principal) };
}

function splitPath(path: string): ResourcePath {
  return path.split('/').filter((segment) => segment !== '');
}

/** The path of a source, with or without a leading slash. */
async function readSource(body: { text(): Promise<string> }): Promise<ResourcePath> {
  const source = splitPath(await body.text());
  if (source.length === 0) {
    throw problem('resource-source', {
      source: formatResourcePath(source),
      reason: 'the body must be the path of the source',
    });
  }
  return source;
}

async function toFileReply(
  found: ResourceEntry | undefined,
  where: Pick<FileRepresentation, 'path' | 'restUrl' | 'format'>,
  isMetadata: boolean,
): Promise<ReadResult<FileRepresentation> | OpenFileResult> {
  const type = found === undefined ? 'undefined' : found.kind === 'folder' ? 'directory' : 'resource';
  if (found?.kind === 'file' && !isMetadata) {
    const { file, sizeBytes, version, modifiedAtMs } = await found.open();
    const mediaType = getFileMediaType(where.path.at(-1) ?? '');
    return { openFile: { file, sizeBytes, mediaType }, version, headers: buildHeaders(where, type, modifiedAtMs) };
  }
  const modified = found?.modifiedAtMs === undefined ? {} : { modifiedAtMs: found.modifiedAtMs };
  return { resource: { ...where, type, ...modified }, headers: buildHeaders(where, type, found?.modifiedAtMs) };
}

/** The contents of a folder, or its page. */
async function toFolderReply(
  { modifiedAtMs, children }: ResourceFolder,
  where: Pick<FileRepresentation, 'path' | 'restUrl' | 'format'>,
  query: PageQuery,
): Promise<ReadResult<FileRepresentation>> {
  const getName = (child: ResourceChild) => child.name;
  const { listed, headers, next } = await readPage(query, {
    scope: `/resource/${where.path.join('/')}`,
    getName,
    getSearchText: getName,
    read: async (page) => ({ entries: selectPage(children, getName, page) }),
  });
  const modified = modifiedAtMs === undefined ? {} : { modifiedAtMs };
  return {
    resource: { ...where, type: 'directory', ...modified, children: listed.entries },
    headers: { ...buildHeaders(where, 'directory', modifiedAtMs), ...headers },
    ...(next === undefined ? {} : { next }),
  };
}

function buildHeaders(
  { path, restUrl }: Pick<FileRepresentation, 'path' | 'restUrl'>,
  type: FileRepresentation['type'],
  modifiedAtMs: number | undefined,
): FurtherHeaders {
  return {
    'resource-type': type,
    ...(path.length === 0 ? {} : { 'resource-parent': buildFileUrl(restUrl, path.slice(0, -1)) }),
    ...(modifiedAtMs === undefined ? {} : { 'last-modified': new Date(modifiedAtMs).toUTCString() }),
  };
}
