/** Folders of the data directory, and what is known of a path in it, as documents. */
import type { ResourceChild, ResourcePath } from '../../catalog/resource-files/resource.ts';
import type { DocumentWriter } from '../../http/documents/document.ts';
import { type Format, formats } from '../../http/formats/format.ts';
import { type Crumb, homeCrumb, html, text } from '../../http/formats/html-page.ts';
import type { OutputDocument, OutputMember, OutputNode, WriteContext } from '../../http/formats/output-tree.ts';
import { anchor } from '../../http/formats/write-html.ts';
import { mediaTypeOfFile } from './media-types.ts';

/** Something to be told of a path. */
export interface ShownResource {
  readonly path: ResourcePath;
  /** The REST root as the client knows it. */
  readonly restUrl: string;
  /** What links to folders lead to. */
  readonly format: Format;
  readonly type: 'directory' | 'resource' | 'undefined';
  readonly modifiedAtMs?: number;
  /** Of a folder; undefined where only the facts were asked for. */
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

/** `ResourceDirectory` for a folder, `ResourceMetadata` for who asks for facts only. */
export const resourceDocument: DocumentWriter<ShownResource> = {
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
      node: nodeOf(shown, xmlLink),
      json: { root, node: nodeOf(shown, jsonLink) },
      title: titleOf(shown),
      page: pageOf(shown),
    };
  },
};

export function lastModifiedText(modifiedAtMs: number): string {
  return new Date(modifiedAtMs).toISOString().replace('T', ' ').replace('Z', ' UTC');
}

/** The address of a path; that of the top ends with a slash. */
export function urlOfPath(restUrl: string, path: ResourcePath): string {
  return `${restUrl}/resource/${path.map(encodeURIComponent).join('/')}`;
}

type WriteLink = (href: string, type: string) => OutputMember;

const value = (name: string, of: string): OutputMember => ({ name, node: { kind: 'value', value: of } });

const jsonLink: WriteLink = (href, type) => ({
  name: 'link',
  node: { kind: 'object', members: [value('href', href), value('rel', 'alternate'), value('type', type)] },
});

const xmlLink: WriteLink = (href, type) => ({
  name: 'atom:link',
  node: {
    kind: 'object',
    members: [],
    attributes: { 'xmlns:atom': 'http://www.w3.org/2005/Atom', rel: 'alternate', href, type },
  },
});

function nodeOf(
  { path, restUrl, format, type, modifiedAtMs, children }: ShownResource,
  writeLink: WriteLink,
): OutputNode {
  const [folderType = ''] = formats[format].mediaTypes;
  const above = path.slice(0, -1);
  const parent: OutputMember = {
    name: 'parent',
    node: {
      kind: 'object',
      members: [value('path', above.join('/')), writeLink(urlOfPath(restUrl, above), folderType)],
    },
  };
  const items = children?.map(
    ({ name, kind }): OutputNode => ({
      kind: 'object',
      members: [
        value('name', name),
        writeLink(urlOfPath(restUrl, [...path, name]), kind === 'folder' ? folderType : mediaTypeOfFile(name)),
      ],
    }),
  );
  return {
    kind: 'object',
    members: [
      value('name', path.at(-1) ?? ''),
      ...(path.length === 0 ? [] : [parent]),
      ...(modifiedAtMs === undefined ? [] : [value('lastModified', lastModifiedText(modifiedAtMs))]),
      ...(items === undefined
        ? [value('type', type)]
        : [{ name: 'children', node: { kind: 'list', itemName: 'child', items } } as const]),
    ],
  };
}

function titleOf({ path }: ShownResource): string {
  return path.length === 0 ? 'Files' : path.join('/');
}

function pageOf(shown: ShownResource): NonNullable<OutputDocument['page']> {
  const { path, restUrl, type, modifiedAtMs, children } = shown;
  const here = urlOfPath(restUrl, path);
  const query = children === undefined ? 'operation=metadata&' : '';
  const steps = ['resource', ...path];
  return {
    crumbs: [
      homeCrumb(`${restUrl}.html`),
      ...steps.map((label, index): Crumb => {
        const isFile = index === steps.length - 1 && type !== 'directory';
        return isFile ? { label } : { label, url: `${urlOfPath(restUrl, path.slice(0, index))}?format=html` };
      }),
    ],
    alternates: ['JSON', 'XML'].map((label) => ({ label, url: `${here}?${query}format=${label.toLowerCase()}` })),
    content: (_context: WriteContext) =>
      children === undefined
        ? html`<p>${text(type)}${modifiedAtMs === undefined ? [] : [html`, ${text(lastModifiedText(modifiedAtMs))}`]}</p>`
        : children.length === 0
          ? html`<p class="empty">Nothing here yet.</p>`
          : html`<ul class="items">${children.map(({ name, kind }) => {
              const url = urlOfPath(restUrl, [...path, name]);
              return html`<li>${kind === 'folder' ? anchor(`${url}?format=html`, `${name}/`) : anchor(url, name)}</li>`;
            })}</ul>`,
  };
}
