/** Writes the small documents of tile administration as XML and JSON. */
import type { SentRequest, ServiceReply } from '../../../http/session/service-reply.ts';
import { escapeAttribute, escapeText } from '../../../lib/xml/escape.ts';

/** The formats of responses, by the extension of the path. */
export type Extension = 'json' | 'xml' | undefined;

export interface DocumentMembers {
  readonly [name: string]: string | number | boolean | DocumentMembers;
}

export const createJsonReply = (value: unknown): ServiceReply => ({
  contentType: 'application/json',
  body: JSON.stringify(value),
});

export const createXmlReply = (body: string): ServiceReply => ({ contentType: 'application/xml', body });

export const writeElement = (name: string, value: string | number | boolean): string =>
  `<${name}>${escapeText(`${value}`)}</${name}>`;

/** Answers a write, as GeoWebCache does. */
export const done: ServiceReply = { contentType: 'text/plain;charset=utf-8', body: '' };

/** The extension of the path takes precedence. */
export function selectFormat(
  { headers }: Pick<SentRequest, 'headers'>,
  extension: Extension,
  byDefault: 'json' | 'xml',
): 'json' | 'xml' {
  if (extension !== undefined) return extension;
  const accept = headers.accept ?? '';
  const [json, xml] = [accept.search(/\bjson\b/i), accept.search(/\bxml\b/i)];
  if (json < 0 && xml < 0) return byDefault;
  return xml < 0 || (json >= 0 && json < xml) ? 'json' : 'xml';
}

export function createDocumentReply(format: 'json' | 'xml', root: string, members: DocumentMembers): ServiceReply {
  return format === 'json' ? createJsonReply({ [root]: members }) : createXmlReply(writeMembers({ [root]: members }));
}

function writeMembers(members: DocumentMembers): string {
  return Object.entries(members)
    .map(([name, value]) =>
      typeof value === 'object' ? `<${name}>${writeMembers(value)}</${name}>` : writeElement(name, value),
    )
    .join('');
}

export interface NameList {
  readonly root: string;
  readonly item: string;
  readonly names: readonly string[];
  /** The path of the list, below the base URL of the client. */
  readonly path: string;
}

/** Lists names with links in XML, and names alone in JSON. */
export function createListReply(
  { baseUrl }: Pick<SentRequest, 'baseUrl'>,
  format: 'json' | 'xml',
  list: NameList,
): ServiceReply {
  const { root, item, names, path } = list;
  if (format === 'json') return createJsonReply(names);
  const items = names.map((name) => {
    const href = `${baseUrl}${path}/${encodeURIComponent(name)}.xml`;
    return `<${item}>${writeElement('name', name)}<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="${escapeAttribute(href)}" type="text/xml"/></${item}>`;
  });
  return createXmlReply(`<${root}>${items.join('')}</${root}>`);
}
