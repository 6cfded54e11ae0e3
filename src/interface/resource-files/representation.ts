/** The documents for folders of the data directory and for the metadata of a path. */
import type { ResourceChild, ResourcePath } from '../../catalog/resource-files/resource.ts';
import type { DocumentWriter } from '../../http/documents/document.ts';
import { type Format, formats } from '../../http/serialization/format.ts';
import { type Crumb, createHomeCrumb, html, text } from '../../http/serialization/html-page.ts';
import type { OutputDocument, OutputMember, OutputNode, WriteContext } from '../../http/serialization/output-tree.ts';
import { writeAnchor } from '../../http/serialization/write-html.ts';
import { getFileMediaType } from './media-types.ts';

/** The metadata of a path. */
export interface FileRepresentation {
  readonly path: ResourcePath;
  /** The REST root as the client addressed it. */
  readonly restUrl: string;
  /** The format of links to folders. */
  readonly format: Format;
  readonly type: 'directory' | 'resource' | 'undefined';
  readonly modifiedAtMs?: number;
  /** The children of a folder; undefined if only the metadata was requested. */
  readonly children?: readonly ResourceChild[];
}

const link = {
  type: 'object',
  properties: {
    href: { type: 'string', format: 'uri' },
    rel: { type: 'string', examples: ['alternate'] },
    type: { type: 'string', examples: ['text/xml'] },
  },
} as const;

const about = {
  name: { type: 'string', examples: ['roads.sld'] },
  parent: { type: 'object', properties: { path: { type: 'string', examples: ['styles'] }, link } },
  lastModified: { type: 'string', examples: ['2026-11-15 01:27:15.462 UTC'] },
} as const;

/** `ResourceDirectory` for a folder, `ResourceMetadata` for metadata requests. */
export const resourceDocument: DocumentWriter<FileRepresentation> = {
  root: 'ResourceDirectory',
  schema: {
    type: 'object',
    properties: {
      ResourceDirectory: {
        type: 'object',
        properties: {
          name: about.name,
          children: {
            type: 'object',
            properties: {
              child: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' }, link } } },
            },
          },
        },
      },
      ResourceMetadata: {
        type: 'object',
        properties: { ...about, type: { type: 'string', enum: ['directory', 'resource', 'undefined'] } },
      },
    },
  },
  write(shown) {
    const root = shown.children === undefined ? 'ResourceMetadata' : 'ResourceDirectory';
    return {
      root,
      node: buildFileNode(shown, writeXmlLink),
      json: { root, node: buildFileNode(shown, writeJsonLink) },
      title: formatTitle(shown),
      page: buildFilePage(shown),
    };
  },
};

export function formatLastModified(modifiedAtMs: number): string {
  return new Date(modifiedAtMs).toISOString().replace('T', ' ').replace('Z', ' UTC');
}

/** The URL of a path; that of the top folder ends with a slash. */
export function buildFileUrl(restUrl: string, path: ResourcePath): string {
  return `${restUrl}/resource/${path.map(encodeURIComponent).join('/')}`;
}

type LinkWriter = (href: string, type: string) => OutputMember;

const toValueMember = (name: string, of: string): OutputMember => ({ name, node: { kind: 'value', value: of } });

const writeJsonLink: LinkWriter = (href, type) => ({
  name: 'link',
  node: {
    kind: 'object',
    members: [toValueMember('href', href), toValueMember('rel', 'alternate'), toValueMember('type', type)],
  },
});

const writeXmlLink: LinkWriter = (href, type) => ({
  name: 'atom:link',
  node: {
    kind: 'object',
    members: [],
    attributes: { 'xmlns:atom': 'http://www.w3.org/2005/Atom', rel: 'alternate', href, type },
  },
});

function buildFileNode(
  { path, restUrl, format, type, modifiedAtMs, children }: FileRepresentation,
  writeLink: LinkWriter,
): OutputNode {
  const [folderType = ''] = formats[format].mediaTypes;
  const above = path.slice(0, -1);
  const parent: OutputMember = {
    name: 'parent',
    node: {
      kind: 'object',
      members: [toValueMember('path', above.join('/')), writeLink(buildFileUrl(restUrl, above), folderType)],
    },
  };
  const items = children?.map(
    ({ name, kind }): OutputNode => ({
      kind: 'object',
      members: [
        toValueMember('name', name),
        writeLink(buildFileUrl(restUrl, [...path, name]), kind === 'folder' ? folderType : getFileMediaType(name)),
      ],
    }),
  );
  return {
    kind: 'object',
    members: [
      toValueMember('name', path.at(-1) ?? ''),
      ...(path.length === 0 ? [] : [parent]),
      ...(modifiedAtMs === undefined ? [] : [toValueMember('lastModified', formatLastModified(modifiedAtMs))]),
      ...(items === undefined
        ? [toValueMember('type', type)]
        : [{ name: 'children', node: { kind: 'list', itemName: 'child', items } } as const]),
    ],
  };
}

function formatTitle({ path }: FileRepresentation): string {
  return path.length === 0 ? 'Files' : path.join('/');
}

function buildFilePage(shown: FileRepresentation): NonNullable<OutputDocument['page']> {
  const { path, restUrl, type, modifiedAtMs, children } = shown;
  const here = buildFileUrl(restUrl, path);
  const query = children === undefined ? 'operation=metadata&' : '';
  const steps = ['resource', ...path];
  return {
    crumbs: [
      createHomeCrumb(`${restUrl}.html`),
      ...steps.map((label, index): Crumb => {
        const isFile = index === steps.length - 1 && type !== 'directory';
        return isFile ? { label } : { label, url: `${buildFileUrl(restUrl, path.slice(0, index))}?format=html` };
      }),
    ],
    alternates: ['JSON', 'XML'].map((label) => ({ label, url: `${here}?${query}format=${label.toLowerCase()}` })),
    writeContent: (_context: WriteContext) =>
      children === undefined
        ? html`<p>${text(type)}${modifiedAtMs === undefined ? [] : [html`, ${text(formatLastModified(modifiedAtMs))}`]}</p>`
        : children.length === 0
          ? html`<p class="empty">This folder is empty.</p>`
          : html`<ul class="items">${children.map(({ name, kind }) => {
              const url = buildFileUrl(restUrl, [...path, name]);
              return html`<li>${kind === 'folder' ? writeAnchor(`${url}?format=html`, `${name}/`) : writeAnchor(url, name)}</li>`;
            })}</ul>`,
  };
}
