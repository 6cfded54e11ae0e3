/** Templates at the paths of the resources that they belong to: the same files as below `/resource`. */

import { createUnknownResourceProblem, type ResourcePath } from '../../catalog/resource-files/resource.ts';
import { deleteResourceFile, findResourceEntry, putResourceFile } from '../../catalog/resource-files/resource-files.ts';
import { isTemplateName } from '../../catalog/resource-files/template-files.ts';
import type { ListWriter } from '../../http/documents/listing.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import type { OutputNode } from '../../http/serialization/output-tree.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import { selectPage } from '../../lib/text/page.ts';
import type { Dialect } from '../common/dialects.ts';
import { del, family, getOpenFile, list, type Services, upload } from '../common/services.ts';
import { buildFileUrl, resourceDocument } from './representation.ts';
import { loadResourceUser } from './routes.ts';

/** The paths of resources. Templates of coverages are only available below `/resource`. */
const owners = [
  '',
  '/workspaces/:workspace',
  '/workspaces/:workspace/datastores/:store',
  '/workspaces/:workspace/datastores/:store/featuretypes/:featuretype',
] as const;

const role = WORKSPACE_ADMINISTRATOR;
const wrongPath: readonly ProblemCode[] = ['resource-unknown', 'file-name-illegal'];
const contentProblems: readonly ProblemCode[] = ['style-content-purged', 'style-content-lost', 'vector-file-missing'];
const wrongWrite: readonly ProblemCode[] = [
  ...wrongPath,
  'resource-place',
  'template-invalid',
  'work-too-large',
  'work-too-slow',
  'work-refused',
];

export function templateRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'Templates',
    {
      description:
        'Templates of feature info: header.ftl, content.ftl, footer.ftl and their variants for JSON and KML.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
    },
    owners.flatMap((owner) => createOwnerRoutes(dialect, owner)),
  );
}

function createOwnerRoutes(dialect: Dialect, owner: string) {
  const path: string = `${owner}/templates`;
  return [
    list(path, 'List the templates', { returns: templateList, role, problems: wrongPath }, async (call, page) => {
      const folder = findFolder(call.params);
      const user = await loadResourceUser(call);
      const found = await findResourceEntry(call.services.catalog, call.services, user, folder);
      if (found?.kind !== 'folder') throw createUnknownResourceProblem(folder);
      const templates = found.children
        .filter(({ name }) => isTemplateName(name))
        .map(({ name }) => ({ name, href: buildFileUrl(call.restUrl, [...folder, name]) }));
      return { entries: selectPage(templates, templateList.getName, page) };
    }),

    getOpenFile(
      `${path}/:template`,
      'Read a template',
      {
        returns: resourceDocument,
        role,
        endsInFileName: true,
        problems: [...wrongPath, ...contentProblems, 'range-outside'],
      },
      async (call) => {
        const file = findFile(call.params);
        const found = await findResourceEntry(call.services.catalog, call.services, await loadResourceUser(call), file);
        if (found?.kind !== 'file') throw createUnknownResourceProblem(file);
        const { file: content, sizeBytes, version } = await found.open();
        return { openFile: { file: content, sizeBytes, mediaType: 'text/plain' }, version };
      },
    ),

    upload(
      `${path}/:template`,
      'Store a template',
      {
        what: 'Content of the template, at most 1 MB.',
        otherSuccesses: [200],
        role,
        endsInFileName: true,
        problems: wrongWrite,
      },
      async (call) => {
        const { services, body, precondition, isStrict: strict } = call;
        const file = findFile(call.params);
        const user = await loadResourceUser(call);
        const layers = { viewer: user, unknown: dialect.unknownStyledLayers };
        const write = { precondition, strict, layers, path: file, body };
        const { isNew, warnings } = await putResourceFile(services.catalog, services, user, write);
        return { location: ['resource', ...file], text: '', warnings, status: isNew ? 201 : 200 };
      },
    ),

    del(
      `${path}/:template`,
      'Delete a template',
      { role, endsInFileName: true, problems: wrongWrite },
      async (call) => {
        const { services, precondition } = call;
        const user = await loadResourceUser(call);
        await deleteResourceFile(services.catalog, services, user, { path: findFile(call.params), precondition });
      },
    ),
  ];
}

function readNames(params: unknown): ReadonlyMap<string, string> {
  return new Map(Object.entries(Object(params)).map(([name, value]) => [name, String(value)]));
}

function findFolder(params: unknown): ResourcePath {
  const names = readNames(params);
  const folders = ['workspace', 'store', 'featuretype'].flatMap((name) => names.get(name) ?? []);
  return folders.length === 0 ? ['templates'] : ['workspaces', ...folders];
}

/** The extension is optional, as in the reference server. */
function findFile(params: unknown): ResourcePath {
  const name = readNames(params).get('template') ?? '';
  return [...findFolder(params), name.includes('.') ? name : `${name}.ftl`];
}

interface ListedTemplate {
  readonly name: string;
  readonly href: string;
}

/** Links have no format extension, because names have one of their own. */
const templateList: ListWriter<ListedTemplate, readonly ListedTemplate[]> = {
  root: 'templates',
  getName: ({ name }) => name,
  schemaName: 'templates',
  schema: {
    type: 'object',
    properties: {
      templates: {
        type: 'object',
        properties: {
          template: {
            type: 'array',
            items: {
              type: 'object',
              properties: { name: { type: 'string' }, href: { type: 'string', format: 'uri' } },
              required: ['name', 'href'],
            },
          },
        },
      },
    },
    required: ['templates'],
  },
  write: (templates) => ({
    root: 'templates',
    node: { kind: 'list', itemName: 'template', items: templates.map(writeTemplate) },
    title: 'Templates',
  }),
};

function writeTemplate({ name, href }: ListedTemplate): OutputNode {
  return {
    kind: 'object',
    members: [
      { name: 'name', node: { kind: 'value', value: name } },
      { name: 'href', node: { kind: 'value', value: href } },
    ],
  };
}
